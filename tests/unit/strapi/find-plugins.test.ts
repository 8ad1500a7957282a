import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  copiedPlugins,
  describePackages,
  findPlugins,
  missingPackages,
  serverFile,
} from '../../../src/strapi/project/find-plugins.js';

const settings = {
  off: { enabled: false, config: {} },
  sentry: { enabled: true, config: { dsn: 'http://key@localhost/1' } },
  upload: { enabled: true, config: {}, resolve: './src/plugins/upload' },
  seo: { enabled: true, config: {}, resolve: './src/plugins/seo' },
  typed: { enabled: true, config: {}, resolve: './src/plugins/typed' },
};

/** Packages of a project: where they are, their names as plugins, and whether they have server code. */
const packages = [
  { name: '@strapi/plugin-sentry', plugin: 'sentry', server: true },
  { name: '@strapi/plugin-color-picker', plugin: 'color-picker', server: true },
  { name: '@strapi/plugin-cloud', plugin: 'strapi-cloud', server: false },
  { name: '@strapi/plugin-i18n', plugin: 'i18n', server: true },
  { name: '@strapi/plugin-documentation', plugin: 'documentation', server: true },
  { name: 'strapi-plugin-panel', plugin: 'panel', server: false },
  { name: 'strapi-plugin-off', plugin: 'off', server: false },
  // Another plugin requires it.
  { name: 'strapi-provider-cache', plugin: 'strapi-provider-cache', server: false },
  { name: '@strapi/plugin-upload', plugin: 'upload', server: true, place: 'src/plugins/upload' },
  { name: '@strapi/plugin-seo', plugin: 'seo', server: true, place: 'src/plugins/seo' },
  { name: 'typed', plugin: 'typed', server: true, place: 'src/plugins/typed' },
  { name: 'lodash', server: false },
];

const project = fs.mkdtempSync(path.join(os.tmpdir(), 'find-plugins-'));
const write = (name: string, content: object): void => {
  fs.mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
  fs.writeFileSync(path.join(project, name), JSON.stringify(content));
};

beforeAll(() => {
  const installed = packages.filter(({ place }) => place === undefined);
  const absent = ['strapi-plugin-absent', '@owner/strapi-plugin-far', '@strapi/plugin-near', '@strapi/plugin-i18n'];
  const names = [
    ...installed.map(({ name }) => name),
    ...absent,
    'babel-plugin-x',
    'strapi-plugin-disabled',
    '@owner/strapi-plugin-ckeditor',
  ];
  write('package.json', { dependencies: Object.fromEntries(names.map((name) => [name, '1.x'])) });
  for (const { name, plugin, server, place = `node_modules/${name}` } of packages) {
    write(`${place}/package.json`, { name, ...(plugin !== undefined && { strapi: { kind: 'plugin', name: plugin } }) });
    if (plugin === 'typed') write(`${place}/server/index.ts`, {});
    if (server) fs.writeFileSync(path.join(project, place, 'strapi-server.js'), '');
    if (plugin === 'panel') write(`${place}/strapi-admin.js`, {});
  }
});
afterAll(() => fs.rmSync(project, { recursive: true }));

test('plugins of Strapi run like others, except those with a counterpart in the service', () => {
  const found = findPlugins(project, settings);
  expect(found.map(({ name }) => name)).toEqual(['sentry', 'color-picker', 'seo', 'typed']);
  expect(found[0]?.settings).toEqual(settings.sentry.config);
});

test('dependencies with the name of a plugin that are not installed are found, unless they are disabled', () => {
  const disabled = { disabled: { enabled: false, config: {} } };
  expect(missingPackages(project, disabled)).toEqual(
    [
      ['strapi-plugin-absent', 'absent'],
      ['@owner/strapi-plugin-far', 'far'],
      ['@strapi/plugin-near', 'near'],
    ].map(([name, plugin]) => ({ name, plugin, range: '1.x' })),
  );
});

test('only copies that do not run are reported as copies', () => {
  expect(copiedPlugins(project, settings)).toEqual(['upload']);
});

test('packages without effect are reported, unless the service has a counterpart', () => {
  const panelOnly = "it has code for Strapi's admin panel only, which is not there";
  expect(describePackages(project, settings)).toEqual([
    "the package of the plugin strapi-cloud has no effect: it deploys a project from Strapi's admin panel, which is not there",
    'the package of the plugin documentation has no effect: the service describes its routes itself, with its own plugin documentation',
    `the package of the plugin panel has no effect: ${panelOnly}`,
    'the plugin typed is not built: src/plugins/typed/server/index.ts runs',
  ]);
});

test('the server of a plugin in TypeScript is its source until it is built', () => {
  const folder = path.join(project, 'src/plugins/typed');
  expect(serverFile(folder)).toBe(path.join(folder, 'server/index.ts'));
  fs.mkdirSync(path.join(folder, 'dist'));
  expect(serverFile(folder)).toBe(path.join(folder, 'strapi-server.js'));
});
