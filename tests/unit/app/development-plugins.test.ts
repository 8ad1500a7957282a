import { expect, test } from '@jest/globals';
import { enabledPlugins } from '../../../src/app/load-registry.js';
import { packagesOfPlugins } from '../../../src/config/optional-package.js';
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

test.each<[Config['environment'], readonly string[]]>([
  ['development', ['admin', 'cdn', 'mcp']],
  ['production', ['cdn']],
])('in %s these packages run by being installed: %j', async (environment, running) => {
  const folders = { project: '.', contentTypes: '.', data: '.' };
  const names = (await enabledPlugins({ plugins: {}, folders, environment })).map(({ name }) => name);
  expect(names.filter((name) => packagesOfPlugins.has(name)).toSorted()).toEqual(running);
});

test('the plugins file turns on each package that is a plugin', async () => {
  const folders = { project: '.', contentTypes: '.', data: '.' };
  const file = Object.fromEntries([...packagesOfPlugins.keys()].map((name) => [name, true]));
  const settings = { plugins: parsePlugins(file, 'plugins'), folders, environment: 'production' } as const;
  const names = (await enabledPlugins(settings)).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...packagesOfPlugins.keys()]));
});
