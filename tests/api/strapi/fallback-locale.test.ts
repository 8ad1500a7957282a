import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProjectFolder, type RunningProject } from './project-folder.js';

const factory = (name: string, what: string, options = ''): string =>
  `module.exports = require('@strapi/strapi').factories.createCore${what}('api::${name}.${name}'${options});`;
const localized = { i18n: { localized: true } };

/** A localized content type, with the code of a new Strapi project unless some of it is replaced. */
const api = (name: string, code: { router?: string; controller?: string; service?: string } = {}) => ({
  [`src/api/${name}/content-types/${name}/schema.json`]: JSON.stringify({
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: false },
    pluginOptions: localized,
    attributes: { slug: { type: 'uid', pluginOptions: localized } },
  }),
  [`src/api/${name}/routes/${name}.js`]: factory(name, 'Router', code.router),
  [`src/api/${name}/controllers/${name}.js`]: factory(name, 'Controller', code.controller),
  [`src/api/${name}/services/${name}.js`]: factory(name, 'Service', code.service),
});

const names = ['plain', 'guard', 'caller', 'reader', 'served', 'watched'];
const permissions = names.flatMap((name) => ['find', 'findOne'].map((action) => `api::${name}.${name}.${action}`));
const files = {
  ...api('plain'),
  ...api('guard', { router: `, { config: { findOne: { policies: ['global::french'] } } }` }),
  ...api('caller', {
    controller: `, () => ({ async findOne(ctx) { return { own: (await super.findOne(ctx)).data.attributes.slug }; } })`,
  }),
  ...api('reader', { controller: `, () => ({ findOne: (ctx) => { ctx.body = { own: ctx.query.fallbackLocale }; } })` }),
  ...api('served', { service: `, () => ({ findOne: async () => ({ id: 1, slug: 'own' }) })` }),
  ...api('watched'),
  'src/api/watched/content-types/watched/lifecycles.js': 'module.exports = { afterFindOne: ({ result }) => result };',
  'src/policies/french.js': `module.exports = ({ request }) => request.query.locale === 'fr';`,
  'src/index.js': `module.exports = {
    register: ({ strapi }) => strapi.plugin('graphql').service('extension').use({
      resolversConfig: { 'Query.guard': { auth: false, policies: [({ args }) => args.id !== '1'] } },
    }),
    async bootstrap({ strapi }) {
    for (const name of ${JSON.stringify(names)}) {
      const create = (data) => strapi.entityService.create('api::' + name + '.' + name, { data });
      const { id } = await create({ slug: 'bread', locale: 'en' });
      await create({ slug: 'pain', locale: 'fr', localizations: [id] });
      await create({ slug: 'salt', locale: 'en' });
    }
    const seen = [];
    strapi.db.lifecycles.subscribe({
      models: ['api::watched.watched'],
      beforeCreate: ({ params: { data } }) => seen.push(data.locale),
      beforeUpdate: ({ params: { data } }) => seen.push(Object.keys(data)),
    });
    const { id } = await strapi.entityService.create('api::watched.watched', { data: { slug: 'oil' } });
    await strapi.entityService.update('api::watched.watched', id, { data: { slug: 'ale', locale: 'fr', localizations: [1] } });
    await strapi.entityService.delete('api::watched.watched', id);
    strapi.server.router.get('/seen', (ctx) => { ctx.body = { seen }; });
  } };`,
  'config/plugins.js': `module.exports = {
    graphql: { config: { requestOptions: true } },
    i18n: { config: { defaultLocale: 'en', locales: ['en', 'fr'] } },
  };`,
  'access.json': JSON.stringify({ roles: { public: { permissions } } }),
};

let project: RunningProject;
beforeAll(async () => {
  project = await openProjectFolder(files);
});
afterAll(() => project.stop());

/** What the response to a read of one entry shows: its key, the result of own code, or the status with the message. */
async function read(place: string): Promise<unknown> {
  const { status, body } = await project.send('GET', place);
  if (status !== 200) return status === 400 ? body.error.message : status;
  return body.data?.attributes.slug ?? body;
}

const refused = 'fallbackLocale is not supported here: code of the project reads these entries';
const decided =
  'fallbackLocale is not supported here: code of the project decides about the entry that the address names';
const french = 'locale=fr&fallbackLocale=en';

test.each([
  ['plains', 'pain', 'salt', 'pain'],
  // Where a policy decides about entries, the one that it was asked about is answered, and none is read by a key.
  ['guards', decided, decided, 404],
  ['callers', decided, decided, 404],
  // Own code sees the parameter.
  ['readers', { own: 'en' }, { own: 'en' }, 404],
  ['serveds', refused, refused, 404],
  ['watcheds', refused, refused, 404],
])('one of the %s is in the first locale, or the code of the project decides', async (plural, group, single, byKey) => {
  expect([
    await read(`/api/${plural}/1?${french}`),
    await read(`/api/${plural}/3?${french}`),
    await read(`/api/${plural}/by/slug/bread?${french}`),
  ]).toEqual([group, single, byKey]);
});

test('a policy refuses such a read as any other', async () => {
  expect(await read('/api/guards/1?locale=en&fallbackLocale=fr')).toBe(403);
});

/** The key of an entry over GraphQL, or the message of the error. */
async function ask(field: string, args: string): Promise<unknown> {
  const query = `{ entry: ${field}(${args}) { data { attributes { slug } } } }`;
  const { data, errors } = (await project.send('POST', '/graphql', { query })).body;
  return errors?.[0].message ?? data.entry.data.attributes.slug;
}

test('over GraphQL the arguments are refused where code observes the type', async () => {
  const [fallback, key] = ['id: 1, locale: "fr", fallbackLocale: ["en"]', 'by: { slug: "bread" }'];
  expect([await ask('plain', fallback), await ask('plain', key)]).toEqual(['pain', 'bread']);
  const observed = 'is not supported here: code of the project observes api::watched.watched';
  expect([await ask('watched', fallback), await ask('watched', key)]).toEqual([
    `fallbackLocale ${observed}`,
    `by ${observed}`,
  ]);
});

test('over GraphQL a policy is asked about the entry that is answered', async () => {
  const reason = 'is not supported here: code of the project decides about the entry that the id names';
  expect(await ask('guard', 'id: 2')).toBe('pain');
  expect(await ask('guard', 'id: 1')).toBe('Policy Failed');
  expect([
    await ask('guard', 'id: 2, locale: "en", fallbackLocale: ["fr"]'),
    await ask('guard', 'by: { slug: "bread" }'),
  ]).toEqual([`fallbackLocale ${reason}`, `by ${reason}`]);
});

test('lifecycles see the locale of a new entry, and not one that an update cannot set', async () => {
  const [locale, changed] = (await project.send('GET', '/seen')).body.seen;
  expect(locale).toBe('en');
  expect(changed).not.toContain('locale');
  expect(changed).not.toContain('localizations');
});
