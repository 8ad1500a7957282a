import fs from 'node:fs';
import os from 'node:os';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findGuards, hashOfText } from '../../../src/strapi/project/own-guards.js';
import { createKeepsOwn } from '../../../src/strapi/services/guards.js';

const strategy = "module.exports = { name: 'users-permissions', authenticate: async (ctx) => ({ ctx }) };";
const sanitizers = "const visitors = require('./visitors');\nmodule.exports = { defaultSanitizeOutput: visitors };";
const visitors = 'module.exports = () => () => undefined;';
const own = new Set([strategy, sanitizers, visitors].map(hashOfText));

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'own-guards-'));
  const write = (name: string, text: string): void => fs.writeFileSync(path.join(folder, name), text);
  write('strategy.js', strategy);
  write('reformatted.js', strategy.replaceAll("'", '"').replace('(ctx)', 'ctx').replace('};', ' , } // a comment'));
  write('changed.js', strategy.replace('({ ctx })', '({ authenticated: true })'));
  write('other.js', strategy.replace('users-permissions', 'firebase'));
  fs.mkdirSync(path.join(folder, 'same'));
  fs.mkdirSync(path.join(folder, 'changed'));
  for (const name of ['same', 'changed']) write(`${name}/sanitizers.js`, sanitizers);
  write('same/visitors.js', visitors);
  write('changed/visitors.js', visitors.replace('undefined', 'true'));
});
afterAll(() => {
  fs.rmSync(folder, { recursive: true });
});

const find = (text: string) => findGuards(path.join(folder, 'register.js'), text, own);

test.each([
  ["const s = require('./strategy');\nauth.register('content-api', s);", [{ kind: 'strategy', line: 2, isOwn: true }]],
  [
    "import s from './reformatted';\nauth\n  .register('content-api', s);",
    [{ kind: 'strategy', line: 3, isOwn: true }],
  ],
  [
    "const s = require('@strapi/plugin-users-permissions/server/strategies/users-permissions'); auth.register('content-api', s);",
    [{ kind: 'strategy', line: 1, isOwn: true }],
  ],
  ["const s = require('./changed'); auth.register('content-api', s);", [{ kind: 'strategy', line: 1, isOwn: false }]],
  ["auth.register('content-api', { name: 'users-permissions' });", [{ kind: 'strategy', line: 1, isOwn: false }]],
  // Another strategy runs beside the service's own.
  ["const s = require('./other'); auth.register('content-api', s);", []],
  ["// auth.register('content-api', { name: 'users-permissions' });", []],
  [
    "const s = require('./same/sanitizers'); strapi.sanitizers.add('content-api.output', s.defaultSanitizeOutput);",
    [{ kind: 'sanitizer', line: 1, isOwn: true }],
  ],
  [
    "const s = require('./changed/sanitizers'); strapi.container.get('sanitizers').add('content-api.output', s.x);",
    [{ kind: 'sanitizer', line: 1, isOwn: false }],
  ],
  [
    "strapi.sanitizers.add('content-api.input', (schema) => (data) => data);",
    [{ kind: 'sanitizer', line: 1, isOwn: false }],
  ],
])('the guards that a file registers: %s', (text, guards) => {
  expect(find(text)).toEqual(guards);
});

test.each([
  ['a file of the package', strategy, undefined],
  ['a changed file of it', strategy.replace('({ ctx })', '({ authenticated: true })'), /changed copy/],
])('registers the strategy of %s that code calls as it is', (_, text, refusal) => {
  const server = path.join(folder, 'node_modules/@strapi/plugin-users-permissions/server');
  fs.rmSync(server, { recursive: true, force: true });
  fs.mkdirSync(server, { recursive: true });
  const file = path.join(server, 'register.js');
  fs.writeFileSync(
    file,
    "const s = require('./strategy');\nmodule.exports = (auth) => {\n  auth.register('content-api', s);\n};",
  );
  fs.writeFileSync(path.join(server, 'strategy.js'), text);
  const require = createRequire(file);
  delete require.cache[file];
  const register = require(file) as (auth: { readonly register: () => void }) => void;
  // The project is elsewhere: packages can be installed above it.
  const keepsOwn = createKeepsOwn(path.join(folder, 'project'), own);
  const start = (): void => register({ register: () => keepsOwn('strategy') });
  if (refusal === undefined) expect(start).not.toThrow();
  else expect(start).toThrow(refusal);
});
