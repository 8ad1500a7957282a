import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import request from 'supertest';
import { declare, keyOf } from '../../../support/access.js';
import { useService } from '../../../support/service.js';
import { leftovers, picture, send, storedIn, upload } from './media.js';

const client = useService();
const { get } = client;
const post = (address: string, body: object) =>
  request(client.service.url).post(address).auth(client.service.token, { type: 'bearer' }).send(body);

interface Format {
  readonly width: number;
  readonly height: number;
  readonly size: number;
  readonly url: string;
}

test('an image gets dimensions and the sizes smaller than itself', async () => {
  const [file] = await upload(client.service, { content: await picture(1200, 800), name: 'wide.png' });
  expect(file).toMatchObject({
    name: 'wide.png',
    alternativeText: null,
    caption: null,
    width: 1200,
    height: 800,
    hash: expect.stringMatching(/^wide_[0-9a-f]{10}$/),
    ext: '.png',
    mime: 'image/png',
    url: `/uploads/${file.hash}.png`,
    previewUrl: null,
    provider: 'local',
    provider_metadata: null,
  });
  const sizes = Object.entries<Format>(file.formats).map(([name, format]) => [name, [format.width, format.height]]);
  expect(Object.fromEntries(sizes)).toEqual({
    thumbnail: [234, 156],
    large: [1000, 667],
    medium: [750, 500],
    small: [500, 333],
  });
  for (const [name, format] of Object.entries<Format>(file.formats)) {
    expect(format).toMatchObject({ name: `${name}_wide.png`, hash: `${name}_${file.hash}`, ext: '.png', path: null });
    const { body } = await request(client.service.url).get(format.url);
    const { width, height } = await sharp(body).metadata();
    expect([width, height]).toEqual([format.width, format.height]);
    expect(format.size).toBe(Math.round(body.length / 10) / 100);
  }
});

describe('a batch', () => {
  const batch = (operations: readonly object[], query = '', token = client.service.token) =>
    request(client.service.url).post(`/api/batch${query}`).auth(token, { type: 'bearer' }).send({ operations });
  const update = 'upload/files';

  test('describes files together with entries, if nobody has changed them', async () => {
    const [file] = await upload(client.service, { content: 'menu', name: 'menu.txt' });
    const path = `/api/upload/files/${file.id}`;
    const former = await get(path);
    const data = { alternativeText: 'What there is', caption: null };
    const operation = { update, id: file.id, data, ifMatch: former.headers['etag'] };
    const operations = [operation, { create: 'tags', data: { name: 'With a menu' } }];
    const tried = await batch(operations, '?dryRun=true');
    expect(tried.body.data).toMatchObject([{ id: file.id, name: 'menu.txt', ...data }, { id: null }]);
    expect((await get(path)).body).toEqual(former.body);
    const { body } = await batch(operations);
    const { updatedAt, ...unchanged } = former.body;
    expect(body.data[0]).toEqual({ ...unchanged, ...data, updatedAt: expect.any(String) });
    expect([(await get(path)).body, updatedAt]).toEqual([body.data[0], expect.any(String)]);
    expect((await batch([operation])).status).toBe(412);
  });

  test.each<[object, number, string]>([
    [{ update, id: 1, data: { url: '/x' } }, 400, 'operations[0].data must not have url'],
    [
      { update, id: 1, data: { name: null } },
      400,
      'operations[0].data.name: name must be a `string` type, but the final value was: `null`.',
    ],
    [{ update, id: 9999, data: { caption: 'x' } }, 404, 'operations[0]: Not Found'],
    [{ delete: update, id: 1 }, 400, 'operations[0]: plugin::upload.file has only update'],
    [{ create: update, data: { name: 'x' } }, 400, 'operations[0]: plugin::upload.file has only update'],
  ])('refuses %j', async (operation, status, message) => {
    const { body, status: answered } = await batch([operation]);
    expect([answered, body.error.message]).toEqual([status, message]);
  });

  test('needs the permission for uploads, and with ifMatch that to read a file', async () => {
    const [file] = await upload(client.service, { content: 'menu', name: 'menu.txt' });
    const { headers } = await get(`/api/upload/files/${file.id}`);
    await declare(
      client.service,
      {},
      { uploader: ['plugin::upload.content-api.upload'], reader: ['plugin::upload.content-api.findOne'] },
    );
    const operation = { update, id: file.id, data: { caption: 'x' } };
    const statuses = [];
    for (const sent of [{ ...operation, ifMatch: headers['etag'] }, operation])
      for (const name of ['reader', 'uploader']) statuses.push((await batch([sent], '', keyOf(name))).status);
    expect(statuses).toEqual([403, 403, 403, 200]);
  });
});

test('a folder in a request has no effect without the setting', async () => {
  const info = { fileInfo: { folder: 'none' } };
  const { status, body } = await send(client.service, 'post', '/api/upload', [{ content: 'x', name: 'x.txt' }], info);
  expect(status).toBe(200);
  expect((await get(`/api/upload/files?folder=none&filters[id]=${body[0].id}`)).body).toEqual(body);
  for (const route of ['folders', 'folder-structure']) expect((await get(`/api/upload/${route}`)).status).toBe(404);
});

test('an image smaller than every size gets no sizes, and other files get no dimensions', async () => {
  const files = await upload(
    client.service,
    { content: await picture(64, 64), name: 'small.png' },
    { content: 'plain text fixture\nsecond line\n', name: 'notes.txt', type: 'text/plain' },
  );
  expect(files[0]).toMatchObject({ width: 64, height: 64, formats: null });
  expect(files[1]).toMatchObject({ width: null, height: null, formats: null, size: 0.03, ext: '.txt' });
});

test('an SVG gets dimensions, and a GIF stays animated', async () => {
  const frames = await Promise.all(['red', 'blue'].map((colour) => picture(300, 200, 'png', colour)));
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"/>';
  const [vector, animated] = await upload(
    client.service,
    { content: svg, name: 'a.svg', type: 'image/svg+xml' },
    { content: gif, name: 'a.gif', type: 'image/gif' },
  );
  expect(vector).toMatchObject({ width: 300, height: 200, formats: null, mime: 'image/svg+xml' });
  expect(animated).toMatchObject({ width: 300, height: 200, mime: 'image/gif' });
  const { body } = await request(client.service.url).get(animated.url);
  expect(body.equals(gif)).toBe(true);
});

test('a photograph with an orientation flag is stored upright', async () => {
  const sideways = await sharp(await picture(400, 300, 'jpeg'))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const [file] = await upload(client.service, { content: sideways, name: 'a.jpg' });
  expect(file).toMatchObject({ width: 300, height: 400, formats: { thumbnail: { width: 117, height: 156 } } });
});

test('a file by id has all attributes, whatever the fields parameter', async () => {
  const [file] = await upload(client.service, { content: await picture(10, 10), name: 'red.png' });
  const { body: whole } = await client.get(`/api/upload/files/${file.id}`);
  expect(whole).toMatchObject({ id: file.id, name: 'red.png', url: file.url });
  for (const fields of ['fields=url', 'fields=', 'fields[a]=url']) {
    expect((await client.get(`/api/upload/files/${file.id}?${fields}`)).body).toEqual(whole);
  }
  const { status, body } = await client.get(`/api/upload/files/${file.id}?fields=nope`);
  expect([status, body.error.message]).toEqual([400, 'Invalid parameter nope']);
  const { body: listed } = await client.get(`/api/upload/files?filters[id]=${file.id}&fields=url`);
  expect(listed).toEqual([{ id: file.id, url: file.url }]);
});

test('fileInfo is one object for one file, and a list for several', async () => {
  const red = { content: await picture(10, 10), name: 'red.png' };
  const uploadInfo = { name: 'said', alternativeText: 'alt', caption: 'cap', hash: 'x' };
  const { body: one } = await send(client.service, 'post', '/api/upload', [red], { fileInfo: uploadInfo });
  expect(one).toMatchObject([{ name: 'said', alternativeText: 'alt', caption: 'cap' }]);
  expect(one[0].hash).toMatch(/^said_/);
  const infos = [{ caption: 'first' }, { name: 5 }];
  const { body: two } = await send(client.service, 'post', '/api/upload', [red, red], { fileInfo: infos });
  expect(two).toMatchObject([
    { name: 'red.png', caption: 'first' },
    { name: '5', caption: null },
  ]);
});

test.each([
  [
    'nonsense',
    1,
    ['fileInfo'],
    'fileInfo must be a `object` type, but the final value was: `null` (cast from the value `"nonsense"`).',
  ],
  [
    '[]',
    1,
    ['fileInfo'],
    'fileInfo must be a `object` type, but the final value was: `null` (cast from the value `"[]"`).',
  ],
  [
    '{}',
    2,
    ['fileInfo'],
    'fileInfo must be a `array` type, but the final value was: `null` (cast from the value `"{}"`).',
  ],
  [
    '[{"name":["a"]},{}]',
    2,
    ['fileInfo', '0', 'name'],
    'fileInfo[0].name must be a `string` type, but the final value was: `[\n  "\\"a\\""\n]`.',
  ],
])('%s as fileInfo of %d files is refused', async (fileInfo, count, path, message) => {
  const parts = Array.from({ length: count }, () => ({ content: 'x', name: 'a.txt' }));
  const { status, body } = await send(client.service, 'post', '/api/upload', parts, { fileInfo });
  expect(status).toBe(400);
  expect(body.error.details.errors).toEqual([{ path, message, name: 'ValidationError' }]);
});

test.each([
  ['no form', undefined],
  ['a form without files', []],
  ['a file in another field', [{ content: 'x', name: 'a.txt', field: 'file' }]],
  ['a file without a byte', [{ content: '', name: 'a.txt' }]],
])('%s is refused as an upload', async (_what, parts) => {
  const { status, body } = await (parts === undefined
    ? post('/api/upload', {})
    : send(client.service, 'post', '/api/upload', parts, { fileInfo: '{}' }));
  expect([status, body.error.name, body.error.message]).toEqual([400, 'ValidationError', 'Files are empty']);
});

test('file information can be updated in part, with a form or with JSON', async () => {
  const [{ id }] = await upload(client.service, { content: 'x', name: 'a.txt' });
  const { body: first } = await send(client.service, 'post', `/api/upload?id=${id}`, [], {
    fileInfo: { caption: 'c' },
  });
  expect(first).toMatchObject({ id, name: 'a.txt', caption: 'c' });
  const { body: second } = await post(`/api/upload?id=${id}`, { fileInfo: { name: 'b', caption: null } });
  expect(second).toMatchObject({ id, name: 'b', caption: 'c' });
});

test('a focal point is shown only where one was set, and stays with the proportions of the image', async () => {
  const [{ id, ...before }] = await upload(client.service, { content: await picture(600, 400), name: 'a.png' });
  expect(before).not.toHaveProperty('focalPoint');
  const read = async (): Promise<unknown> => (await get(`/api/upload/files/${id}`)).body.focalPoint;
  const change = async (fileInfo: object, ...parts: Parameters<typeof upload>[1][]): Promise<unknown> =>
    (await send(client.service, 'post', `/api/upload?id=${id}`, parts, { fileInfo })).body.focalPoint;
  expect(await change({ focalPoint: { x: 0.25, y: 1, z: 7 } })).toEqual({ x: 0.25, y: 1 });
  expect(await change({ caption: 'c' })).toEqual({ x: 0.25, y: 1 });
  const entry = await client.create('articles', { title: 'Focused', cover: id });
  const { body } = await get(`/api/articles/${entry}?populate=cover`);
  expect(body.data.attributes.cover.data.attributes.focalPoint).toEqual({ x: 0.25, y: 1 });
  expect(await change({}, { content: await picture(300, 200), name: 'b.png' })).toEqual({ x: 0.25, y: 1 });
  expect(await change({}, { content: await picture(300, 300), name: 'c.png' })).toBeUndefined();
  const part = { content: await picture(200, 300), name: 'd.png' };
  expect(await change({ focalPoint: { x: 0, y: 0.5 } }, part)).toEqual({ x: 0, y: 0.5 });
  expect(await change({ focalPoint: null })).toBeUndefined();
  expect(await read()).toBeUndefined();
  const { body: added } = await send(client.service, 'post', '/api/upload', [part, part], {
    fileInfo: [{ focalPoint: { x: 1, y: 1 } }, {}],
  });
  expect(added.map(({ focalPoint }: { readonly focalPoint?: unknown }) => focalPoint)).toEqual([
    { x: 1, y: 1 },
    undefined,
  ]);
});

test.each([
  [
    'center',
    ['fileInfo', 'focalPoint'],
    'fileInfo.focalPoint must be a `object` type, but the final value was: `null` (cast from the value `"center"`).',
  ],
  [
    { x: 0.5 },
    ['fileInfo', 'focalPoint', 'y'],
    'fileInfo.focalPoint.y must be a `number` type, but the final value was: `NaN` (cast from the value `undefined`).',
  ],
  [{ x: -0.1, y: 0 }, ['fileInfo', 'focalPoint', 'x'], 'fileInfo.focalPoint.x must be greater than or equal to 0'],
  [{ x: 0, y: 50 }, ['fileInfo', 'focalPoint', 'y'], 'fileInfo.focalPoint.y must be less than or equal to 1'],
])('the focal point %j is refused', async (focalPoint, path, message) => {
  const [{ id }] = await upload(client.service, { content: 'x', name: 'a.txt' });
  const { status, body } = await post(`/api/upload?id=${id}`, { fileInfo: { focalPoint } });
  expect([status, body.error.details]).toEqual([400, { errors: [{ path, message, name: 'ValidationError' }] }]);
});

test('a replaced file keeps its URL, and has the sizes of the new content', async () => {
  const [before] = await upload(client.service, { content: await picture(600, 600), name: 'a.png' });
  const parts = [{ content: await picture(300, 200, 'jpeg'), name: 'b.jpg' }];
  const { body: after } = await send(client.service, 'post', `/api/upload?id=${before.id}`, parts);
  expect(after).toMatchObject({ id: before.id, name: 'b.jpg', width: 300, height: 200, mime: 'image/jpeg' });
  expect([after.url, after.hash, after.ext]).toEqual([before.url, before.hash, '.png']);
  expect(Object.keys(after.formats)).toEqual(['thumbnail']);
  const text = [{ content: 'text', name: 'c.txt' }];
  expect((await send(client.service, 'post', `/api/upload?id=${before.id}`, text)).body).toMatchObject({
    name: 'c.txt',
    formats: {},
    width: 300,
  });
});

test.each(['99999', 'abc', '-1'])('the file id %s is not found', async (id) => {
  const part = { content: 'x', name: 'a.txt' };
  const before = await storedIn(client.service);
  const info = await send(client.service, 'post', `/api/upload?id=${id}`, [], { fileInfo: { name: 'x' } });
  const replaced = await send(client.service, 'post', `/api/upload?id=${id}`, [part]);
  for (const { status, body } of [info, replaced]) {
    expect([status, body.error.name, body.error.message]).toEqual([404, 'NotFoundError', 'Entity not found']);
  }
  for (const { status, body } of [
    await get(`/api/upload/files/${id}`),
    await client.delete(`/api/upload/files/${id}`),
  ]) {
    expect([status, body.error.message]).toEqual([404, 'file.notFound']);
  }
  expect(await storedIn(client.service)).toEqual(before);
});

test('a file cannot be replaced by two', async () => {
  const [{ id }] = await upload(client.service, { content: 'x', name: 'a.txt' });
  const parts = [1, 2].map(() => ({ content: 'y', name: 'b.txt' }));
  const { status, body } = await send(client.service, 'post', `/api/upload?id=${id}`, parts);
  expect([status, body.error.message]).toEqual([400, 'Cannot replace a file with multiple ones']);
});

test('deleting a file removes its sizes and its references', async () => {
  const [file] = await upload(client.service, { content: await picture(600, 600), name: 'gone.png' });
  const author = await client.create('authors', { name: 'Ann', avatar: file.id });
  const { body } = await client.delete(`/api/upload/files/${file.id}`);
  expect(body).toEqual(file);
  expect((await storedIn(client.service)).filter((name) => name.includes(file.hash))).toEqual([]);
  expect((await get(file.url)).status).toBe(404);
  expect((await get(`/api/authors/${author}?populate=avatar`)).body.data.attributes.avatar.data).toBeNull();
});

test('the list of files accepts the query language, and start and limit at the top level', async () => {
  const names = ['list-c.txt', 'list-a.txt', 'list-b.txt'];
  await upload(client.service, ...names.map((name) => ({ content: name, name })));
  const list = '/api/upload/files?filters[name][$startsWith]=list-&sort=name&fields[0]=name';
  const namesOf = async (address: string) => (await get(address)).body.map(({ name }: { name: string }) => name);
  expect(await namesOf(list)).toEqual(names.toSorted());
  expect(await namesOf(`${list}&start=1&limit=1`)).toEqual(['list-b.txt']);
  expect(await namesOf(`${list}&pagination[pageSize]=1&page=2`)).toEqual(names.toSorted());
  expect((await get(`${list}&filters[nope]=1`)).body.error.message).toBe('Invalid parameter nope');
});

test('the temporary folder is empty after all uploads', async () => {
  expect(await leftovers(client.service.dataFolder)).toEqual([]);
});

test('an upload of several files of which one is refused stores nothing and uses up no id', async () => {
  const [before] = await upload(client.service, { content: 'before', name: 'before.txt' });
  const [stored, parts] = [
    await storedIn(client.service),
    ['one.txt', 'two.txt'].map((name) => ({ content: name, name })),
  ];
  const fileInfo = [{ caption: 'One' }, { caption: 'half a pair: \ud800' }];
  const { status, body } = await send(client.service, 'post', '/api/upload', parts, { fileInfo });
  expect([status, body.error.name]).toEqual([400, 'ValidationError']);
  expect(await storedIn(client.service)).toEqual(stored);
  const [next] = await upload(client.service, { content: 'next', name: 'next.txt' });
  expect(next.id).toBe(before.id + 1);
});
