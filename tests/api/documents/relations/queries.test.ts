import { beforeAll, describe, expect, test } from '@jest/globals';
import { useService } from '../../../support/service.js';

const { get, create } = useService();
const ids: Record<string, number> = {};

beforeAll(async () => {
  const [ada, ben] = [await create('authors', { name: 'Ada' }), await create('authors', { name: 'Ben' })];
  const [red, blue] = [await create('tags', { name: 'Red' }), await create('tags', { name: 'Blue' })];
  const [art, bio] = [await create('categories', { name: 'Art' }), await create('categories', { name: 'Bio' })];
  Object.assign(ids, { ada, ben, red, blue });
  await create('articles', { title: 'One', author: ben, category: bio, tags: [red, blue], links: [{ label: 'x' }] });
  await create('articles', {
    title: 'Two',
    author: ada,
    category: art,
    tags: [red],
    links: [{ label: 'a' }, { label: 'z' }],
  });
  await create('articles', { title: 'Three', author: ada, category: bio, tags: [] });
});

const titles = async (query: string): Promise<readonly string[]> => {
  const { status, body } = await get(`/api/articles?${query}`);
  expect(status).toBe(200);
  return body.data.map((entry: { attributes: { title: string } }) => entry.attributes.title);
};

test('a filter through a relation and back applies both conditions', async () => {
  const { body } = await get('/api/authors?filters[articles][author][name]=Ada');
  expect(body.data.map(({ id }: { id: number }) => id)).toEqual([ids['ada']]);
  const none = await get('/api/authors?filters[articles][author][name]=Nobody');
  expect(none.body.data).toEqual([]);
});

describe('a sort', () => {
  test.each([
    ['author.name,category.name', ['Two', 'Three', 'One']],
    ['category.name,author.name:desc', ['Two', 'One', 'Three']],
    ['author.name:desc,title', ['One', 'Three', 'Two']],
    ['tags.name,title', ['Three', 'One', 'Two']],
    ['tags.name:desc,title:desc', ['Two', 'One', 'Three']],
    ['links.label,tags.name', ['Three', 'Two', 'One']],
    ['links.label:desc,tags.name', ['Two', 'One', 'Three']],
    ['seo.shareImage.name,author.name', ['Two', 'Three', 'One']],
  ])('by %s accepts relations and lists together', async (sort, expected) => {
    expect(await titles(`sort=${sort}`)).toEqual(expected);
  });

  const fields = 'title slug body summary kind rating views bignum score featured publishOn airTime startsAt ts'.split(
    ' ',
  );
  const more = 'contactEmail meta code ref createdAt updatedAt publishedAt seo.metaTitle seo.metaDescription'.split(
    ' ',
  );
  const rest = 'seo.noIndex seo.openGraph.ogTitle seo.openGraph.ogType seo.openGraph.id seo.id links.url id'.split(' ');
  const keys = [...fields, ...more, ...rest];

  test.each([
    ['of a list', (sort: string) => `/api/articles?sort=${sort}`],
    ['of a relation', (sort: string) => `/api/authors?populate[articles][sort]=${sort}`],
    [
      'of a relation that is limited',
      (sort: string) => `/api/authors?populate[articles][limit]=1&populate[articles][sort]=${sort}`,
    ],
  ])('%s accepts at most 30 keys', async (_, path) => {
    expect(keys).toHaveLength(30);
    expect((await get(path(keys.join()))).status).toBe(200);
    const { status, body } = await get(path([...keys, 'author.name'].join()));
    expect({ status, message: body.error.message }).toEqual({
      status: 400,
      message: 'The query asks for too much: at most 30 sort keys',
    });
  });
});

test.each([
  ['/api/articles', `populate=${'related.'.repeat(1000)}author`],
  ['/api/categories', `populate=${'parent.'.repeat(1000)}parent`],
  ['/api/articles', `sort=${'related.'.repeat(1000)}title`],
  ['/api/articles', Array.from({ length: 51 }, (_, index) => `filters[$or][${index}][tags][name]=${index}`).join('&')],
])('%s refuses queries that cost too much', async (path, query) => {
  const { status, body } = await get(`${path}?${query}`);
  expect(status).toBe(400);
  expect(body.error.message).toMatch(/^The query asks for too much: at most \d+ /);
});
