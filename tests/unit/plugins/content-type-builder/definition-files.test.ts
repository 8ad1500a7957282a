import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readText, replaceFiles } from '../../../../src/plugins/content-type-builder/definition-files.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'definition-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => path.join(folder, name);

test('files are replaced, and folders made for new ones', async () => {
  writeFileSync(at('a.json'), 'a');
  const texts = new Map([
    [at('a.json'), 'A'],
    [at('parts/b.json'), 'B'],
  ]);
  await replaceFiles(new Map([[at('a.json'), 'a']]), texts);
  expect(await readText(at('a.json'))).toBe('A');
  expect(await readText(at('parts/b.json'))).toBe('B');
  expect(await readText(at('c.json'))).toBeUndefined();
  expect(readdirSync(folder)).toEqual(['a.json', 'parts']);
});

test('if one cannot be replaced, all are as they were', async () => {
  writeFileSync(at('a.json'), 'a');
  // A file cannot take the place of a folder.
  mkdirSync(at('c.json/full'), { recursive: true });
  const texts = new Map(['a.json', 'b.json', 'c.json', 'd.json'].map((name) => [at(name), 'new']));
  await expect(replaceFiles(new Map([[at('a.json'), 'a']]), texts)).rejects.toThrow('EISDIR');
  expect(readdirSync(folder)).toEqual(['a.json', 'c.json']);
  expect(readFileSync(at('a.json'), 'utf8')).toBe('a');
});
