import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { readPage } from './read-page.js';

const read = (file: string): string => readFileSync(file, 'utf8');
const examples = ['next', 'nuxt'].map((name) => path.join('examples', name));

test('docs/front-ends.md shows the files of the examples as they are', () => {
  const shown = readPage(read('docs/front-ends.md')).flatMap((step) => (step.kind === 'file' ? [step] : []));
  const compared = shown.flatMap(({ path: file, text }) =>
    examples
      .map((folder) => path.join(folder, file))
      .filter((own) => existsSync(own))
      .map((own) => [own, text] as const),
  );
  expect(compared.length).toBeGreaterThan(6);
  for (const [file, text] of compared) expect([file, text]).toEqual([file, read(file)]);
});

test('the examples verify signatures as docs/events.md shows it', () => {
  const [, shown] = /```js\n(import \{ createHmac.*?)```/s.exec(read('docs/events.md')) ?? [];
  for (const file of ['examples/next/lib/is-genuine.js', 'examples/nuxt/server/utils/is-genuine.js'])
    expect([file, read(file)]).toEqual([file, shown]);
});

test('the examples have exact versions, and locks that name no registry', () => {
  for (const folder of examples) {
    const { dependencies, overrides = {} } = JSON.parse(read(path.join(folder, 'package.json'))) as {
      readonly dependencies: Readonly<Record<string, string>>;
      readonly overrides?: Readonly<Record<string, string>>;
    };
    const versions = Object.values({ ...dependencies, ...overrides });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    expect(read(path.join(folder, 'package-lock.json'))).not.toContain('"resolved"');
  }
});
