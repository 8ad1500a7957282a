import { beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare, keyOf } from '../../../support/access.js';
import { type Answer, useService } from '../../../support/service.js';
import { send, storedIn, upload, type Part } from './media.js';

const client = useService({ plugins: { upload: { config: { folders: true } } } });
const folder = (name: string): string => `plugin::upload.folder.${name}`;
const file = (name: string): string => `plugin::upload.content-api.${name}`;

const ask = async (method: 'get' | 'post' | 'put', path: string, body?: object, key?: string): Promise<Answer> => {
  const sending = request(client.service.url)[method](`/api/upload/${path}`);
  return sending.auth(key ?? client.service.token, { type: 'bearer' }).send(body);
};
const create = async (name: string, parent: number | null = null): Promise<number> => {
  const { status, body } = await ask('post', 'folders', { name, parent });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.data.id;
};
const put = (id: number, body: object): Promise<Answer> => ask('put', `folders/${id}`, body);
const move = (body: object): Promise<Answer> => ask('post', 'actions/bulk-move', body);
const remove = (body: object): Promise<Answer> => ask('post', 'actions/bulk-delete', body);
const read = async (id: number): Promise<any> => (await ask('get', `folders/${id}?populate=parent`)).body.data;
const uploadTo = async (to: number | null, ...parts: Part[]): Promise<any> => {
  const info = parts.map(() => ({ folder: to }));
  return send(client.service, 'post', '/api/upload', parts, { fileInfo: parts.length === 1 ? info[0] : info });
};
const namesIn = async (place: number | 'null'): Promise<readonly string[]> =>
  (await ask('get', `files?folder=${place}&sort=name`)).body.map(({ name }: { name: string }) => name);
const stored = (collection: string) => client.service.database.db.collection<{ _id: number }>(collection);
const text = (name: string): Part => ({ name, content: name });

test('folders are created, listed, renamed and moved, with the paths of Strapi v4', async () => {
  const letters = await create('Letters');
  const old = await create('Old', letters);
  const lists = await create('Lists');
  expect(await read(old)).toEqual({
    id: old,
    name: 'Old',
    pathId: old,
    path: `/${letters}/${old}`,
    parent: expect.objectContaining({ id: letters, name: 'Letters' }),
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  const { body } = await ask('get', `folders?filters[parent][id]=${letters}&fields=name&pagination[pageSize]=1`);
  expect(body).toEqual({
    data: [{ id: old, name: 'Old' }],
    meta: { pagination: { page: 1, pageSize: 1, pageCount: 1, total: 1 } },
  });
  expect((await put(letters, { name: 'Post', parent: lists })).body.data).toMatchObject({
    name: 'Post',
    path: `/${lists}/${letters}`,
  });
  expect(await read(old)).toMatchObject({ path: `/${lists}/${letters}/${old}`, parent: { name: 'Post' } });
  expect((await ask('get', 'folder-structure')).body.data).toEqual([
    {
      id: lists,
      name: 'Lists',
      children: [{ id: letters, name: 'Post', children: [{ id: old, name: 'Old', children: [] }] }],
    },
  ]);
  expect((await remove({ folderIds: [lists], withContents: true })).body.data.folderIds).toEqual([old, letters, lists]);
  expect(await stored('upload_folders').countDocuments()).toBe(0);
});

test('what a folder cannot be is refused, and the answer names the field', async () => {
  const home = await create('Home');
  const below = await create('Below', home);
  const refusals: readonly (readonly [() => Promise<Answer>, number, string])[] = [
    [() => ask('post', 'folders', {}), 400, 'name is a required field'],
    [() => ask('post', 'folders', { name: '' }), 400, 'name must be at least 1 characters'],
    [() => ask('post', 'folders', { name: 'a/b' }), 400, 'name cannot contain slashes'],
    [() => ask('post', 'folders', { name: ' a' }), 400, 'name cannot start or end with a whitespace'],
    [() => ask('post', 'folders', { name: 'a'.repeat(256) }), 400, 'name must be at most 255 characters'],
    [() => ask('post', 'folders', { name: 3 }), 400, 'name must be a string'],
    [() => ask('post', 'folders', { name: 'Home' }), 400, 'A folder with this name already exists: Home'],
    [() => ask('post', 'folders', { name: 'x', parent: 999 }), 400, 'parent folder does not exist'],
    [
      () => ask('post', 'folders', { name: 'x', parent: {} }),
      400,
      'parent must be the id of a folder, or null for the top',
    ],
    [() => ask('post', 'folders', { name: 'x', path: '/9' }), 400, 'path is unknown; allowed: name, parent'],
    [() => ask('post', 'folders', []), 400, 'the body must be a JSON object'],
    [() => put(home, { parent: home }), 400, 'folder cannot be moved inside itself'],
    [() => put(home, { parent: below }), 400, 'folder cannot be moved inside itself'],
    [() => move({ folderIds: [home], destinationFolderId: below }), 400, 'folder cannot be moved inside itself'],
    [() => move({ folderIds: [home], destinationFolderId: 999 }), 400, 'destination folder does not exist'],
    [() => move({ folderIds: [home] }), 400, 'destinationFolderId is a required field'],
    [() => move({ folderIds: 'x', destinationFolderId: null }), 400, 'folderIds must be a list of ids'],
    [() => move({ fileIds: [999], destinationFolderId: home }), 404, 'file.notFound'],
    [() => remove({ withContents: 1 }), 400, 'withContents must be true or false'],
    [() => remove({ folderIds: [...Array(101).keys()] }), 400, 'a request names at most 100 folders and files'],
    [() => put(999, { name: 'x' }), 404, 'folder.notFound'],
    [() => ask('get', 'folders/999'), 404, 'folder.notFound'],
    [() => ask('get', 'folders/x'), 404, 'folder.notFound'],
    [() => ask('get', 'files?folder=x'), 400, 'folder must be the id of a folder, or null for the top'],
    [() => uploadTo(999, text('lost.txt')), 400, 'folder does not exist'],
  ];
  for (const [refused, status, message] of refusals) {
    const answer = await refused();
    expect([answer.status, answer.body.error?.message]).toEqual([status, message]);
  }
  expect((await put(below, { parent: null, name: 'Home' })).status).toBe(400);
  expect((await put(below, { name: 'Home' })).status).toBe(200);
  await remove({ folderIds: [home], withContents: true });
  expect(await storedIn(client.service)).toEqual([]);
});

test('files are uploaded into a folder, listed by it, moved, and deleted with it', async () => {
  const letters = await create('Letters');
  const old = await create('Old', letters);
  await uploadTo(letters, text('a.txt'), text('b.txt'));
  await uploadTo(null, text('c.txt'));
  const [usual] = await upload(client.service, text('d.txt'));
  const { id: api } = (await ask('get', 'folders?filters[name]=API%20Uploads')).body.data[0];
  expect(await Promise.all([letters, old, 'null' as const, api].map(namesIn))).toEqual([
    ['a.txt', 'b.txt'],
    [],
    ['c.txt'],
    ['d.txt'],
  ]);
  const [a] = (await ask('get', `files?folder=${letters}&filters[name]=a.txt`)).body;
  expect((await move({ fileIds: [a.id, usual.id], folderIds: [], destinationFolderId: old })).body).toEqual({
    data: { folderIds: [], fileIds: [a.id, usual.id] },
  });
  expect(await namesIn(old)).toEqual(['a.txt', 'd.txt']);
  // Replaced and described as before: a file stays in its folder, unless another one is named.
  await send(client.service, 'post', `/api/upload?id=${a.id}`, [text('new.txt')], { fileInfo: { name: 'new.txt' } });
  await send(client.service, 'post', `/api/upload?id=${usual.id}`, [], { fileInfo: { folder: null } });
  expect(await namesIn(old)).toEqual(['new.txt']);
  expect(await namesIn('null')).toEqual(['c.txt', 'd.txt']);
  expect((await remove({ folderIds: [letters] })).body.error).toMatchObject({ status: 409, name: 'ConflictError' });
  expect((await remove({ folderIds: [letters, old] })).status).toBe(409);
  expect((await remove({ folderIds: [letters], withContents: true })).body.data).toEqual({
    folderIds: [old, letters],
    fileIds: expect.arrayContaining([a.id]),
  });
  expect((await remove({ folderIds: [letters, 999], fileIds: [a.id] })).body.data).toEqual({
    folderIds: [],
    fileIds: [],
  });
  expect((await ask('get', 'files?sort=name')).body.map(({ name }: { name: string }) => name)).toEqual([
    'c.txt',
    'd.txt',
  ]);
  expect(await storedIn(client.service)).toHaveLength(2);
});

test('a move leaves no wrong copy of a path with files that have one', async () => {
  const [outer, other] = [await create('Outer'), await create('Other')];
  const nested = await create('Nested', outer);
  await uploadTo(nested, text('e.txt'));
  await stored('files').updateOne({ name: 'e.txt' }, { $set: { folderPath: `/${outer}/${nested}` } });
  await put(outer, { parent: other });
  expect(await stored('files').findOne({ name: 'e.txt' })).not.toHaveProperty('folderPath');
  await remove({ folderIds: [other], withContents: true });
});

test('a list of files in a folder is one command with an index', async () => {
  const letters = await create('Indexed');
  await uploadTo(letters, text('f.txt'));
  const { queryPlanner } = (await stored('files').find({ folder: letters }).explain()) as any;
  expect(JSON.stringify(queryPlanner.winningPlan)).toContain('IXSCAN');
  await remove({ folderIds: [letters], withContents: true });
});

test('the description of the API has the routes', async () => {
  const { paths, components } = (await client.get('/documentation/openapi.json')).body;
  const routes = Object.keys(paths).filter((path) => /folder|actions/.test(path));
  expect(routes.toSorted()).toEqual([
    '/upload/actions/bulk-delete',
    '/upload/actions/bulk-move',
    '/upload/folder-structure',
    '/upload/folders',
    '/upload/folders/{id}',
  ]);
  expect(components.schemas.UploadFolderRecord.properties).toHaveProperty('pathId');
  expect(JSON.stringify(components.schemas.UploadFileRecord)).not.toContain('folder');
});

test('the folder of a file is found by the file, with the right to files', async () => {
  const place = await create('Place');
  const [inside] = (await uploadTo(place, text('inside.txt'))).body;
  const [atTop] = (await uploadTo(null, text('at-top.txt'))).body;
  expect((await ask('get', `folders?file=${inside.id}&fields=name`)).body.data).toEqual([{ id: place, name: 'Place' }]);
  expect((await ask('get', `folders?file=${atTop.id}`)).body.data).toEqual([]);
  expect((await ask('get', 'folders?file=987')).status).toBe(404);
  for (const value of ['file=x', 'file[0]=1'])
    expect(await ask('get', `folders?${value}`)).toMatchObject({
      status: 400,
      body: { error: { message: 'file must be the id of a file' } },
    });
  await declare(client.service, {}, { 'of folders': [folder('find')], 'of files too': [folder('find'), file('find')] });
  expect((await ask('get', `folders?file=${inside.id}`, undefined, keyOf('of folders'))).status).toBe(403);
  expect(await ask('get', `folders?file=${inside.id}`, undefined, keyOf('of files too'))).toMatchObject({
    body: { data: [{ id: place }] },
  });
  await remove({ folderIds: [place], fileIds: [atTop.id], withContents: true });
});

describe('permissions', () => {
  let id: number;
  const all = ['find', 'findOne', 'create', 'update', 'delete'].map(folder);
  beforeAll(async () => {
    id = await create('Guarded');
    await uploadTo(id, text('guarded.txt'));
    await declare(
      client.service,
      {},
      {
        files: ['find', 'findOne', 'upload', 'destroy'].map(file),
        ...Object.fromEntries(all.map((action) => [`not ${action}`, all.filter((other) => other !== action)])),
      },
    );
  });

  test('each route needs its action', async () => {
    const needs: readonly (readonly ['get' | 'post' | 'put', string, object | undefined, string])[] = [
      ['get', 'folders', undefined, 'find'],
      ['get', `folders/${id}`, undefined, 'findOne'],
      ['get', 'folder-structure', undefined, 'find'],
      ['post', 'folders', { name: 'New' }, 'create'],
      ['put', `folders/${id}`, { name: 'New' }, 'update'],
      ['post', 'actions/bulk-move', { folderIds: [id], destinationFolderId: null }, 'update'],
      ['post', 'actions/bulk-move', { destinationFolderId: null }, 'find'],
      ['post', 'actions/bulk-delete', { folderIds: [id] }, 'delete'],
    ];
    for (const [method, path, body, action] of needs) {
      const { status } = await ask(method, path, body, keyOf(`not ${folder(action)}`));
      expect([path, status]).toEqual([path, 403]);
    }
    // Files are moved and deleted by those who may write and delete them.
    const [{ id: fileId }] = (await ask('get', `files?folder=${id}`)).body;
    const notCreate = keyOf(`not ${folder('create')}`);
    for (const [path, body] of [
      ['actions/bulk-move', { fileIds: [fileId], destinationFolderId: null }],
      ['actions/bulk-delete', { fileIds: [fileId] }],
      ['actions/bulk-delete', { folderIds: [id], withContents: true }],
    ] as const)
      expect((await ask('post', path, body, notCreate)).status).toBe(403);
    expect(await namesIn(id)).toEqual(['guarded.txt']);
  });

  test('without the permission to list folders nothing shows where a file is', async () => {
    const token = keyOf('files');
    expect((await ask('get', `files?folder=${id}`, undefined, token)).status).toBe(403);
    for (const query of ['filters[folder]=1', 'filters[folder][name]=x', 'sort=folder.name', 'filters[folderPath]=/1'])
      expect((await ask('get', `files?${query}`, undefined, token)).status).toBe(400);
    for (const query of ['populate=folder', 'populate=*', 'populate[folder][fields]=name', 'fields=name']) {
      const { body } = await ask('get', `files?${query}`, undefined, token);
      expect(JSON.stringify(body)).not.toMatch(/folder(Path)?"|Guarded/);
    }
    const moving = { fileInfo: { folder: id } };
    const sent = await send({ url: client.service.url, token }, 'post', '/api/upload', [text('x.txt')], moving);
    expect(sent.status).toBe(403);
    const [{ id: fileId }] = (await ask('get', 'files?filters[name]=guarded.txt', undefined, token)).body;
    expect(
      (await send({ url: client.service.url, token }, 'post', `/api/upload?id=${fileId}`, [], moving)).status,
    ).toBe(403);
  });

  test('over GraphQL the same rules apply', async () => {
    const graphql = async (query: string, token = client.service.token): Promise<any> =>
      (await request(client.service.url).post('/graphql').auth(token, { type: 'bearer' }).send({ query })).body;
    const raw = 'data: { name: "Raw", pathId: 900, path: "/900" }';
    const { data } = await graphql(`mutation { createUploadFolder(${raw}) { data { id attributes { path } } } }`);
    const created = data.createUploadFolder.data;
    expect(created.attributes.path).toBe(`/${(await read(Number(created.id))).pathId}`);
    const into = (parent: unknown): string =>
      `mutation { updateUploadFolder(id: ${created.id}, data: { parent: ${String(parent)} }) { data { attributes { path } } } }`;
    expect((await graphql(into(created.id))).errors[0].message).toBe('folder cannot be moved inside itself');
    const parent = await read(id);
    expect((await graphql(into(id))).data.updateUploadFolder.data.attributes.path).toMatch(`${parent.path}/`);
    const [{ id: fileId }] = (await ask('get', `files?folder=${id}`)).body;
    await stored('files').updateOne({ _id: fileId }, { $set: { folderPath: parent.path } });
    const moving = `mutation { updateUploadFile(id: ${fileId}, data: { folder: ${created.id}, folderPath: "/x" }) { data { id } } }`;
    expect((await graphql(moving)).errors).toBeUndefined();
    expect(await namesIn(Number(created.id))).toEqual(['guarded.txt']);
    expect(await stored('files').findOne({ _id: fileId })).not.toHaveProperty('folderPath');
    await move({ fileIds: [fileId], destinationFolderId: id });
    const removal = `mutation { deleteUploadFolder(id: ${id}) { data { id } } }`;
    expect((await graphql(removal)).errors[0].message).toMatch('not empty');
    expect((await graphql(into(null), keyOf('files'))).errors[0].message).toBe('Forbidden access');
    expect((await graphql(`mutation { deleteUploadFolder(id: ${created.id}) { data { id } } }`)).data).toEqual({
      deleteUploadFolder: { data: { id: created.id } },
    });
  });
});
