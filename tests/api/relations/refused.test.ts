import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { useService } from '../../support/service.js';
import { createMany } from './related.js';

const client = useService();
const { create, post, put } = client;
let tags: readonly number[] = [];
let article = 0;

beforeAll(async () => {
  tags = await createMany(client, 'tags', 2, (index) => ({ name: `Tag ${index}` }));
  const author = await create('authors', { name: 'Ada' });
  article = await create('articles', { title: 'Kept', tags, author });
});

/** All that is stored, but for counters, which may have gaps. */
async function everything(): Promise<Document> {
  const { db } = client.service.database;
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const names = collections.map(({ name }) => name).filter((name) => name !== '_counters' && name !== '_versions');
  const found = names
    .toSorted()
    .map(async (name) => [name, await db.collection(name).find().sort({ _id: 1 }).toArray()]);
  return Object.fromEntries(await Promise.all(found));
}

const missing = (type: string, uid: string): string =>
  `1 relation(s) of type ${type}::${uid} associated with this entity do not exist`;

describe.each([
  ['a relation to an entry that is not there', { tags: [999_999] }, missing('api', 'tag.tag')],
  ['a set of one', { tags: { set: [999_999] } }, missing('api', 'tag.tag')],
  ['a connect of one', { tags: { connect: [999_999] } }, missing('api', 'tag.tag')],
  ['a relation to one', { author: 999_999 }, missing('api', 'author.author')],
  ['an id that is none', { author: 'abc' }, missing('api', 'author.author')],
  ['the id 0', { author: 0 }, missing('api', 'author.author')],
  ['a relation without another side', { related: [999_999] }, missing('api', 'article.article')],
  ['a file', { cover: 999_999 }, missing('plugin', 'upload.file')],
  ['a file in a component', { seo: { metaTitle: 'x', shareImage: 999_999 } }, missing('plugin', 'upload.file')],
  [
    'a relation in a zone',
    { blocks: [{ __component: 'blocks.quote', text: 'x', source: 999_999 }] },
    missing('api', 'author.author'),
  ],
  ['a list of what is no relation', { tags: [{ name: 'x' }] }, 'Invalid relations'],
  ['a list with null', { tags: [null] }, 'Invalid relations'],
  ['a connect that is no list', { tags: { connect: 1 } }, 'Invalid relations'],
  ['a connect of a text', { tags: { connect: 'x' } }, 'Invalid relations'],
])('%s', (_, data, message) => {
  test.each([
    ['create', () => post('/api/articles', { title: 'Refused', ...data })],
    ['update', () => put(`/api/articles/${article}`, { title: 'Refused', tags: [], ...data })],
  ])('is refused in a %s, which changes nothing', async (_, send) => {
    const before = await everything();
    const { status, body } = await send();
    expect({ status, message: body.error.message }).toEqual({ status: 400, message });
    expect(await everything()).toEqual(before);
  });
});

test('one of several that is not there is counted alone, and the others are not linked', async () => {
  const before = await everything();
  const { body } = await put(`/api/articles/${article}`, { tags: [...tags, 999_998, 999_999] });
  expect(body.error.message).toBe('2 relation(s) of type api::tag.tag associated with this entity do not exist');
  expect(await everything()).toEqual(before);
});

describe.each([
  ['tags', { articles: [999_999] }, missing('api', 'article.article')],
  ['tags', { articles: { connect: [{ id: 999_999 }] } }, missing('api', 'article.article')],
  ['seo-cards', { article: 999_999 }, missing('api', 'article.article')],
])('from the other side of %s %j', (collection, data, message) => {
  test('is refused, and changes nothing', async () => {
    const before = await everything();
    const { status, body } = await post(`/api/${collection}`, { name: 'Refused', headline: 'Refused', ...data });
    expect({ status, message: body.error.message }).toEqual({ status: 400, message });
    expect(await everything()).toEqual(before);
  });
});

test('a place beside one that is not linked is refused together with all else, on both sides', async () => {
  const card = await create('seo-cards', { headline: 'Card', article });
  const before = await everything();
  const { status, body } = await put(`/api/articles/${article}`, {
    title: 'Refused',
    seoCard: null,
    tags: { connect: [{ id: tags[0], position: { after: 4711 } }], disconnect: [tags[1]] },
  });
  expect(status).toBe(400);
  expect(body.error).toMatchObject({
    name: 'ValidationError',
    message:
      `There was a problem connecting relation with id ${tags[0]} at position {"after":4711}. ` +
      'The relation with id 4711 needs to be connected first.',
  });
  expect(await everything()).toEqual(before);
  expect(card).toBeGreaterThan(0);
});

test('a write to an entry that is not there takes nothing away from others', async () => {
  const card = await create('seo-cards', { headline: 'Other card' });
  await put(`/api/articles/${article}`, { seoCard: card });
  const before = await everything();
  expect((await put('/api/articles/999999', { seoCard: card })).status).toBe(404);
  expect((await put('/api/tags/999999', { articles: [article] })).status).toBe(404);
  expect(await everything()).toEqual(before);
});

test('a write that a unique value stops takes nothing away from others', async () => {
  await create('articles', { title: 'Coded', code: 'taken' });
  const card = await create('seo-cards', { headline: 'Third card', article });
  const before = await everything();
  const { status, body } = await post('/api/articles', { title: 'Refused', code: 'taken', seoCard: card });
  expect({ status, message: body.error.message }).toEqual({ status: 400, message: 'This attribute must be unique' });
  expect(await everything()).toEqual(before);
});
