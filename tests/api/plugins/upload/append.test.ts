import { expect, test } from '@jest/globals';
import { useService, type Answer } from '../../../support/service.js';
import { send, upload } from './media.js';

/** Runs once between the read and the write of another writer of an album. */
let meanwhile: (() => Promise<unknown>) | undefined;

const client = useService({
  contentTypes: 'tests/api/plugins/upload/album-types',
  extension: {
    lifecycles: {
      'api::album.album': {
        beforeUpdate: async ({ data }) => {
          const happens = meanwhile;
          meanwhile = undefined;
          await happens?.();
          return data;
        },
      },
    },
  },
});

interface Page {
  readonly id: number;
  readonly text?: string;
  readonly picture?: string;
  readonly pictures?: readonly string[];
  readonly pages?: readonly Page[];
}

const file = (name: string, field = 'files') => ({ content: `content of ${name}`, name, field });

/** Files in the media library, by their names. */
async function store(...names: readonly string[]): Promise<readonly number[]> {
  const files: readonly { readonly id: number }[] = await upload(client.service, ...names.map((name) => file(name)));
  return files.map(({ id }) => id);
}

const attach = (id: number, field: string, ...names: readonly string[]): Promise<Answer> =>
  send(
    client.service,
    'post',
    '/api/upload',
    names.map((name) => file(name)),
    { ref: 'api::album.album', refId: String(id), field },
  );

async function put(id: number, data: object): Promise<void> {
  const { status, body } = await client.put(`/api/albums/${id}`, data);
  expect([status, body.error]).toEqual([200, undefined]);
}

const page = { populate: { picture: true, pictures: true } };

/** An album with the names of its files in place of these. */
async function read(id: number) {
  const zone = { on: { 'album.page': page, 'album.chapter': { populate: { pages: page } } } };
  const populate = { cover: true, pictures: true, intro: page, pages: page, zone };
  const entry = await client.service.entries.findOne('api::album.album', id, { populate });
  return JSON.parse(JSON.stringify(entry, (_, value: unknown) => (isFile(value) ? value.name : value)));
}

const isFile = (value: unknown): value is { readonly name: string } =>
  typeof value === 'object' && value !== null && 'mime' in value;

const pagesOf = async (id: number): Promise<readonly Page[]> => (await read(id)).pages;

test('a file is appended to a list that was written after it was read', async () => {
  const id = await client.create('albums', { title: 'list' });
  const ids = await store('1.txt', '2.txt');
  meanwhile = () => put(id, { pictures: ids });
  expect((await attach(id, 'pictures', '3.txt', '4.txt')).status).toBe(200);
  expect(await read(id)).toMatchObject({ pictures: ['1.txt', '2.txt', '3.txt', '4.txt'] });
});

test('a file is added to its component, and components added since stay', async () => {
  const id = await client.create('albums', { intro: { text: 'a' }, pages: [{ text: 'a' }, { text: 'b' }] });
  const [a, b] = await pagesOf(id);
  const others = await store('1.txt');
  meanwhile = () => put(id, { pages: [{ text: 'new' }, { id: b?.id, pictures: others }, { id: a?.id, text: 'A' }] });
  await attach(id, 'pages.1.pictures', '2.txt');
  meanwhile = () => put(id, { pages: [{ text: 'newer' }, { id: b?.id }, { id: a?.id }] });
  await attach(id, 'pages.2.picture', '3.txt');
  expect(await pagesOf(id)).toMatchObject([
    { text: 'newer', picture: null, pictures: null },
    { text: 'b', id: b?.id, picture: null, pictures: ['1.txt', '2.txt'] },
    { text: 'A', id: a?.id, picture: '3.txt', pictures: null },
  ]);
});

test('a file is added to the component that replaced the original one', async () => {
  const id = await client.create('albums', { intro: { text: 'a' }, pages: [{ text: 'a' }] });
  meanwhile = () => put(id, { pages: [{ text: 'other' }] });
  await attach(id, 'pages.0.pictures', '1.txt');
  meanwhile = () => put(id, { intro: { text: 'other' } });
  await attach(id, 'intro.pictures', '2.txt');
  expect(await read(id)).toMatchObject({
    intro: { text: 'other', pictures: ['2.txt'] },
    pages: [{ text: 'other', pictures: ['1.txt'] }],
  });
});

test('a file whose component or entry was deleted meanwhile is stored without a relation', async () => {
  const id = await client.create('albums', { pages: [{ text: 'a' }] });
  meanwhile = () => put(id, { pages: [] });
  expect((await attach(id, 'pages.0.pictures', '1.txt')).status).toBe(200);
  expect(await read(id)).toMatchObject({ pages: [] });
  meanwhile = () => client.delete(`/api/albums/${id}`);
  const { status, body } = await attach(id, 'pictures', '2.txt');
  expect(status).toBe(200);
  expect((await client.get(`/api/upload/files/${body[0].id}`)).status).toBe(200);
});

test('files are added to components at any depth of a zone', async () => {
  const zone = [
    { __component: 'album.page', text: 'a' },
    { __component: 'album.chapter', name: 'b', pages: [{ text: 'c' }, { text: 'd' }] },
  ];
  const id = await client.create('albums', { zone });
  await attach(id, 'zone.0.pictures', '1.txt');
  await attach(id, 'zone.1.pages.1.pictures', '2.txt');
  await attach(id, 'zone.1.pages.1.pictures', '3.txt');
  await attach(id, 'zone.1.pages.1.picture', '4.txt');
  await attach(id, 'zone.1.pages.1.picture', '5.txt');
  expect(await read(id)).toMatchObject({
    zone: [
      { text: 'a', pictures: ['1.txt'] },
      {
        name: 'b',
        pages: [
          { text: 'c', pictures: null },
          { text: 'd', pictures: ['2.txt', '3.txt'], picture: '5.txt' },
        ],
      },
    ],
  });
});

test('files of a form are appended to files written after the form was parsed', async () => {
  const id = await client.create('albums', { pages: [{ text: 'a' }, { text: 'b' }] });
  const [a, b] = await pagesOf(id);
  const ids = await store('1.txt', '2.txt');
  meanwhile = () => put(id, { pictures: ids, pages: [{ text: 'new' }, { id: a?.id, pictures: ids }, { id: b?.id }] });
  const parts = [
    file('3.txt', 'files.pictures'),
    file('4.txt', 'files.pages.0.pictures'),
    file('5.txt', 'files.pages.0.picture'),
    file('6.txt', 'files.pages.1.pictures'),
    file('7.txt', 'files.cover'),
  ];
  const { status } = await send(client.service, 'put', `/api/albums/${id}`, parts, { data: { title: 'form' } });
  expect(status).toBe(200);
  expect(await read(id)).toMatchObject({
    title: 'form',
    cover: '7.txt',
    pictures: ['1.txt', '2.txt', '3.txt'],
    pages: [
      { text: 'new', pictures: null },
      { text: 'a', picture: '5.txt', pictures: ['1.txt', '2.txt', '4.txt'] },
      { text: 'b', pictures: ['6.txt'] },
    ],
  });
});

test('files of a form are appended to the files of an existing component and to those in its data', async () => {
  const [one, two, three] = await store('1.txt', '2.txt', '3.txt');
  const pages = [
    { text: 'a', picture: one, pictures: [one] },
    { text: 'b', pictures: [one] },
  ];
  const id = await client.create('albums', { pictures: [one], cover: one, pages });
  const [a, b] = await pagesOf(id);
  const data = {
    pictures: { set: [two, three] },
    pages: [
      { id: a?.id, text: 'A' },
      { id: b?.id, pictures: [two] },
      { text: 'c', pictures: [two] },
    ],
  };
  const parts = [
    file('4.txt', 'files.pictures'),
    file('5.txt', 'files.pages.0.pictures'),
    file('6.txt', 'files.pages.1.pictures'),
    file('7.txt', 'files.pages.2.pictures'),
    file('8.txt', 'files.pages.0.picture'),
    file('9.txt', 'files.pages.3.picture'),
  ];
  const { status } = await send(client.service, 'put', `/api/albums/${id}`, parts, { data });
  expect(status).toBe(200);
  expect(await read(id)).toMatchObject({
    cover: '1.txt',
    pictures: ['2.txt', '3.txt', '4.txt'],
    pages: [
      { text: 'A', picture: '8.txt', pictures: ['1.txt', '5.txt'] },
      { text: 'b', pictures: ['2.txt', '6.txt'] },
      { text: 'c', pictures: ['2.txt', '7.txt'] },
    ],
  });
});

test('concurrent uploads and writes lose no acknowledged change', async () => {
  const id = await client.create('albums', { pages: [{ text: 'a' }] });
  const [first] = await pagesOf(id);
  const rounds = Array.from({ length: 8 }, (_, index) => `${index}.txt`);
  const uploads = rounds.map((name) => attach(id, 'pictures', name));
  const inPages = rounds.map((name) => attach(id, 'pages.0.pictures', `page ${name}`));
  const covers = rounds.map((name) => attach(id, 'cover', `cover ${name}`));
  const writes = rounds.map(async (text) => put(id, { title: text, pages: [{ id: first?.id, text }] }));
  const answers = await Promise.all([...uploads, ...inPages, ...covers]);
  await Promise.all(writes);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const { pictures, pages, cover } = await read(id);
  expect(pictures.toSorted()).toEqual(rounds);
  expect(pages).toHaveLength(1);
  expect(pages[0].pictures.toSorted()).toEqual(rounds.map((name) => `page ${name}`));
  expect(rounds.map((name) => `cover ${name}`)).toContain(cover);
});

test('a concurrent write of the list is applied before or after each upload', async () => {
  for (let round = 0; round < 10; round += 1) {
    const id = await client.create('albums', { title: 'at once' });
    const names = [`written ${round}.txt`];
    const ids = await store(...names);
    const [answer] = await Promise.all([attach(id, 'pictures', `uploaded ${round}.txt`), put(id, { pictures: ids })]);
    expect(answer.status).toBe(200);
    const { pictures } = await read(id);
    // Written last, the list is what it says.
    expect([names, [...names, `uploaded ${round}.txt`]]).toContainEqual(pictures);
  }
});

test('client data cannot append to a media field', async () => {
  const [one, two] = await store('1.txt', '2.txt');
  const id = await client.create('albums', { pictures: [one] });
  const { status } = await client.put(`/api/albums/${id}`, { pictures: { append: [two] } });
  expect(status).toBe(200);
  expect(await read(id)).toMatchObject({ pictures: ['1.txt'] });
});
