import { describe, expect, test } from '@jest/globals';
import { useService } from '../support/service.js';

const client = useService();
const { get, create } = client;
const builder = '/api/content-type-builder';

/** What gatsby-source-strapi 3.3 asks, in its order: the package itself brings 147 others. */
describe('the requests of gatsby-source-strapi', () => {
  test('find the content types and components with their attributes', async () => {
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

  test('read collections in pages of 250, which are cut, until the last', async () => {
    for (let index = 0; index < 101; index += 1) await create('comments', { text: `Comment ${index}` });
    const seen: number[] = [];
    for (let page = 1, last = 1; page <= last; page += 1) {
      const { body } = await get(`/api/comments?pagination[pageSize]=250&pagination[page]=${page}&populate=*`);
      last = body.meta.pagination.pageCount;
      seen.push(...body.data.map(({ id }: { id: number }) => id));
    }
    expect(seen).toHaveLength(101);
    expect(new Set(seen).size).toBe(101);
  });

  test('read single types, and files by their addresses', async () => {
    await client.put('/api/setting', { siteName: 'Here' });
    expect((await get('/api/setting?populate=*')).body.data.attributes.siteName).toBe('Here');
    expect((await get('/api/upload/files?filters[url][$in][0]=/uploads/none.png')).body).toEqual([]);
  });
});

test('one type or component is read by its uid; another is not found', async () => {
  expect((await get(`${builder}/content-types/api::tag.tag`)).body.data).toMatchObject({ apiID: 'tag' });
  expect((await get(`${builder}/components/shared.seo`)).body.data).toMatchObject({ category: 'shared' });
  expect((await get(`${builder}/content-types/api::gone.gone`)).status).toBe(404);
  const singles = (await get(`${builder}/content-types?kind=singleType`)).body.data as { uid: string }[];
  expect(singles.map(({ uid }) => uid)).toEqual(['api::homepage.homepage', 'api::setting.setting']);
});

test('nobody sees them without the right to', async () => {
  expect((await fetch(`${client.service.url}${builder}/content-types`)).status).toBe(403);
  expect((await fetch(`${client.service.url}${builder}/components`)).status).toBe(403);
});
