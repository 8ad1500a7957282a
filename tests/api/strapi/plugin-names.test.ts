import { afterEach, expect, test } from '@jest/globals';
import { builtInPlugins } from '../../../src/app/load-registry.js';
import { isOfStrapi } from '../../../src/strapi/project/find-plugins.js';
import { apiFiles, openProjectFolder, type RunningProject } from './project-folder.js';

let running: RunningProject | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

/** The names that Strapi does not know: a project may have plugins of its own that are called so. */
const names = [...builtInPlugins].filter((name) => !isOfStrapi(name));

const pluginCode = (name: string): string => `module.exports = {
  config: { default: { unit: 'metre' }, validator: () => {} },
  services: { own: ({ strapi }) => ({ tell: () => ({ word: strapi.plugin('${name}').config('word') }) }) },
  controllers: { own: ({ strapi }) => ({ find: (ctx) => { ctx.body = strapi.plugin('${name}').service('own').tell(); } }) },
  routes: { 'content-api': { type: 'content-api', routes: [
    { method: 'GET', path: '/own', handler: 'own.find', config: { auth: false } } ] } },
};`;

test('plugins of a project run whatever the service calls its own', async () => {
  expect(names).toEqual(expect.arrayContaining(['admin', 'audit', 'cdn', 'mcp', 'strapi5', 'versions', 'webhooks']));
  const settings = names.map((name) => [
    name,
    { enabled: true, resolve: `./src/plugins/${name}`, config: { word: `word of ${name}` } },
  ]);
  running = await openProjectFolder({
    ...apiFiles('page', { title: { type: 'string' } }),
    ...Object.fromEntries(names.map((name) => [`src/plugins/${name}/strapi-server.js`, pluginCode(name)])),
    'config/plugins.js': `module.exports = ${JSON.stringify(Object.fromEntries(settings))};`,
  });
  for (const name of names)
    expect([name, (await running.send('GET', `/api/${name}/own`)).body]).toEqual([name, { word: `word of ${name}` }]);
  expect(running.output()).not.toMatch(/has no effect|unknown/);
});

test.each(['by its path', 'as an installed package'])(
  "a project of Strapi 5 has a plugin of its own with the name of the service's, %s",
  async (way) => {
    const name = 'strapi5';
    const isPackage = way === 'as an installed package';
    const folder = isPackage ? 'node_modules/strapi-plugin-five' : 'src/plugins/five';
    const dependencies = { '@strapi/strapi': '5.54.0', ...(isPackage && { 'strapi-plugin-five': '1.0.0' }) };
    const settings = { enabled: true, config: { word: 'own' }, ...(!isPackage && { resolve: `./${folder}` }) };
    running = await openProjectFolder({
      'package.json': JSON.stringify({ dependencies }),
      'access.json': JSON.stringify({ roles: { public: { permissions: ['api::page.page.create'] } } }),
      ...apiFiles('page', { title: { type: 'string' } }),
      [`${folder}/package.json`]: JSON.stringify({ name: 'strapi-plugin-five', strapi: { kind: 'plugin', name } }),
      [`${folder}/strapi-server.js`]: pluginCode(name),
      'config/plugins.js': `module.exports = ${JSON.stringify({ [name]: settings })};`,
    });
    expect((await running.send('GET', `/api/${name}/own`)).body).toEqual({ word: 'own' });
    expect((await running.send('POST', '/api/pages', { data: { title: 'Flat' } })).body).toMatchObject({
      data: { documentId: expect.any(String), title: 'Flat' },
    });
    expect(running.output()).not.toMatch(/has no effect|unknown|form of Strapi 4/);
  },
);
