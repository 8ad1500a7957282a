import { expect, test } from '@jest/globals';
import { sqlite } from '../../../src/content-types/model/dialects.js';
import { prepareData } from '../../../src/app/open-content.js';

const registry = { contentTypes: new Map(), components: new Map(), dialect: sqlite };

async function logged(prepare: () => Promise<readonly string[]>, pause?: number): Promise<readonly string[]> {
  const lines: string[] = [];
  const print = (line: unknown): void => void lines.push(String(line));
  await prepareData({ prepare }, registry, { info: print, error: print }, pause);
  return lines;
}

test('existing indexes are not logged', async () => {
  expect(await logged(() => Promise.resolve([]))).toEqual([]);
});

test('an index that the data violates is logged', async () => {
  const [line] = await logged(() => Promise.resolve(['cs_unique_slug of articles: "a" twice']));
  expect(line).toBe('Continuing without an index that the stored data violates: cs_unique_slug of articles: "a" twice');
});

test('building indexes for a long time is logged', async () => {
  let finish: (refused: readonly string[]) => void = () => undefined;
  const prepared = new Promise<readonly string[]>((resolve) => {
    finish = resolve;
  });
  const lines: string[] = [];
  const print = (line: unknown): void => {
    lines.push(String(line));
    finish([]);
  };
  await prepareData({ prepare: () => prepared }, registry, { info: print, error: print }, 1);
  expect(lines[0]).toMatch(/^Building indexes for the content types, \d+ s so far$/);
});
