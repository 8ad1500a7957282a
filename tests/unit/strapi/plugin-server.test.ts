import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { ProjectCode } from '../../../src/strapi/project/load-project.js';
import { loadPluginServer } from '../../../src/strapi/project/plugin-server.js';

const folder = mkdtempSync(path.join(tmpdir(), 'project-plugins-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('settings that the validator of a plugin refuses are named with their file and line', () => {
  mkdirSync(path.join(folder, 'config'));
  writeFileSync(
    path.join(folder, 'config/plugins.js'),
    'module.exports = {\n  seo: {\n    config: { depth: -1 },\n  },\n};',
  );
  const validator = ({ depth }: { readonly depth: number }): void => {
    if (depth < 0) throw new Error('depth must be positive');
  };
  const code = { folder, load: () => ({ config: { validator } }) } as unknown as ProjectCode;
  const load = (settings: object): unknown =>
    loadPluginServer({ name: 'seo', folder: path.join(folder, 'seo'), settings }, code, {
      variables: {},
      environment: 'test',
    } as never);
  expect(() => load({ depth: -1 })).toThrow(
    'config/plugins.js:3: the plugin seo refuses its settings: depth must be positive',
  );
  expect(load({ depth: 1 })).toMatchObject({ name: 'seo', config: { depth: 1 } });
});
