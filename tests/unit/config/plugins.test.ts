import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { loadPlugins } from '../../../src/config/plugins/load-plugins.js';
import { parsePlugins } from '../../../src/config/plugins/parse-plugins.js';
import { StartError } from '../../../src/errors/start-error.js';

let project: string;
beforeEach(() => {
  project = fs.mkdtempSync(path.join(os.tmpdir(), 'plugins-'));
  fs.mkdirSync(path.join(project, 'config'));
});
afterEach(() => fs.rmSync(project, { recursive: true }));

const write = (name: string, text: string): void => fs.writeFileSync(path.join(project, name), text);

test('without a plugins file no plugin has settings', async () => {
  expect(await loadPlugins(project, {})).toEqual({});
});

test.each([
  ['js', "const { env } = require('@strapi/utils');\nmodule.exports = { i18n: env.bool('I18N') };"],
  ['ts', "import { env } from '@strapi/utils';\nexport default (): object => ({ i18n: env.bool('I18N') });"],
])('a file in %s reads variables by the packages that come with Strapi', async (ending, text) => {
  write(`config/plugins.${ending}`, text);
  expect(await loadPlugins(project, { I18N: 'false' })).toEqual({ i18n: { enabled: false, config: {} } });
});

test('a file that calls more of them than there is yet names it', async () => {
  write('config/plugins.js', "module.exports = require('@strapi/utils').getConfigUrls({});");
  await expect(loadPlugins(project, {})).rejects.toThrow('@strapi/utils: getConfigUrls is not supported');
});

test('a byte order mark before JSON is ignored', async () => {
  write('config/plugins.json', '\uFEFF{ "upload": true }');
  expect(await loadPlugins(project, {})).toEqual({ upload: { enabled: true, config: {} } });
});

test('a plugin in the file is enabled unless it has enabled: false', async () => {
  write(
    'config/plugins.json',
    '{ "upload": { "config": { "sizeLimit": 10 } }, "i18n": false, "graphql": { "enabled": false } }',
  );
  expect(await loadPlugins(project, {})).toEqual({
    upload: { enabled: true, config: { sizeLimit: 10 } },
    i18n: { enabled: false, config: {} },
    graphql: { enabled: false, config: {} },
  });
});

test.each([
  ['[]', 'config/plugins.json contains a list; allowed: an object'],
  ['"on"', 'config/plugins.json contains a string; allowed: an object'],
  ['{ "upload": 1 }', 'config/plugins.json:1: upload is 1; allowed: true, false or an object'],
  ['{ "upload": { "enabled": "yes" } }', 'config/plugins.json:1: upload.enabled is a string; allowed: true or false'],
  ['{ "upload": { "config": [] } }', 'config/plugins.json:1: upload.config is a list; allowed: an object'],
  [
    '{ "upload": { "enable": true } }',
    'config/plugins.json:1: upload.enable is unknown; allowed: enabled, config and resolve',
  ],
  ['{ "a": { "resolve": true } }', 'config/plugins.json:1: a.resolve is true; allowed: a string'],
  [
    '{ "a": null, "b": { "enabled": 0 } }',
    'config/plugins.json:1: a is null; allowed: true, false or an object\nconfig/plugins.json:1: b.enabled is 0; allowed: true or false',
  ],
])('%s stops the start, naming file, line and key', async (text, message) => {
  write('config/plugins.json', text);
  await expect(loadPlugins(project, {})).rejects.toThrow(new StartError(message));
});

test('a file with invalid JSON stops the start', async () => {
  write('config/plugins.json', '{ upload: {} }');
  await expect(loadPlugins(project, {})).rejects.toThrow(/^config\/plugins\.json cannot be read: /);
});

test('keys that Strapi v4 ignores are ignored in a Strapi project, and reported', async () => {
  fs.mkdirSync(path.join(project, 'src', 'api'), { recursive: true });
  write('config/plugins.json', '{ "email": { "config": {}, "settings": { "defaultFrom": "a" } }, "a": { "b": {} } }');
  expect(await loadPlugins(project, {})).toEqual({
    email: {
      enabled: true,
      enabledByDefault: true,
      config: {},
      ignored: [
        'config/plugins.json:1: email.settings is unknown and has no effect; allowed: enabled, config and resolve',
      ],
    },
    a: {
      enabled: true,
      enabledByDefault: true,
      config: {},
      ignored: ['config/plugins.json:1: a.b is unknown and has no effect; allowed: enabled, config and resolve'],
    },
  });
});

/** Writes the plugins file of an environment; Node loads a file once. */
function writeFor(environment: string, text: string) {
  fs.mkdirSync(path.join(project, 'config', 'env', environment), { recursive: true });
  write(`config/env/${environment}/plugins.mjs`, text);
  return { contentTypes: project, environment };
}

test('the file of the environment adds to the settings, and overrides them', async () => {
  write('config/plugins.json', '{ "upload": { "config": { "sizeLimit": 10, "provider": "local" } }, "i18n": true }');
  const text = 'export default ({ env }) => ({ upload: { config: { sizeLimit: env.int("MOST") } }, slugify: false });';
  const staging = writeFor('staging', text);
  expect(await loadPlugins(project, { MOST: '5' }, staging)).toEqual({
    upload: { enabled: true, config: { sizeLimit: 5, provider: 'local' } },
    i18n: { enabled: true, config: {} },
    slugify: { enabled: false, config: {} },
  });
  expect((await loadPlugins(project, {}))['upload']).toMatchObject({ config: { sizeLimit: 10 } });
  const invalid = writeFor('invalid', 'export default {\n  upload: { enabled: 1 },\n};');
  await expect(loadPlugins(project, {}, invalid)).rejects.toThrow(
    'config/env/invalid/plugins.mjs:2: upload.enabled is 1; allowed: true or false',
  );
  const single = writeFor('single', 'export default "upload";');
  await expect(loadPlugins(project, {}, single)).rejects.toThrow(
    'config/env/single/plugins.mjs contains a string; allowed: an object',
  );
});

test('a Strapi project can have any value for enabled', () => {
  const content = { a: { enabled: 0 }, b: { enabled: 1 }, c: { enabled: '' }, d: { enabled: null }, e: {} };
  const parsed = parsePlugins(content, 'config/plugins', { lenient: true });
  const enabled = Object.entries(parsed).flatMap(([name, plugin]) => (plugin.enabled ? [name] : []));
  expect(enabled).toEqual(['b', 'e']);
});

test('a file is named relative to its project folder', async () => {
  write('config/plugins.json', '[]');
  await expect(loadPlugins('/elsewhere', {}, { contentTypes: project })).rejects.toThrow(
    new StartError('config/plugins.json contains a list; allowed: an object'),
  );
});
