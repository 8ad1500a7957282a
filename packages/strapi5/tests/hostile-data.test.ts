import { beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { useService } from '../../../tests/support/service.js';

/**
 * Values of all kinds where data names related entries, components and morphs: each is stored, or refused with its
 * reason.
 */
const client = useService({ plugins: { strapi5: true } });

const odd: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  '',
  ' ',
  '1x',
  '-1',
  'a',
  '__proto__',
  [],
  [[]],
  [null],
  [[1]],
  {},
  { id: null },
  { id: {} },
  { id: 'a' },
  { documentId: null },
  { documentId: {} },
  { documentId: [] },
  { documentId: 5 },
  { documentId: { toString: 1, valueOf: 1 } },
  { connect: [{ documentId: [{ toString: 1 }], position: { before: { documentId: { toString: 1 } } } }] },
  { __type: { toString: 1 }, documentId: 'a' },
  [{ __type: 'api::tag.tag', documentId: { toString: 1 } }],
  { documentId: 'a', locale: {} },
  { set: null },
  { set: 'a' },
  { set: {} },
  { set: [null] },
  { connect: null },
  { connect: {} },
  { connect: [[]] },
  { connect: [{}] },
  { disconnect: 'a' },
  { connect: [{ id: 1, position: null }] },
  { connect: [{ id: 1, position: { before: {} } }] },
  { connect: [{ id: 1, position: { after: 'a' } }] },
  { connect: [{ id: 1, position: 'start' }] },
  { __type: 'api::tag.tag' },
  { __type: {}, id: 1 },
  { __type: 'nope', documentId: 'a' },
  [{ __type: 'api::tag.tag', documentId: {} }],
  { __component: 'blocks.text' },
  [{ __component: {} }],
  [{ __component: 'blocks.quote', source: {} }],
  [{ id: 'x', label: {} }],
  Array.from({ length: 3 }, () => 'a'),
  JSON.parse('{"__proto__":{"id":1}}'),
  { constructor: 1 },
  { options: { strict: {} } },
];
const places: readonly (readonly [path: string, data: object, name: string])[] = [
  ['articles', { title: 'x' }, 'author'],
  ['articles', { title: 'x' }, 'tags'],
  ['articles', { title: 'x' }, 'seoCard'],
  ['articles', { title: 'x' }, 'gallery'],
  ['articles', { title: 'x' }, 'cover'],
  ['articles', { title: 'x' }, 'links'],
  ['articles', { title: 'x' }, 'seo'],
  ['articles', { title: 'x' }, 'blocks'],
  ['bookmarks', { label: 'x' }, 'items'],
  ['comments', { text: 'x' }, 'subject'],
];

let documentId: string;
const send = async (method: 'post' | 'put', path: string, body: unknown) => {
  const { [method]: open } = request(client.service.url);
  return open(`/v5/api/${path}`)
    .auth(client.service.token, { type: 'bearer' })
    .send(body as object);
};
beforeAll(async () => {
  await client.create('tags', { name: 'One' });
  documentId = (await send('post', 'articles', { data: { title: 'x' } })).body.data.documentId as string;
});

test.each(places)('%s %j %s', async (path, data, name) => {
  const failed: unknown[] = [];
  for (const value of odd) {
    const body = { data: { ...data, [name]: value } };
    const answers = [await send('post', path, body)];
    if (path === 'articles') answers.push(await send('put', `articles/${documentId}?status=draft`, body));
    for (const { status, body: answer } of answers)
      if (![200, 201, 400].includes(status)) failed.push([value, status, answer]);
  }
  expect(failed).toEqual([]);
});

test('bodies of other forms are refused', async () => {
  for (const body of [
    [],
    { data: null },
    { data: 1 },
    { data: [[]] },
    { data: [1] },
    {},
    { data: { data: {} } },
    { data: { title: {} } },
  ])
    for (const path of ['articles', 'articles?status=draft', 'tags'])
      expect([body, (await send('post', path, body)).status]).toEqual([body, 400]);
});
