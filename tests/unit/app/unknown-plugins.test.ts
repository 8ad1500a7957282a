import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { builtInPlugins, enabledPlugins } from '../../../src/app/load-registry.js';
import { findUnknownPlugins } from '../../../src/app/load-project.js';
import type { Config } from '../../../src/config/config.js';

let project: string;
beforeAll(() => {
  project = fs.mkdtempSync(path.join(os.tmpdir(), 'unknown-plugins-'));
  fs.mkdirSync(path.join(project, 'config'));
  fs.writeFileSync(
    path.join(project, 'config', 'plugins.js'),
    "module.exports = {\n  // not uplod-er\n  'uplod': false,\n  i18n: true,\n};\n",
  );
});
afterAll(() => fs.rmSync(project, { recursive: true }));

const on = { enabled: true, config: {} };
const configured = (plugins: Config['plugins'], folder = project) => ({
  plugins,
  folders: { project: folder, contentTypes: folder, data: folder },
  environment: 'test' as const,
});
const find = (plugins: Config['plugins']): readonly string[] => findUnknownPlugins(configured(plugins));

test('an unknown plugin is reported with its line and a suggestion', () => {
  expect(find({ uplod: { ...on, enabled: false }, i18n: on, mine: { ...on, resolve: './mine.js' } })).toEqual([
    'config/plugins.js:3: unknown plugin "uplod" has no effect; did you mean "upload"?',
  ]);
});

test('an unknown plugin that is in no file is reported with the known names', () => {
  expect(find({ spellchecking: on })).toEqual([
    `config/plugins: unknown plugin "spellchecking" has no effect; it can be ${[...builtInPlugins].join(', ')}`,
  ]);
});

test('settings of a plugin that has none are refused, or reported in a Strapi v4 project', async () => {
  const plugins = { documentation: { ...on, config: { openapi: '3.0.0' } } };
  const line = 'config/plugins: documentation.config.openapi has no effect: the plugin has no settings';
  await expect(enabledPlugins(configured(plugins))).rejects.toThrow(line);
  const strapi = path.join(project, 'strapi');
  fs.mkdirSync(path.join(strapi, 'src', 'api'), { recursive: true });
  const lines: string[] = [];
  await enabledPlugins(configured(plugins, strapi), (one) => lines.push(one));
  expect(lines).toEqual([line]);
});

test('refused settings name file and line', async () => {
  fs.writeFileSync(
    path.join(project, 'config', 'plugins.js'),
    'module.exports = {\n  upload: {\n    config: {\n sizeLimit: 0 } } };',
  );
  const plugins = { upload: { ...on, config: { sizeLimit: 0 } } };
  await expect(enabledPlugins(configured(plugins))).rejects.toThrow(
    /^config\/plugins\.js:4: Plugin upload: config\.sizeLimit /,
  );
});

test('a plugin with a hook that does not exist is refused', async () => {
  fs.writeFileSync(path.join(project, 'mine.js'), "module.exports = () => ({ name: 'mine', hooks: { after() {} } });");
  await expect(enabledPlugins(configured({ mine: { ...on, resolve: './mine.js' } }))).rejects.toThrow(
    'Plugin mine: unknown member "hooks.after"; it can be prepare, follow, beforeDelete, beforePurge, afterWrite',
  );
});
