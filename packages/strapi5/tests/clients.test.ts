import { beforeAll, describe, expect, test } from '@jest/globals';
import { useService } from '../../../tests/support/service.js';

/** Programs of others that speak Strapi 5's API, unchanged: they get another address. */
const { strapi } = require('@strapi/client');
const Strapi = require('strapi-sdk-js');
const { strapiLoader } = require('strapi-community-astro-loader');
const { fetchEntities, fetchEntity, fetchStrapiContentTypes } = require('gatsby-source-strapi/dist/fetch.js');
const { createAxiosInstance } = require('gatsby-source-strapi/dist/axios-instance.js');
const { getEndpoints } = require('gatsby-source-strapi/dist/helpers.js');

const client = useService({ plugins: { strapi5: true, i18n: { config: { locales: ['en', 'de'] } } } });

beforeAll(async () => {
  const author = await client.create('authors', { name: 'Ada' });
  const parts = { seo: { metaTitle: 'For sites' }, blocks: [{ __component: 'blocks.text', content: 'Long' }] };
  await client.create('articles', { title: 'Sourced', body: '# Rich', author, ...parts });
  await client.create('articles', { title: 'Prepared', publishedAt: null });
  await client.create('articles', { title: 'Nur deutsch', locale: 'de' });
  for (const name of ['Alpha', 'Beta', 'Gamma']) await client.create('tags', { name });
  await client.put('/api/setting', { siteName: 'Here' });
  const { entries } = client.service;
  const role = await entries.findFirst('plugin::users-permissions.role', { filters: { type: 'authenticated' } });
  const user = {
    username: 'ida',
    email: 'ida@example.org',
    password: 'a password',
    provider: 'local',
    confirmed: true,
  };
  await entries.create('plugin::users-permissions.user', { ...user, role: role?.id });
});

describe('@strapi/client 1.6', () => {
  const official = () => strapi({ baseURL: `${client.service.url}/v5/api`, auth: client.service.token });

  test('reads and writes collections by documentId', async () => {
    const tags = official().collection('tags');
    expect(await tags.find({ sort: 'name', pagination: { pageSize: 2 } })).toMatchObject({
      data: [{ name: 'Alpha' }, { name: 'Beta' }],
      meta: { pagination: { pageCount: 2 } },
    });
    const { data } = await tags.create({ name: 'By the client' });
    expect(await tags.findOne(data.documentId)).toMatchObject({ data: { name: 'By the client' } });
    expect(await tags.update(data.documentId, { color: 'green' })).toMatchObject({ data: { color: 'green' } });
    expect(await tags.delete(data.documentId)).toBeUndefined();
    await expect(tags.findOne(data.documentId)).rejects.toThrow('404');
  });

  test('reads drafts, languages and single types', async () => {
    const articles = official().collection('articles');
    const drafts = await articles.find({ status: 'draft', sort: 'title', fields: ['title', 'publishedAt'] });
    expect(drafts.data).toMatchObject([
      { title: 'Prepared', publishedAt: null },
      { title: 'Sourced', publishedAt: null },
    ]);
    expect((await articles.find({ locale: 'de' })).data).toMatchObject([{ title: 'Nur deutsch', locale: 'de' }]);
    expect(await official().single('setting').find()).toMatchObject({ data: { siteName: 'Here' } });
  });

  test('uploads files, and changes and deletes them', async () => {
    const { files } = official();
    const [uploaded] = await files.upload(new Blob(['hello'], { type: 'text/plain' }), {
      fileInfo: { name: 'hello.txt', alternativeText: 'a greeting' },
    });
    expect(await files.find()).toMatchObject([{ name: 'hello.txt', documentId: uploaded.documentId }]);
    expect(await files.update(uploaded.id, { caption: 'Said' })).toMatchObject({ caption: 'Said' });
    await files.delete(uploaded.id);
    expect(await files.find()).toEqual([]);
  });
});

describe('strapi-sdk-js 3', () => {
  // Outside of browsers it keeps no token, so that each request gets it as a header.
  const sdk = () =>
    new Strapi({
      url: client.service.url,
      prefix: '/v5/api',
      store: { key: 'jwt', useLocalStorage: false, cookieOptions: {} },
      axiosOptions: { headers: { Authorization: `Bearer ${client.service.token}` } },
    });

  test('finds, creates, updates and deletes', async () => {
    expect(await sdk().find('tags', { sort: ['name:desc'], filters: { name: { $ne: 'Beta' } } })).toMatchObject({
      data: [{ name: 'Gamma' }, { name: 'Alpha' }],
      meta: { pagination: { total: 2 } },
    });
    const { data } = await sdk().create('tags', { name: 'By the SDK' });
    expect(await sdk().findOne('tags', data.documentId)).toMatchObject({ data: { name: 'By the SDK' } });
    expect(await sdk().update('tags', data.documentId, { color: 'blue' })).toMatchObject({ data: { color: 'blue' } });
    await sdk().delete('tags', data.documentId);
    await expect(sdk().findOne('tags', data.documentId)).rejects.toMatchObject({ error: { status: 404 } });
  });

  test('logs in', async () => {
    const { user, jwt } = await sdk().login({ identifier: 'ida@example.org', password: 'a password' });
    expect([user.username, typeof user.documentId, typeof jwt]).toEqual(['ida', 'string', 'string']);
  });
});

describe('gatsby-source-strapi 5', () => {
  /** The entries of these types by name, as the plugin for Gatsby gets them. */
  async function source(config: {
    readonly collectionTypes?: readonly unknown[];
    readonly singleTypes?: readonly unknown[];
  }) {
    const failed: string[] = [];
    const strapiConfig = {
      apiURL: `${client.service.url}/v5`,
      accessToken: client.service.token,
      version: 5,
      ...config,
    };
    const axiosInstance = createAxiosInstance(strapiConfig);
    const { schemas } = await fetchStrapiContentTypes(axiosInstance);
    const reporter = { info: () => undefined, panic: (message: string) => void failed.push(message) };
    const context = { strapiConfig, axiosInstance, schemas, reporter };
    const entries: Record<string, any[]> = {}; // oxlint-disable-line typescript/no-explicit-any
    const endpoints = getEndpoints({ collectionTypes: [], singleTypes: [], ...config }, schemas);
    for (const { kind, ...endpoint } of endpoints) {
      const fetchAll = kind === 'singleType' ? fetchEntity : fetchEntities;
      entries[endpoint.singularName] = await fetchAll(endpoint, context);
    }
    expect(failed).toEqual([]);
    return entries;
  }

  test('sources collections with relations, components and zones, and single types', async () => {
    const { article, setting, homepage } = await source({
      collectionTypes: ['article'],
      singleTypes: ['setting', 'homepage'],
    });
    expect(article).toMatchObject([
      {
        title: 'Sourced',
        body: { data: '# Rich', medias: [] },
        author: { name: 'Ada' },
        seo: { metaTitle: 'For sites' },
        blocks: [{ strapi_component: 'blocks.text', content: { data: 'Long' } }],
      },
    ]);
    expect(setting).toMatchObject([{ siteName: 'Here' }]);
    // There is none, and that is no error.
    expect(homepage).toEqual([]);
  });

  test('sources drafts, and one language', async () => {
    const drafts = { singularName: 'article', queryParams: { publicationState: 'preview', populate: '*' } };
    expect((await source({ collectionTypes: [drafts] }))['article']?.map(({ title }) => title)).toEqual([
      'Sourced',
      'Prepared',
    ]);
    const german = { singularName: 'article', pluginOptions: { i18n: { locale: 'de' } } };
    expect((await source({ collectionTypes: [german] }))['article']).toMatchObject([{ title: 'Nur deutsch' }]);
  });
});

test('strapi-community-astro-loader 4 stores every page by documentId', async () => {
  const stored = new Map<string, { readonly data: { readonly name: string } }>();
  const loader = strapiLoader({
    contentType: 'tag',
    clientConfig: { baseURL: `${client.service.url}/v5/api`, auth: client.service.token },
    pageSize: 2,
    params: { sort: 'name' },
  });
  await loader.load({
    store: { set: ({ id, data }: { id: string; data: { name: string } }) => stored.set(id, { data }) },
    meta: new Map(),
    logger: { info: () => undefined, debug: () => undefined },
    generateDigest: (data: unknown) => JSON.stringify(data),
    parseData: async ({ data }: { data: unknown }) => data,
  });
  expect([...stored.values()].map(({ data }) => data.name)).toEqual(['Alpha', 'Beta', 'Gamma']);
  expect([...stored.keys()].every((id) => /^[a-z][a-z\d]{23}$/.test(id))).toBe(true);
});
