import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readText, replaceFiles } from '../../../src/content-types/write/definition-files.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'definition-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => path.join(folder, name);

test('files are replaced, and folders made for new ones', async () => {
  writeFileSync(at('a.json'), 'a');
  const replacements = [
    { name: 'a.json', before: 'a', after: 'A' },
    { name: 'parts/b.json', after: 'B' },
  ];
  await replaceFiles(folder, replacements);
  expect(await readText(at('a.json'))).toBe('A');
  expect(await readText(at('parts/b.json'))).toBe('B');
  expect(await readText(at('c.json'))).toBeUndefined();
  expect(readdirSync(folder)).toEqual(['a.json', 'parts']);
});

test('if one cannot be replaced, all are as they were', async () => {
  writeFileSync(at('a.json'), 'a');
  // A file cannot take the place of a folder.
  mkdirSync(at('c.json/full'), { recursive: true });
  const names = ['a.json', 'b.json', 'c.json', 'd.json'];
  const replacements = names.map((name) => ({ name, after: 'new', ...(name === 'a.json' && { before: 'a' }) }));
  await expect(replaceFiles(folder, replacements)).rejects.toThrow('EISDIR');
  expect(readdirSync(folder)).toEqual(['a.json', 'c.json']);
  expect(readFileSync(at('a.json'), 'utf8')).toBe('a');
});

test('one without a new text is removed, and is back if another cannot be replaced', async () => {
  writeFileSync(at('a.json'), 'a');
  mkdirSync(at('c.json/full'), { recursive: true });
  const removal = { name: 'a.json', before: 'a' };
  await expect(replaceFiles(folder, [removal, { name: 'c.json', after: 'new' }])).rejects.toThrow('EISDIR');
  expect(readFileSync(at('a.json'), 'utf8')).toBe('a');
  await replaceFiles(folder, [removal]);
  expect(readdirSync(folder)).toEqual(['c.json']);
});

test('a link stays a link', async () => {
  writeFileSync(at('shared.json'), 'a');
  symlinkSync('shared.json', at('a.json'));
  await replaceFiles(folder, [{ name: 'a.json', before: 'a', after: 'A' }]);
  expect([readlinkSync(at('a.json')), await readText(at('shared.json'))]).toEqual(['shared.json', 'A']);
});
