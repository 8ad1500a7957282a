import { describe, expect, test } from '@jest/globals';
import { useService } from '../support/service.js';

// Its fetch layer: what it needs of Gatsby beside that is left out by the package's overrides.
const { fetchEntities, fetchEntity, fetchStrapiContentTypes } = require('gatsby-source-strapi/dist/fetch.js');
const { createAxiosInstance } = require('gatsby-source-strapi/dist/axios-instance.js');
const { getEndpoints } = require('gatsby-source-strapi/dist/helpers.js');

const client = useService({ plugins: { i18n: { config: { locales: ['en', 'de'] } } } });
const { get, create } = client;
const builder = '/api/content-type-builder';

/** The result of the plugin for Gatsby: the schemas, and the entries of these types by name. */
async function source(config: { collectionTypes?: readonly unknown[]; singleTypes?: readonly unknown[] }) {
  const failed: string[] = [];
  const strapiConfig = { apiURL: client.service.url, accessToken: client.service.token, ...config };
  const axiosInstance = createAxiosInstance(strapiConfig);
  const { schemas } = await fetchStrapiContentTypes(axiosInstance);
  const reporter = { info: () => undefined, panic: (message: string) => void failed.push(message) };
  const context = { strapiConfig, axiosInstance, schemas, reporter };
  const entries: Record<string, any[]> = {}; // oxlint-disable-line typescript/no-explicit-any
  for (const { kind, ...endpoint } of getEndpoints({ collectionTypes: [], singleTypes: [], ...config }, schemas)) {
    const fetchAll = kind === 'singleType' ? fetchEntity : fetchEntities;
    entries[endpoint.singularName] = await fetchAll(endpoint, context);
  }
  expect(failed).toEqual([]);
  return entries;
}

describe('gatsby-source-strapi 3.3', () => {
  test('sources whole collections, page by page, with relations, components and zones', async () => {
    for (let index = 0; index < 201; index += 1) await create('comments', { text: `Comment ${index}` });
    const author = await create('authors', { name: 'Ada' });
    const parts = {
      seo: { metaTitle: 'For Gatsby' },
      links: [{ label: 'Here', url: '/' }],
      blocks: [{ __component: 'blocks.text', heading: 'Chapter', content: 'Long' }],
    };
    const id = await create('articles', { title: 'Sourced', body: '# Rich', author, ...parts });
    const { comment, article, author: authors } = await source({ collectionTypes: ['comment', 'article', 'author'] });
    expect(new Set(comment?.map((entry) => entry.id)).size).toBe(201);
    expect(authors).toMatchObject([{ id: author, name: 'Ada' }]);
    expect(article).toMatchObject([
      {
        id,
        title: 'Sourced',
        body: { data: '# Rich', medias: [] },
        author: { id: author, name: 'Ada' },
        seo: { metaTitle: 'For Gatsby' },
        links: [{ label: 'Here' }],
        blocks: [{ strapi_component: 'blocks.text', heading: 'Chapter', content: { data: 'Long' } }],
      },
    ]);
  });

  test('sources one locale, with filters of its own, and single types', async () => {
    const id = await create('articles', { title: 'Nur deutsch', locale: 'de' });
    await client.put('/api/setting', { siteName: 'Here' });
    const queryParams = { filters: { title: { $containsi: 'DEUTSCH' } }, populate: { author: { fields: ['name'] } } };
    const german = { singularName: 'article', queryParams, pluginOptions: { i18n: { locale: 'de' } } };
    const { article, setting, homepage } = await source({
      collectionTypes: [german],
      singleTypes: ['setting', 'homepage'],
    });
    expect(article).toMatchObject([{ id, title: 'Nur deutsch', locale: 'de' }]);
    expect(setting).toMatchObject([{ siteName: 'Here' }]);
    // There is none, and that is no error.
    expect(homepage).toEqual([]);
  });
});

test('content types and components are read with their attributes', async () => {
  const { body } = await get(`${builder}/content-types`);
  const types = body.data as { uid: string; apiID: string; schema: Record<string, any> }[]; // oxlint-disable-line typescript/no-explicit-any
  const article = types.find(({ uid }) => uid === 'api::article.article');
  expect(article).toMatchObject({
    apiID: 'article',
    schema: {
      kind: 'collectionType',
      singularName: 'article',
      pluralName: 'articles',
      draftAndPublish: true,
      collectionName: 'articles',
      pluginOptions: { i18n: { localized: true } },
      attributes: {
        title: { type: 'string', required: true, maxLength: 120 },
        cover: { type: 'media', multiple: false, allowedTypes: ['images'] },
        author: {
          type: 'relation',
          relation: 'manyToOne',
          target: 'api::author.author',
          targetAttribute: 'articles',
        },
        seo: { type: 'component', repeatable: false, component: 'shared.seo' },
        blocks: { type: 'dynamiczone', components: ['blocks.text', 'blocks.quote', 'blocks.promo', 'blocks.media'] },
      },
    },
  });
  expect(Object.keys(article?.schema['attributes'])).not.toContain('createdAt');
  const components = (await get(`${builder}/components`)).body.data as { uid: string }[];
  expect(components.find(({ uid }) => uid === 'shared.link')).toMatchObject({
    category: 'shared',
    apiId: 'link',
    schema: { displayName: 'Link', attributes: { label: { type: 'string', required: true } } },
  });
});

test('a content type or component is read by its uid; an unknown one returns 404', async () => {
  expect((await get(`${builder}/content-types/api::tag.tag`)).body.data).toMatchObject({ apiID: 'tag' });
  expect((await get(`${builder}/components/shared.seo`)).body.data).toMatchObject({ category: 'shared' });
  expect((await get(`${builder}/content-types/api::gone.gone`)).status).toBe(404);
  const singles = (await get(`${builder}/content-types?kind=singleType`)).body.data as { uid: string }[];
  expect(singles.map(({ uid }) => uid)).toEqual(['api::homepage.homepage', 'api::setting.setting']);
});

test('content types are returned only with permission', async () => {
  expect((await fetch(`${client.service.url}${builder}/content-types`)).status).toBe(403);
  expect((await fetch(`${client.service.url}${builder}/components`)).status).toBe(403);
});
