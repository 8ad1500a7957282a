import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare, keyOf } from '../../../support/access.js';
import { useService, type Answer } from '../../../support/service.js';
import { upload } from './media.js';

const contentTypes = fs.mkdtempSync(path.join(os.tmpdir(), 'content-types-'));
const write = (name: string, definition: object): void => {
  fs.mkdirSync(path.dirname(path.join(contentTypes, name)), { recursive: true });
  fs.writeFileSync(path.join(contentTypes, name), JSON.stringify(definition));
};
const file = { type: 'media', multiple: false };
write('story.json', {
  kind: 'collectionType',
  collectionName: 'stories',
  info: { singularName: 'story', pluralName: 'stories', displayName: 'Story' },
  options: { draftAndPublish: true, workingCopies: true, trash: 30 },
  attributes: {
    title: { type: 'string' },
    body: { type: 'richtext' },
    text: { type: 'blocks' },
    data: { type: 'json' },
    secret: { type: 'text', private: true },
    cover: file,
    gallery: { type: 'media', multiple: true },
    attachment: { type: 'relation', relation: 'manyToOne', target: 'plugin::upload.file' },
    parts: { type: 'component', repeatable: true, component: 'page.part' },
    zone: { type: 'dynamiczone', components: ['page.part', 'page.note'] },
  },
});
const note = { text: { type: 'richtext' }, image: file };
write('components/page/note.json', { collectionName: 'notes', info: { displayName: 'Note' }, attributes: note });
write('components/page/part.json', {
  collectionName: 'parts',
  info: { displayName: 'Part' },
  attributes: { notes: { type: 'component', repeatable: true, component: 'page.note' }, heading: { type: 'string' } },
});
afterAll(() => fs.rmSync(contentTypes, { recursive: true }));

const client = useService({ contentTypes, plugins: { upload: { config: { folders: true } } } });
const { create } = client;

interface File {
  readonly id: number;
  readonly url: string;
  readonly hash: string;
}

const files = async (query: string, token = client.service.token): Promise<Answer> =>
  request(client.service.url).get(`/api/upload/files?${query}`).auth(token, { type: 'bearer' });
const namesOf = async (query: string): Promise<readonly string[]> =>
  (await files(`${query}&sort=name`)).body.map(({ name }: { readonly name: string }) => name.replace('.txt', ''));
let uploaded = 0;
const add = async (name: string): Promise<File> => {
  const [stored] = await upload(client.service, { name: `${name}.txt`, content: String(uploaded++) });
  return stored;
};

beforeAll(() =>
  declare(
    client.service,
    {},
    {
      readers: ['plugin::upload.content-api.find'],
      editors: ['find', 'destroy'].map((action) => `plugin::upload.content-api.${action}`),
    },
  ),
);

test('unused=true lists the files to which no field and no text of an entry leads, in drafts, copies and the trash too', async () => {
  await add('unused');
  const image = (url: string): object => ({ type: 'paragraph', children: [{ type: 'text', text: `see ${url}` }] });
  const draft = { publishedAt: null };
  const inNotes = async (name: string): Promise<object> => ({
    notes: [{ text: 'x' }, { text: (await add(name)).url }],
  });
  await create('stories', { ...draft, cover: (await add('cover')).id });
  await create('stories', { gallery: [(await add('gallery-1')).id, (await add('gallery-2')).id] });
  await create('stories', { attachment: (await add('relation')).id });
  await create('stories', { parts: [{ notes: [{ image: (await add('component')).id }] }] });
  await create('stories', { zone: [{ __component: 'page.note', image: (await add('zone')).id }] });
  await create('stories', { ...draft, body: `![A mill](${(await add('markdown')).url} "A mill") and more` });
  await create('stories', { body: `<img src='https://cdn.example.org/v1/${(await add('html')).hash}.png?w=3'>` });
  // The address of a size of the image.
  await create('stories', { body: `![](/uploads/small_${(await add('size_of_it')).hash}.txt)` });
  await create('stories', { text: [image((await add('blocks')).url)] });
  await create('stories', { data: { list: [{ address: (await add('json')).url }] } });
  await create('stories', { secret: (await add('private')).url });
  await create('stories', { parts: [{}, await inNotes('text-of-component')] });
  await create('stories', { zone: [{ __component: 'page.part', ...(await inNotes('text-of-zone')) }] });
  const published = await create('stories', { title: 'Live', cover: (await add('live')).id });
  await client.put(`/api/stories/${published}?status=draft`, {
    cover: (await add('copy')).id,
    body: (await add('text-of-copy')).url,
  });
  const deleted = await create('stories', { cover: (await add('trash')).id, body: (await add('text-of-trash')).url });
  await client.delete(`/api/stories/${deleted}`);
  // The beginning of a name is no name.
  await create('stories', { body: (await add('almost')).url.replace('.txt', '0.txt') });
  expect(await namesOf('unused=true')).toEqual(['almost', 'unused']);
});

test('an entry that stops using a file makes it unused, with filters, folders and slices as always', async () => {
  const [first, second] = [await add('first'), await add('second')];
  const story = await create('stories', { cover: first.id, body: second.url });
  expect(await namesOf(`unused=true&filters[id][$in]=${first.id},${second.id}`)).toEqual([]);
  await client.put(`/api/stories/${story}`, { cover: null, body: 'no image' });
  const query = `unused=true&withCount=true&filters[id][$in]=${first.id}&filters[id][$in]=${second.id}`;
  const answer = await files(`${query}&sort=name&start=1&limit=1`);
  expect(answer.body).toMatchObject([{ id: second.id }]);
  expect(answer.headers).toMatchObject({ 'x-total-count': '2' });
  expect(await namesOf(`${query}&folder=null`)).toEqual([]);
});

test('withCount=true says how many files there are without the slice, and nothing else does', async () => {
  const all = (await files('')).body.length;
  const { body, headers } = await files('withCount=true&limit=2');
  expect(body).toHaveLength(2);
  expect(headers).toMatchObject({
    'x-total-count': String(all),
    'access-control-expose-headers': expect.stringContaining('X-Total-Count'),
  });
  expect((await files('limit=2&withCount=false')).headers).not.toHaveProperty('x-total-count');
});

test('unused=true is for those who may delete files, because it tells of entries that they may not read', async () => {
  expect(await files('unused=true', keyOf('readers'))).toMatchObject({ status: 403 });
  expect(await files('unused=false', keyOf('readers'))).toMatchObject({ status: 200 });
  const { status, headers } = await files('unused=true', keyOf('editors'));
  expect({ status, tags: headers['cache-tag'] }).toEqual({ status: 200, tags: undefined });
});

test.each(['unused=yes', 'withCount=1', 'unused[0]=true'])('%s is refused', async (query) => {
  const [name = ''] = query.split(/[=[]/, 1);
  expect(await files(query)).toMatchObject({
    status: 400,
    body: { error: { message: `${name} must be true or false`, details: { errors: [{ path: [name] }] } } },
  });
});
