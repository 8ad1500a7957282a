import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { ProjectCode } from '../../../src/strapi/project/load-project.js';
import { loadPluginServer } from '../../../src/strapi/project/plugin-server.js';

const folder = mkdtempSync(path.join(tmpdir(), 'project-plugins-'));
afterAll(() => rmSync(folder, { recursive: true }));

const refuse = ({ depth }: { readonly depth: number }): void => {
  if (depth < 0) throw new Error('depth must be positive');
};

test.each([
  ['at once', refuse],
  ['later', async (settings: { readonly depth: number }) => Promise.resolve(settings).then(refuse)],
])('settings that the validator of a plugin refuses %s are named with their file and line', async (_, validator) => {
  mkdirSync(path.join(folder, 'config'), { recursive: true });
  writeFileSync(
    path.join(folder, 'config/plugins.js'),
    'module.exports = {\n  seo: {\n    config: { depth: -1 },\n  },\n};',
  );
  const code = { folder, load: () => ({ config: { validator } }) } as unknown as ProjectCode;
  const load = async (settings: object): Promise<unknown> =>
    loadPluginServer({ name: 'seo', folder: path.join(folder, 'seo'), settings }, code, {
      variables: {},
      environment: 'test',
    } as never);
  await expect(load({ depth: -1 })).rejects.toThrow(
    'config/plugins.js:3: the plugin seo refuses its settings: depth must be positive',
  );
  expect(await load({ depth: 1 })).toMatchObject({ name: 'seo', config: { depth: 1 } });
});
