import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openLoader } from '../../../src/config/project/load-module.js';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loader-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

test('compiled TypeScript is stored, and compiled again when its source changes', () => {
  const [source, cache] = [path.join(folder, 'value.ts'), path.join(folder, 'compiled')];
  const load = (): unknown => openLoader(folder, {}, cache)(source);
  fs.writeFileSync(source, `export const value: string = 'first';`);
  expect(load()).toEqual({ value: 'first' });
  const [name = ''] = fs.readdirSync(cache);
  const stored = path.join(cache, name);
  fs.writeFileSync(stored, fs.readFileSync(stored, 'utf8').replace('first', 'stored'));
  expect(load()).toEqual({ value: 'stored' });
  fs.writeFileSync(source, `export const value: string = 'second';`);
  expect(load()).toEqual({ value: 'second' });
});

test('without a cache folder nothing is stored', () => {
  const source = path.join(folder, 'value.ts');
  fs.writeFileSync(source, `export const value: string = 'first';`);
  const load = openLoader(folder, {}, undefined);
  expect(load(source)).toEqual({ value: 'first' });
  expect(fs.readdirSync(folder)).toEqual(['value.ts']);
});
