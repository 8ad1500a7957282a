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

test("the default import of a CommonJS package is the package, as TypeScript's interop has it", () => {
  const write = (name: string, text: string): void => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  };
  write('node_modules/logging/index.js', `exports.create = () => 'logger'; exports.default = { level: 'info' };`);
  write(
    'node_modules/compiled/index.js',
    `Object.defineProperty(exports, '__esModule', { value: true }); exports.default = 'its default'; exports.more = 1;`,
  );
  write('node_modules/plain/index.js', `module.exports = () => 'called';`);
  write('node_modules/modern/package.json', `{ "type": "module", "exports": "./index.mjs" }`);
  write('node_modules/modern/index.mjs', `export default () => 'modern'; export const named = 2;`);
  write('own.ts', `export default { own: true }; export const named = 3;`);
  write(
    'value.ts',
    `import logging, { create } from 'logging';
    import * as all from 'logging';
    import compiled, { more } from 'compiled';
    import plain from 'plain';
    import modern, { named } from 'modern';
    import own from './own';
    const required = require('logging');
    export default {
      logging: [logging.create(), create(), all.create(), logging.default.level, required.default.level],
      compiled: [compiled, more],
      plain: plain(),
      modern: [modern(), named],
      own: [own.own, require('./own').default.own, require('./own').named],
    };`,
  );
  expect(openLoader(folder, {}, undefined)(path.join(folder, 'value.ts'))).toEqual({
    logging: ['logger', 'logger', 'logger', 'info', 'info'],
    compiled: ['its default', 1],
    plain: 'called',
    modern: ['modern', 2],
    own: [true, true, 3],
  });
});
