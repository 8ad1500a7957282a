import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { system } from '../../../../src/documents/caller.js';
import { openStore } from '../../../../src/mongo/store.js';
import { fileTypeOf } from '../../../../src/plugins/upload/definitions.js';
import { openLocalStore } from '../../../../src/plugins/upload/storage/open-store.js';
import { placesOf, type FindRecords } from '../../../../src/plugins/upload/storage/places.js';
import { sweepFiles } from '../../../../src/plugins/upload/storage/sweep.js';
import { declare, keyOf } from '../../../support/access.js';
import { openDocuments } from '../../../support/open-documents.js';
import { useService, type Answer } from '../../../support/service.js';
import { picture, send, storedIn, upload } from './media.js';

const nothingKept = async (): Promise<ReadonlySet<string>> => new Set();

const contentTypes = fs.mkdtempSync(path.join(os.tmpdir(), 'content-types-'));
const write = (name: string, definition: object): void => {
  fs.mkdirSync(path.dirname(path.join(contentTypes, name)), { recursive: true });
  fs.writeFileSync(path.join(contentTypes, name), JSON.stringify(definition));
};
const image = { type: 'media', multiple: false, allowedTypes: ['images'] };
write('story.json', {
  kind: 'collectionType',
  collectionName: 'stories',
  info: { singularName: 'story', pluralName: 'stories', displayName: 'Story' },
  attributes: {
    code: { type: 'string', maxLength: 3 },
    cover: image,
    gallery: { type: 'media', multiple: true },
    parts: { type: 'component', repeatable: true, component: 'page.part' },
  },
});
write('components/page/part.json', { collectionName: 'parts', info: { displayName: 'Part' }, attributes: { image } });
afterAll(() => fs.rmSync(contentTypes, { recursive: true }));

const client = useService({ contentTypes, plugins: { upload: { config: { trash: 30, folders: true } } } });

interface File {
  readonly id: number;
  readonly url: string;
  readonly hash: string;
}

type Method = 'get' | 'post' | 'delete';
const ask = async (method: Method, address: string, token = client.service.token): Promise<Answer> =>
  request(client.service.url)[method](`/api/upload/${address}`).auth(token, { type: 'bearer' });
const add = async (name: string): Promise<File> => {
  const [file] = await upload(client.service, { name, content: await picture(600, 400) });
  return file;
};
const namesOf = ({ hash }: File): readonly string[] => ['', 'small_', 'thumbnail_'].map((size) => `${size}${hash}.png`);
const areStored = async (file: File): Promise<boolean> => {
  const stored = await storedIn(client.service);
  return namesOf(file).every((name) => stored.includes(name));
};
const isServed = async ({ url }: File): Promise<boolean> => (await request(client.service.url).get(url)).status === 200;

const withoutTimes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/"updatedAt":"[^"]*"/g, '"updatedAt":""'));

describe('a deleted file', () => {
  test('is answered as ever, is found nowhere, and is listed with all that it has', async () => {
    const kept = await add('kept.png');
    const file = await add('mill.png');
    const { body: before } = await ask('get', `files/${file.id}`);
    const { status, body } = await ask('delete', `files/${file.id}`);
    expect([status, body]).toEqual([200, before]);
    expect((await ask('get', `files/${file.id}`)).status).toBe(404);
    expect((await ask('get', 'files')).body.map(({ id }: File) => id)).toEqual([kept.id]);
    expect((await ask('delete', `files/${file.id}`)).status).toBe(404);
    const replacing = [{ name: 'other.png', content: await picture(10, 10) }];
    expect((await send(client.service, 'post', `/api/upload?id=${file.id}`, replacing)).status).toBe(404);
    const list = await ask('get', 'files/trash?filters[name][$contains]=mill&pagination[pageSize]=5');
    expect(list).toMatchObject({
      status: 200,
      body: {
        data: [before],
        meta: {
          pagination: { page: 1, pageSize: 5, pageCount: 1, total: 1 },
          deleted: { [file.id]: { at: expect.any(String), by: null } },
        },
      },
    });
    expect(await areStored(file)).toBe(true);
  });

  test('comes back to its folder and to the places that it had, where nobody put another one', async () => {
    const folder = (await request(client.service.url)
      .post('/api/upload/folders')
      .auth(client.service.token, { type: 'bearer' })
      .send({ name: 'Mills', parent: null })) as Answer;
    const into = { fileInfo: { folder: folder.body.data.id } };
    const parts = [{ name: 'wheel.png', content: await picture(600, 400) }];
    const [file] = (await send(client.service, 'post', '/api/upload', parts, into)).body as [File];
    const other = await add('other.png');
    const story = await client.create('stories', {
      cover: file.id,
      gallery: [other.id, file.id],
      parts: [{ image: file.id }],
    });
    const taken = await client.create('stories', { cover: file.id });
    const shown = async (id: number): Promise<Answer['body']> =>
      (await client.get(`/api/stories/${id}?populate[0]=cover&populate[1]=gallery&populate[2]=parts.image`)).body.data
        .attributes;
    const before = await shown(story);
    await ask('delete', `files/${file.id}`);
    expect(await shown(story)).toMatchObject({
      cover: { data: null },
      gallery: { data: [{ id: other.id }] },
      parts: [{ image: { data: null } }],
    });
    await client.put(`/api/stories/${taken}`, { cover: other.id });
    const { status, body } = await ask('post', `files/trash/${file.id}/restore`);
    expect([status, body]).toEqual([
      200,
      {
        data: { id: file.id },
        meta: { links: 3, lost: [{ type: 'api::story.story', id: taken, path: 'cover' }], unkept: 0 },
      },
    ]);
    expect(withoutTimes(await shown(story))).toEqual(withoutTimes(before));
    expect((await ask('get', `files?folder=${folder.body.data.id}`)).body).toMatchObject([{ id: file.id }]);
    expect([await areStored(file), await isServed(file)]).toEqual([true, true]);
    expect((await ask('post', `files/trash/${file.id}/restore`)).status).toBe(404);
  });

  test('keeps its bytes until it is removed for good', async () => {
    const file = await add('gone.png');
    await ask('delete', `files/${file.id}`);
    expect([await areStored(file), await isServed(file)]).toEqual([true, true]);
    expect(await ask('delete', `files/trash/${file.id}`)).toMatchObject({
      status: 200,
      body: { data: { id: file.id } },
    });
    const stored = await storedIn(client.service);
    expect(namesOf(file).filter((name) => stored.includes(name))).toEqual([]);
    expect((await ask('delete', `files/trash/${file.id}`)).status).toBe(404);
    expect((await ask('post', `files/trash/${file.id}/restore`)).status).toBe(404);
  });

  test.each(['GraphQL', 'a folder', 'code'])('by %s is in the trash as well', async (way) => {
    const file = await add('by.png');
    if (way === 'GraphQL') await client.graphql(`mutation { removeFile(id: ${file.id}) { data { id } } }`);
    if (way === 'a folder')
      await request(client.service.url)
        .post('/api/upload/actions/bulk-delete')
        .auth(client.service.token, { type: 'bearer' })
        .send({ fileIds: [file.id] });
    if (way === 'code') await client.service.entries.delete('plugin::upload.file', file.id);
    expect((await ask('post', `files/trash/${file.id}/restore`)).status).toBe(200);
    expect(await areStored(file)).toBe(true);
  });
});

test('the sweep leaves the bytes of deleted files, and removes those that a crash has left after a removal', async () => {
  const { database, dataFolder, entries, registry } = client.service;
  const documents = openDocuments(registry, openStore(database.db, { timeout: 60_000, exclusive: false }));
  const store = openLocalStore(path.join(dataFolder, 'uploads'));
  const places = placesOf({ documents, entries, registry });
  const sweep = (): Promise<void> =>
    sweepFiles(
      { store, places, kept: nothingKept, folder: path.join(dataFolder, 'uploads-temporary') },
      Date.now() + 3 * 3_600_000,
    );
  const [kept, removed] = [await add('kept.png'), await add('removed.png')];
  for (const { id } of [kept, removed]) await ask('delete', `files/${id}`);
  // This process has no plugin that removes bytes.
  await documents.trash.remove(fileTypeOf(registry), removed.id, system);
  expect([await areStored(kept), await areStored(removed)]).toEqual([true, true]);
  await sweep();
  expect([await areStored(kept), await areStored(removed)]).toEqual([true, false]);
  // Between the reads of two places it goes from the second one to the first.
  const [present, deleted] = places as [FindRecords, FindRecords];
  const restoring: FindRecords = async (filters) => {
    const found = await present(filters);
    await ask('post', `files/trash/${kept.id}/restore`);
    return found;
  };
  const moving = [restoring, deleted, present];
  await sweepFiles(
    { store, places: moving, kept: nothingKept, folder: path.join(dataFolder, 'none') },
    Date.now() + 3 * 3_600_000,
  );
  expect(await areStored(kept)).toBe(true);
});

test('files of an upload that is refused are not kept', async () => {
  const before = [(await ask('get', 'files/trash')).body.meta.pagination.total, await storedIn(client.service)];
  const parts = [{ name: 'a.txt', content: 'no image', field: 'files.cover' }];
  const { status } = await send(client.service, 'post', '/api/stories', parts, { data: { code: 'long' } });
  expect(status).toBe(400);
  const after = [(await ask('get', 'files/trash')).body.meta.pagination.total, await storedIn(client.service)];
  expect(after).toEqual(before);
});

test('rights: to find and to delete files; to restore one also to upload', async () => {
  const actions = ['find', 'destroy', 'upload'].map((name) => `plugin::upload.content-api.${name}`);
  const [find = '', destroy = ''] = actions;
  await declare(client.service, {}, { readers: [find], deleters: [find, destroy], blind: [destroy], all: actions });
  const file = await add('mine.png');
  await ask('delete', `files/${file.id}`);
  const statuses = async (name: string): Promise<readonly number[]> => [
    (await ask('get', 'files/trash', keyOf(name))).status,
    (await ask('post', `files/trash/${file.id}/restore`, keyOf(name))).status,
  ];
  expect(await statuses('readers')).toEqual([403, 403]);
  expect(await statuses('blind')).toEqual([403, 403]);
  expect(await statuses('deleters')).toEqual([200, 403]);
  expect(await statuses('all')).toEqual([200, 200]);
  await ask('delete', `files/${file.id}`);
  expect((await ask('delete', `files/trash/${file.id}`, keyOf('blind'))).status).toBe(403);
  expect((await ask('delete', `files/trash/${file.id}`, keyOf('deleters'))).status).toBe(200);
});

describe('without the setting', () => {
  const plain = useService({ contentTypes });
  test('there is no trash, and a file is gone with its bytes', async () => {
    const [file] = await upload(plain.service, { name: 'a.png', content: await picture(600, 400) });
    await plain.delete(`/api/upload/files/${file.id}`);
    expect(await storedIn(plain.service)).toEqual([]);
    expect((await plain.get('/api/upload/files/trash')).status).toBe(404);
  });
});
