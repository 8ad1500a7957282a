import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const page = readFileSync('ARCHITECTURE.md', 'utf8');

/** What each block of TypeScript on the page quotes: the file is the last one that is linked before it. */
const quotations = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(({ 1: code = '', index }) => ({
  file: [...page.slice(0, index).matchAll(/\]\((src\/[^)]+\.ts)\)/g)].at(-1)?.[1] ?? '',
  code,
}));

test('the page quotes the function that answers, the one that is a read, the table of what a write does, and the function that is a write', () => {
  const heads = quotations.map(({ file, code }) => [file, /^(?:export async function|const) (\w+)/.exec(code)?.[1]]);
  expect(heads).toEqual([
    ['src/calls/answer.ts', 'answer'],
    ['src/documents/read-operation.ts', 'read'],
    ['src/documents/write/transitions.ts', 'copied'],
    ['src/documents/write/write-entry.ts', 'writeEntry'],
  ]);
});

test.each(quotations)('the quotation of $file is the code, and fits on a page', ({ file, code }) => {
  const parts = readFileSync(file, 'utf8').match(/^(?:export async function|const) [^]*?^};?\n/gm);
  expect(parts).toContain(code);
  expect(code.split('\n').length).toBeLessThanOrEqual(60);
});
