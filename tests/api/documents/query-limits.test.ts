import { describe, expect, test } from '@jest/globals';
import { useService } from '../../support/service.js';

const { get, create } = useService();

describe('a sort', () => {
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

test('a read of circular relations succeeds up to a number of entries', async () => {
  const author = await create('authors', { name: 'Ada' });
  for (const title of ['One', 'Two', 'Three']) await create('articles', { title, author });
  const circle = (levels: number) => `populate${'[articles][populate][author][populate]'.repeat(levels)}=tags`;
  expect((await get(`/api/authors?${circle(4)}`)).status).toBe(200);
  const { status, body } = await get(`/api/authors?${circle(80)}`);
  expect({ status, message: body.error.message }).toEqual({
    status: 400,
    message: 'The query asks for too much: at most 50000 entries in one response',
  });
});
