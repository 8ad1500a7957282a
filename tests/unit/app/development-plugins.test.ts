import { expect, test } from '@jest/globals';
import { enabledPlugins } from '../../../src/app/load-registry.js';
import type { Config } from '../../../src/config/config.js';
import { parsePlugins, type PluginsFile } from '../../../src/config/plugins/parse-plugins.js';

test.each<[Config['environment'], PluginsFile, boolean]>([
  ['development', {}, true],
  ['development', { admin: false }, false],
  ['production', {}, false],
  ['production', { admin: true }, true],
  ['test', {}, false],
])('in %s with %j the editor is enabled: %s', async (environment, file, isEnabled) => {
  const folders = { project: '.', contentTypes: '.', data: '.' };
  const settings = { plugins: parsePlugins(file, 'plugins'), folders, environment };
  const names = (await enabledPlugins(settings)).map(({ name }) => name);
  expect(names.includes('admin')).toBe(isEnabled);
});
