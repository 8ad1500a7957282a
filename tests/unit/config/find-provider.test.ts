import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createFindProvider } from '../../../src/config/project/find-provider.js';

let project: string;
beforeEach(() => {
  project = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'providers-')));
});
afterEach(() => fs.rmSync(project, { recursive: true }));

const write = (name: string): void => {
  fs.mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
  fs.writeFileSync(path.join(project, name), '');
};

/** Where a provider is found, as a path in the project. */
function find(name: string, kind: 'upload' | 'email' = 'upload'): string | undefined {
  const found = createFindProvider({ contentTypes: path.join(project, 'elsewhere'), project })(kind, name);
  return found && path.relative(project, found);
}

test.each([
  ['disk', 'node_modules/@strapi/provider-upload-disk/index.js'],
  ['disk', 'node_modules/strapi-provider-upload-disk/index.js'],
  ['disk', 'node_modules/disk/index.js'],
  ['Disk', 'node_modules/@strapi/provider-upload-disk/index.js'],
  ['@strapi/provider-upload-disk', 'node_modules/@strapi/provider-upload-disk/index.js'],
  ['./providers/disk', 'providers/disk/index.js'],
  ['./providers/disk', 'providers/disk.ts'],
  ['./providers/disk', 'providers/disk/index.ts'],
])('the provider %s is in %s', (name, file) => {
  write(file);
  expect(find(name)).toBe(file);
});

test('a package of Strapi is preferred, and packages of another kind are ignored', () => {
  for (const name of ['@strapi/provider-upload-disk', 'strapi-provider-upload-disk', 'disk']) {
    write(`node_modules/${name}/index.js`);
  }
  expect(find('disk')).toBe('node_modules/@strapi/provider-upload-disk/index.js');
  expect(find('disk', 'email')).toBe('node_modules/disk/index.js');
});

test.each(['disk', './disk', 'path', ''])('nothing is found by the name "%s"', (name) => {
  expect(find(name)).toBeUndefined();
});
