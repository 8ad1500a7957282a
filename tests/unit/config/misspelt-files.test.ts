import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { misspeltFiles } from '../../../src/config/misspelt-files.js';

let project: string;
beforeEach(() => {
  project = fs.mkdtempSync(path.join(os.tmpdir(), 'Mein Projekt (neu) #1 '));
});
afterEach(() => fs.rmSync(project, { recursive: true }));

function write(...names: readonly string[]): void {
  for (const name of names) {
    fs.mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    fs.writeFileSync(path.join(project, name), '{}');
  }
}
const lines = (): readonly string[] => misspeltFiles({ project, contentTypes: path.join(project, 'content-types') });

test.each([
  ['config/plugin.js', 'config/plugins.js'],
  ['config/Plugins.ts', 'config/plugins.ts'],
  ['config/databse.ts', 'config/database.ts'],
  ['config/webhook.json', 'config/webhooks.json'],
  ['config/webhooks.js', 'config/webhooks.json'],
  ['config/cdn.ts', 'config/cdn.json'],
  ['config/cdns.json', 'config/cdn.json'],
])('%s is probably %s', (name, meant) => {
  write(name);
  expect(lines()).toEqual([`${name} is not read; did you mean ${meant}?`]);
});

test('files that only a project of Strapi has are named', () => {
  write('config/server.ts', 'config/middlewares.js', 'config/api.js');
  expect(lines()).toEqual([
    'config/middlewares.js is read in a project of Strapi only',
    'config/server.ts is read in a project of Strapi only',
  ]);
});

test('files that are read, and those of others, are not doubted', () => {
  write('config/plugins.js', 'config/database.js', 'config/cdn.json', 'config/shops.js', 'config/plugins.md');
  write('extension/index.js', 'extensions/index.js');
  expect(lines()).toEqual([]);
});

test('a folder that is nearly one of a project is named, unless that is there too', () => {
  write('extension/index.js', 'configs/plugins.js', 'extensio');
  expect(lines()).toEqual([
    'configs is not read; did you mean config?',
    'extension is not read; did you mean extensions?',
  ]);
});

test('a line of .env that names a setting without a value is named, and no other line', () => {
  const text = [
    '# PORT 80',
    'PORT 80',
    'HOST=::1',
    'export DRAFTS',
    'PRIVATE_KEY="-----BEGIN',
    'MII HOST',
    '"',
    'NOTE one',
  ];
  fs.writeFileSync(path.join(project, '.env'), text.join('\r\n'));
  expect(lines()).toEqual(['.env:2 is not read; did you mean PORT=…?', '.env:4 is not read; did you mean DRAFTS=…?']);
});
