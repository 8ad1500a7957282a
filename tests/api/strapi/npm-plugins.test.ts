import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { apiFiles, openProjectFolder, type RunningProject } from './project-folder.js';

let running: RunningProject | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

const relation = (target: string): object => ({
  type: 'relation',
  relation: 'manyToOne',
  target: `api::${target}.${target}`,
});
const permissions = ['page', 'author', 'city'].flatMap((name) =>
  ['find', 'findOne', 'create'].map((action) => `api::${name}.${name}.${action}`),
);
const files = {
  ...apiFiles('page', { title: { type: 'string' }, author: relation('author') }),
  ...apiFiles('author', { name: { type: 'string' }, city: relation('city') }),
  ...apiFiles('city', { name: { type: 'string' } }),
  'access.json': JSON.stringify({ roles: { public: { permissions } } }),
};
const dependencies = (...names: readonly string[]): string =>
  JSON.stringify({ name: 'project', dependencies: Object.fromEntries(names.map((name) => [name, '*'])) });

test('strapi-plugin-transformer changes the responses of core routes', async () => {
  running = await openProjectFolder(
    {
      ...files,
      'package.json': dependencies('strapi-plugin-transformer'),
      'config/plugins.js': `module.exports = { transformer: { config: {
        responseTransforms: { removeAttributesKey: true, removeDataKey: true } } } };`,
    },
    ['strapi-plugin-transformer'],
  );
  const { body } = await running.send('POST', '/api/authors', { data: { name: 'Anna' } });
  expect(body).toMatchObject({ data: { id: 1, name: 'Anna' } });
  await running.send('POST', '/api/pages', { data: { title: 'One', author: 1 } });
  expect((await running.send('GET', '/api/pages?populate=author')).body).toMatchObject({
    data: [{ id: 1, title: 'One', author: { id: 1, name: 'Anna' } }],
  });
});

test('a route of project code can use the rate limit of users-permissions', async () => {
  running = await openProjectFolder({
    ...files,
    'src/api/page/routes/own.js': `module.exports = { routes: [{ method: 'GET', path: '/limited', handler: (ctx) => { ctx.body = {}; },
      config: { auth: false, middlewares: ['plugin::users-permissions.rateLimit'] } }] };`,
    'config/plugins.js': `module.exports = { 'users-permissions': { config: { ratelimit: { max: 2 } } } };`,
  });
  const { send } = running;
  const statuses = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await send('GET', '/api/limited')).status);
  expect(statuses).toEqual([200, 200, 429]);
});

test('strapi-plugin-populate-deep populates with populate=deep', async () => {
  running = await openProjectFolder(
    {
      ...files,
      'package.json': dependencies('strapi-plugin-populate-deep'),
      'config/plugins.js': `module.exports = { 'strapi-plugin-populate-deep': { config: { defaultDepth: 4 } } };`,
    },
    ['strapi-plugin-populate-deep'],
  );
  await running.send('POST', '/api/cities', { data: { name: 'Rome' } });
  await running.send('POST', '/api/authors', { data: { name: 'Anna', city: 1 } });
  await running.send('POST', '/api/pages', { data: { title: 'One', author: 1 } });
  const { body } = await running.send('GET', '/api/pages?populate=deep');
  expect(body.data[0].attributes.author.data.attributes).toMatchObject({
    name: 'Anna',
    city: { data: { attributes: { name: 'Rome' } } },
  });
  const flat = await running.send('GET', '/api/pages?populate=deep,2');
  expect(flat.body.data[0].attributes.author.data.attributes.city).toBeUndefined();
});

/** The package and what it needs as the registry has them; installed by npm it would bring all of Strapi. */
const archives = [
  ['strapi-plugin-slugify', 'strapi-plugin-slugify-2.3.8.tgz'],
  ['@sindresorhus/slugify', 'sindresorhus-slugify-1.1.0.tgz'],
  ['@sindresorhus/transliterate', 'sindresorhus-transliterate-0.1.2.tgz'],
  ['escape-string-regexp', 'escape-string-regexp-4.0.0.tgz'],
  ['lodash.deburr', 'lodash.deburr-4.1.0.tgz'],
] as const;

function unpackSlugify(): string {
  const modules = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'slugify-')), 'node_modules');
  for (const [name, archive] of archives) {
    const place = path.join(modules, name);
    fs.mkdirSync(place, { recursive: true });
    const file = path.resolve('tests/fixtures/packages', archive);
    execFileSync('tar', ['-xzf', file, '-C', place, '--strip-components=1']);
  }
  for (const name of ['lodash', 'yup']) fs.symlinkSync(path.resolve('node_modules', name), path.join(modules, name));
  return path.join(modules, 'strapi-plugin-slugify');
}

test('strapi-plugin-slugify writes slugs, and finds entries by them over REST and GraphQL', async () => {
  const slugify = unpackSlugify();
  const slugs = 'plugin::slugify.slugController.findSlug';
  running = await openProjectFolder(
    {
      ...files,
      ...apiFiles('page', { title: { type: 'string' }, slug: { type: 'uid', targetField: 'title' } }),
      'access.json': JSON.stringify({ roles: { public: { permissions: [...permissions, slugs] } } }),
      'package.json': dependencies('strapi-plugin-slugify'),
      'config/plugins.js': `module.exports = { graphql: { enabled: true }, slugify: { config: { slugifyWithCount: true,
        contentTypes: { page: { field: 'slug', references: 'title' } } } } };`,
    },
    [slugify],
  );
  for (const title of ['Déjà vu!', 'Deja vu']) await running.send('POST', '/api/pages', { data: { title } });
  const { body } = await running.send('GET', '/api/pages');
  expect(body.data.map(({ attributes }: { attributes: { slug: string } }) => attributes.slug)).toEqual([
    'deja-vu',
    'deja-vu-2',
  ]);
  expect((await running.send('GET', '/api/slugify/slugs/page/deja-vu-2')).body).toMatchObject({
    data: { id: 2, attributes: { title: 'Deja vu' } },
  });
  const query = `{ findSlug(modelName: "page", slug: "deja-vu") { ... on PageEntityResponse { data { id attributes { title } } } } }`;
  expect((await running.send('POST', '/graphql', { query })).body).toEqual({
    data: { findSlug: { data: { id: '1', attributes: { title: 'Déjà vu!' } } } },
  });
  fs.rmSync(path.dirname(path.dirname(slugify)), { recursive: true });
});
