import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiFiles, openProjectFolder, type RunningProject } from './project-folder.js';

/** Localizations of a project of Strapi v4 whose code is what its generator writes: no code takes part in them. */

const localized = (name: string, kind: string, routes: object = {}): Readonly<Record<string, string>> => {
  const attributes = { title: { type: 'string', pluginOptions: { i18n: { localized: true } } } };
  const [schema, ...others] = Object.entries(apiFiles(name, attributes));
  const [file = '', text = '{}'] = schema ?? [];
  const definition = { ...JSON.parse(text), kind, pluginOptions: { i18n: { localized: true } } } as object;
  return { ...Object.fromEntries(others), [file]: JSON.stringify(definition), ...routes };
};
const actions = (name: string): readonly string[] => {
  const ofKind = ['home', 'wrapped'].includes(name) ? ['find', 'update'] : ['find', 'findOne', 'create', 'update'];
  return [...ofKind, 'createLocalization'].map((action) => `api::${name}.${name}.${action}`);
};

let project: RunningProject;
beforeAll(async () => {
  project = await openProjectFolder({
    ...localized('loc', 'collectionType'),
    ...localized('home', 'singleType'),
    ...localized('wrapped', 'singleType', {
      'src/api/wrapped/controllers/wrapped.js': `module.exports = require('@strapi/strapi').factories.createCoreController('api::wrapped.wrapped',
        () => ({ find(ctx) { return super.find(ctx); } }));`,
    }),
    ...localized('page', 'collectionType', {
      'src/api/page/routes/own.js': `module.exports = { routes: [
        { method: 'POST', path: '/pages/:id/translate', handler: 'page.createLocalization', config: { auth: false } }] };`,
    }),
    ...localized('own', 'collectionType', {
      'src/api/own/controllers/own.js': `module.exports = require('@strapi/strapi').factories.createCoreController('api::own.own',
        () => ({ createLocalization: (ctx) => { ctx.body = { mine: true }; } }));`,
    }),
    'src/api/own/routes/call.js': `module.exports = { routes: [{ method: 'POST', path: '/call', config: { auth: false },
      handler: async (ctx) => {
        const { createCreateLocalizationHandler } = strapi.plugin('i18n').service('core-api');
        ctx.body = await createCreateLocalizationHandler(strapi.contentType('api::own.own'))(ctx.request.body);
      } }] };`,
    'config/plugins.js': `module.exports = { graphql: { enabled: true }, strapi5: { enabled: true },
      i18n: { config: { locales: ['en', 'fr', 'de'], defaultLocale: 'en' } } };`,
    'access.json': JSON.stringify({
      roles: { public: { permissions: ['loc', 'home', 'wrapped', 'page', 'own'].flatMap(actions) } },
    }),
  });
});
afterAll(async () => project.stop());

const create = async (name: string): Promise<{ readonly id: number; readonly documentId: string }> => {
  const { body } = await project.send('POST', `/v5/api/${name}`, { data: { title: 'first' } });
  return body.data;
};

test('in the format of Strapi 5 a PUT creates one', async () => {
  const { documentId } = await create('locs');
  const put = (locale: string) =>
    project.send('PUT', `/v5/api/locs/${documentId}?locale=${locale}`, { data: { title: `in ${locale}` } });
  expect(await put('fr')).toMatchObject({ status: 200, body: { data: { documentId, locale: 'fr', title: 'in fr' } } });
  expect((await project.send('GET', `/v5/api/locs/${documentId}?locale=fr`)).body.data.title).toBe('in fr');
});

test('in the format of Strapi 5 a single type has one, too', async () => {
  const put = (locale: string) => project.send('PUT', `/v5/api/home?locale=${locale}`, { data: { title: locale } });
  for (const locale of ['en', 'fr'])
    expect(await put(locale)).toMatchObject({ status: 200, body: { data: { locale, title: locale } } });
});

test('all of a single type are a list, also to code that only calls the core', async () => {
  for (const locale of ['en', 'fr'])
    for (const name of ['home', 'wrapped'])
      await project.send('PUT', `/v5/api/${name}?locale=${locale}`, { data: { title: locale } });
  const [plain, wrapped] = await Promise.all(
    ['/api/home', '/api/wrapped'].map((path) => project.send('GET', `${path}?locale=all&fields=locale`)),
  );
  expect(plain?.body).toMatchObject({ data: [{ attributes: { locale: 'en' } }, { attributes: { locale: 'fr' } }] });
  expect(wrapped).toEqual(plain);
});

test('GraphQL in the format of Strapi 5 creates one', async () => {
  const { documentId } = await create('locs');
  const query = `mutation { updateLoc(documentId: "${documentId}", locale: "de", data: { title: "vier" }) { locale title } }`;
  const { body } = await project.send('POST', '/v5/graphql', { query });
  expect(body).toEqual({ data: { updateLoc: { locale: 'de', title: 'vier' } } });
});

test('the routes of Strapi v4 create one: that of i18n, and one of the project that names the action', async () => {
  for (const path of ['/api/locs/:id/localizations', '/api/pages/:id/localizations', '/api/pages/:id/translate']) {
    const { id } = await create(path.split('/')[2] ?? '');
    const sent = { locale: 'fr', title: 'deux' };
    const { status, body } = await project.send('POST', path.replace(':id', String(id)), sent);
    expect([path, status, body.locale, body.title]).toEqual([path, 200, 'fr', 'deux']);
  }
});

test('an action of the project stays in its place, and nothing bypasses it', async () => {
  const { id, documentId } = await create('owns');
  expect((await project.send('POST', `/api/owns/${id}/localizations`, { locale: 'fr' })).body).toEqual({ mine: true });
  const put = await project.send('PUT', `/v5/api/owns/${documentId}?locale=fr`, { data: { title: 'no' } });
  expect([put.status, JSON.stringify(put.body)]).toEqual([400, expect.stringContaining('Code of the project')]);
});

test('code creates one by the service core-api of i18n', async () => {
  const { body: created } = await project.send('POST', '/api/owns', { data: { title: 'first' } });
  const { id } = created.data as { readonly id: number };
  const call = (data: object) => project.send('POST', '/api/call', { id, data });
  expect(await call({ title: 'own', locale: 'fr', localizations: [] })).toMatchObject({
    status: 200,
    body: { title: 'own', locale: 'fr', localizations: [{ id, locale: 'en' }] },
  });
  const { body } = await project.send('GET', `/api/owns/${id}?populate=localizations`);
  expect(body.data.attributes.localizations.data).toMatchObject([{ attributes: { locale: 'fr' } }]);
  for (const [data, message] of [
    [{ title: 'again', locale: 'fr' }, 'locale is already used'],
    [{ title: 'none' }, 'locale is missing'],
    [{ title: 'unknown', locale: 'xx' }, 'locale is invalid'],
  ] as const)
    expect((await call(data)).body.error.message).toBe(message);
});
