import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { conformance } from '../../scripts/conformance/conformance.js';
import { compactForm } from '../../scripts/conformance/recordings.js';
import { foldersWithRecordings } from '../../scripts/conformance/strapi5/recording.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'recordings-'));
const lines: string[] = [];
beforeAll(() => {
  for (const method of ['log', 'error'] as const)
    jest.spyOn(console, method).mockImplementation((line) => void lines.push(String(line)));
});
beforeEach(() => void lines.splice(0));
afterAll(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const step = (name: string, status: number) => ({
  name,
  method: 'GET',
  path: '/api/tags',
  auth: 'full',
  expect: { status, body: { data: [], meta: { pagination: { page: 1, pageSize: 25, pageCount: 0, total: 0 } } } },
});
const recording = { name: 'tags', phase: 'read', steps: [step('none', 200), step('none yet', 200)], none: [] };

/** Writes a folder with recordings as people bring it: with a line for each value. */
function bring(content: typeof recording): void {
  mkdirSync(path.join(folder, 'scenarios', '10-tags'), { recursive: true });
  cpSync('tests/fixtures/corpus/content-types', path.join(folder, 'content-types'), { recursive: true });
  cpSync('tests/fixtures/corpus/world.json', path.join(folder, 'world.json'));
  writeFileSync(path.join(folder, 'deviations.json'), '[]');
  writeFileSync(path.join(folder, 'scenarios', '10-tags', '10-none.json'), JSON.stringify(content, null, 1));
  writeFileSync(path.join(folder, 'scenarios', '10-tags', '11-more.json'), JSON.stringify(content, null, 1));
}

const run = (...args: readonly string[]) => {
  const ours = { corpus: folder, ratchet: path.join(folder, 'ratchet.json') };
  const files = { contentTypes: ours, project: ours, strapi5Project: ours, strapi5: folder };
  return conformance(args, files, process.env['TEST_MONGODB_URI']);
};

test('a step is stored on a line, and no value changes', () => {
  const text = compactForm(recording);
  expect(JSON.parse(text)).toEqual(recording);
  expect(text.split('\n').map((line) => line.slice(0, 20))).toEqual([
    '{',
    ' "name": "tags",',
    ' "phase": "read",',
    ' "steps": [',
    '  {"name":"none","me',
    '  {"name":"none yet"',
    ' ],',
    ' "none": []',
    '}',
    '',
  ]);
});

test('a recording or one of its steps is printed with a line for each value, however it is stored', async () => {
  bring(recording);
  for (const args of [[], ['--compact']]) {
    if (args.length > 0) expect(await run(...args)).toBe(0);
    lines.splice(0);
    expect(await run('--print', '10-tags/10')).toBe(0);
    expect(lines).toEqual([JSON.stringify(recording, null, 1)]);
    lines.splice(0);
    expect(await run('--print', '10-tags/10-none.json#2')).toBe(0);
    expect(lines).toEqual([JSON.stringify(recording.steps[1], null, 1)]);
  }
  expect(readFileSync(path.join(folder, 'scenarios', '10-tags', '11-more.json'), 'utf8')).toBe(compactForm(recording));
});

test.each([
  ['10-tags/12', 'begins with "10-tags/12"'],
  ['10-tags/1', '10-none.json, scenarios/10-tags/11-more.json'],
  ['10-tags/10#3', 'has 2 steps, so none is number 3'],
])('what names no recording, or several, is refused: %s', async (name, message) => {
  bring(recording);
  expect(await run('--print', name)).toBe(2);
  expect(lines.join('\n')).toContain(message);
});

test('a folder with recordings in their first form is replayed, and all of its steps have to pass', async () => {
  bring(recording);
  expect([await run(folder), lines.at(-1)]).toEqual([0, expect.stringContaining('4/4')]);
  bring({ ...recording, steps: [step('none', 404)] });
  expect([await run(folder), lines.at(-1)]).toEqual([1, expect.stringContaining('0/2')]);
  expect(await run(folder, '--update')).toBe(2);
  expect(await run(folder, 'another')).toBe(2);
});

test('recordings of Strapi 5 are those of a folder and of the folders in it, at any depth', async () => {
  const at = (...names: readonly string[]): string => path.join(folder, 'outer', ...names);
  const recorded = [{ name: 'tags', request: { method: 'GET', path: '/api/tags' }, status: 200, body: {} }];
  mkdirSync(at('empty'), { recursive: true });
  for (const one of [at('a'), at('a', 'migrated'), at('b', 'c'), at('migrated')]) {
    mkdirSync(one, { recursive: true });
    writeFileSync(path.join(one, '10-tags.json'), JSON.stringify(recorded));
  }
  expect(await foldersWithRecordings(at())).toEqual([at('a'), at('b', 'c'), at('migrated')]);
  expect(await foldersWithRecordings(at('a'))).toEqual([at('a')]);
  await expect(foldersWithRecordings(at('empty'))).rejects.toThrow('have no recordings of Strapi 5');
});
