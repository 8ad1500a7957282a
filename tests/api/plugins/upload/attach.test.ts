import { describe, expect, test } from '@jest/globals';
import type { Data } from '../../../../src/config/record.js';
import type { ContentType } from '../../../../src/content-types/model/types.js';
import { system } from '../../../../src/documents/caller.js';
import { AppError } from '../../../../src/errors/app-error.js';
import { createBodyReader } from '../../../../src/plugins/upload/forms/body-reader.js';
import type { Running } from '../../../../src/plugins/upload/running.js';
import { useService, type Answer } from '../../../support/service.js';
import { leftovers, picture, send, storedIn, tokenFor, upload } from './media.js';

const client = useService();
const { get, create } = client;
const file = (name: string, field = 'files') => ({ content: `content of ${name}`, name, field });

interface Named {
  readonly attributes: { readonly name: string };
}

const namesIn = (files: readonly Named[] | null) => files?.map(({ attributes }) => attributes.name);

const mediaOf = async (id: number) => {
  const { body } = await get(`/api/articles/${id}?populate[cover][fields]=name&populate[gallery][fields]=name`);
  const { cover, gallery } = body.data.attributes;
  return {
    cover: cover.data?.attributes.name,
    gallery: namesIn(gallery.data),
  };
};

const attach = (id: number | string, field: string | undefined, ...names: readonly string[]) =>
  send(
    client.service,
    'post',
    '/api/upload',
    names.map((name) => file(name)),
    { ref: 'api::article.article', refId: String(id), ...(field !== undefined && { field }) },
  );

test('uploaded files replace a single media field and are appended to a list', async () => {
  const id = await create('articles', { title: 'attach' });
  await attach(id, 'cover', 'a.txt');
  await attach(id, 'cover', 'b.txt');
  await attach(id, 'gallery', 'c.txt', 'd.txt');
  await attach(id, 'gallery', 'e.txt');
  expect(await mediaOf(id)).toEqual({ cover: 'b.txt', gallery: ['c.txt', 'd.txt', 'e.txt'] });
});

test('concurrent uploads to a list are all kept', async () => {
  const id = await create('articles', { title: 'attach at once' });
  const names = ['1.txt', '2.txt', '3.txt', '4.txt'];
  await Promise.all(names.map((name) => attach(id, 'gallery', name)));
  expect((await mediaOf(id)).gallery?.toSorted()).toEqual(names);
});

test.each([
  ['no field', undefined, undefined],
  ['a field that the type does not have', 'nope', undefined],
  ['a field that holds no files', 'title', undefined],
  ['an entry that there is not', 'cover', '99999'],
])('a file for %s is stored without a relation', async (_what, field, other) => {
  const id = await create('articles', { title: 'nothing attached' });
  const { status, body } = await attach(other ?? id, field, 'alone.txt');
  expect([status, body[0].name]).toEqual([200, 'alone.txt']);
  expect(await mediaOf(id)).toEqual({ cover: undefined, gallery: undefined });
});

test.each([
  [{ ref: 'api::nope.nope', refId: '1', field: 'cover' }, 'ref'],
  [{ ref: 'api::article.article', refId: 'abc', field: 'cover' }, 'refId'],
])('a file for %j is refused, and nothing is stored', async (target, name) => {
  const before = await storedIn(client.service);
  const { status, body } = await send(client.service, 'post', '/api/upload', [file('x.txt')], target);
  expect([status, body.error.details.errors[0].path]).toEqual([400, [name]]);
  expect(await storedIn(client.service)).toEqual(before);
});

test('attaching files requires permission to write the entry', async () => {
  const token = await tokenFor(client.service, 'plugin::upload.content-api.upload');
  const id = await create('articles', { title: 'not yours' });
  const before = await storedIn(client.service);
  const fields = { ref: 'api::article.article', refId: String(id), field: 'cover' };
  const { status } = await send({ ...client.service, token }, 'post', '/api/upload', [file('x.txt')], fields);
  expect(status).toBe(403);
  expect(await mediaOf(id)).toEqual({ cover: undefined, gallery: undefined });
  expect(await storedIn(client.service)).toEqual(before);
});

test.each([
  ['cover', 9999, 400],
  ['cover', { set: [9999] }, 400],
  ['cover', {}, 200],
  ['gallery', [9999], 400],
  ['gallery', { disconnect: [1] }, 200],
])('a file for %s beside %j in the data gets %i', async (field, value, expected) => {
  const before = await storedIn(client.service);
  const fields = { data: JSON.stringify({ title: 'beside', [field]: value }) };
  const files = [file('new.txt', `files.${field}`)];
  const { status, body } = await send(client.service, 'post', '/api/articles', files, fields);
  expect(status).toBe(expected);
  if (status === 400) {
    expect(body.error.message).toBe(
      '1 relation(s) of type plugin::upload.file associated with this entity do not exist',
    );
    expect(await storedIn(client.service)).toEqual(before);
    return;
  }
  const media = await mediaOf(body.data.id);
  expect([media.cover, media.gallery].flat()).toContain('new.txt');
});

test('an entry can be created with files in every media field', async () => {
  const data = {
    title: 'multipart',
    seo: { metaTitle: 'meta' },
    blocks: [{ __component: 'blocks.text', content: 'text' }, { __component: 'blocks.media' }],
  };
  const { status, body } = await send(
    client.service,
    'post',
    '/api/articles?populate[cover]=*&populate[gallery]=*&populate[seo][populate]=shareImage&populate[blocks][populate]=file',
    [
      { content: await picture(300, 300), name: 'cover.png', field: 'files.cover' },
      file('g1.txt', 'files.gallery'),
      file('g2.txt', 'files.gallery'),
      file('share.txt', 'files.seo.shareImage'),
      file('block.txt', 'files.blocks.1.file'),
      file('nowhere.txt', 'files.nope'),
    ],
    { data },
  );
  expect(status).toBe(200);
  const { cover, gallery, seo, blocks } = body.data.attributes;
  expect(cover.data.attributes).toMatchObject({ name: 'cover.png', width: 300 });
  expect(namesIn(gallery.data)).toEqual(['g1.txt', 'g2.txt']);
  expect(seo.shareImage.data.attributes.name).toBe('share.txt');
  expect(blocks[1].file.data.attributes.name).toBe('block.txt');
});

test('an entry can be updated with files, also in components that the data does not name', async () => {
  const id = await create('articles', {
    title: 'before',
    seo: { metaTitle: 'kept' },
    blocks: [
      { __component: 'blocks.text', content: 'kept' },
      { __component: 'blocks.media', caption: 'kept' },
    ],
  });
  await attach(id, 'gallery', 'first.txt');
  const { status, body } = await send(
    client.service,
    'put',
    `/api/articles/${id}?populate[gallery]=*&populate[seo][populate]=shareImage&populate[blocks][populate]=file`,
    [
      file('second.txt', 'files.gallery'),
      file('share.txt', 'files.seo.shareImage'),
      file('block.txt', 'files.blocks.1.file'),
    ],
    { data: { title: 'after' } },
  );
  expect(status).toBe(200);
  const { title, gallery, seo, blocks } = body.data.attributes;
  expect(title).toBe('after');
  expect(namesIn(gallery.data)).toEqual(['first.txt', 'second.txt']);
  expect([seo.metaTitle, seo.shareImage.data.attributes.name]).toEqual(['kept', 'share.txt']);
  expect([blocks[0].content, blocks[1].caption, blocks[1].file.data.attributes.name]).toEqual([
    'kept',
    'kept',
    'block.txt',
  ]);
});

const shareImageOf = ({ body }: Answer) => body.data.attributes.seo.shareImage.data.attributes.name;

test('a single type accepts files with its data, in its first and later writes', async () => {
  const address = '/api/homepage?populate[seo][populate]=shareImage';
  const first = { data: { title: 'home', seo: { metaTitle: 'meta' } } };
  const parts = [file('first.txt', 'files.seo.shareImage')];
  expect(shareImageOf(await send(client.service, 'put', address, parts, first))).toBe('first.txt');
  const others = [file('second.txt', 'files.seo.shareImage')];
  const second = await send(client.service, 'put', address, others, { data: { title: 'home again' } });
  expect([shareImageOf(second), second.body.data.attributes.seo.metaTitle]).toEqual(['second.txt', 'meta']);
});

test('the files of a refused entry are deleted', async () => {
  const before = [await storedIn(client.service), await client.service.entries.count('plugin::upload.file')];
  const parts = [{ content: await picture(300, 300), name: 'cover.png', field: 'files.cover' }];
  const { status, body } = await send(client.service, 'post', '/api/articles', parts, {
    data: { summary: 'no title here' },
  });
  expect([status, body.error.message]).toEqual([400, 'title must be defined.']);
  expect([await storedIn(client.service), await client.service.entries.count('plugin::upload.file')]).toEqual(before);
});

test.each([true, false])('the files of a form whose write fails stay if it was stored: %s', async (isStored) => {
  const { entries, registry, documents } = client.service;
  const type = registry.contentTypes.get('api::article.article') as ContentType;
  const [{ id }] = await upload(client.service, file('kept.txt'));
  const takenBack: unknown[] = [];
  const context = { entries, registry, documents, settings: { environment: 'test' } };
  const files = {
    upload: async () => [{ id }],
    takeBack: async (created: object[]) => void takenBack.push(...created),
  };
  const reader = createBodyReader(() => ({ context, files }) as unknown as Running);
  const received = { field: 'files.cover', name: 'kept.txt', type: 'text/plain', size: 1, path: '' };
  const form = { fields: { data: '{"title":"stored"}' }, files: [received] };
  const written = { type, id: undefined, isNew: true, caller: system, address: '' };
  const writing = reader.attachFiles(form, written, async (body) => {
    if (isStored) await entries.create(type.uid, (body as { readonly data: object }).data as Data);
    throw new AppError('unavailable');
  });
  await expect(writing).rejects.toMatchObject({ code: 'unavailable' });
  expect(takenBack).toEqual(isStored ? [] : [{ id }]);
});

describe('a file that no media field takes is neither opened nor stored', () => {
  /** An image that is refused once it is opened. */
  const broken = async (field: string) => ({
    ...file('broken.png', field),
    content: (await picture(300, 300)).subarray(0, 100),
  });
  const state = async () => [await storedIn(client.service), await client.service.entries.count('plugin::upload.file')];

  test.each([
    'nope',
    'title',
    'seo',
    'seo.nope',
    'seo.shareImage',
    'blocks.0.content',
    'blocks.1.file',
    'author.cover',
    '__proto__',
  ])('in a form with files.%s', async (path) => {
    const before = await state();
    const data = { title: 'ignored', blocks: [{ __component: 'blocks.text', content: 'text' }] };
    const parts = [await broken(`files.${path}`)];
    const created = await send(client.service, 'post', '/api/articles', parts, { data });
    expect([created.status, created.body.error]).toEqual([200, undefined]);
    const address = `/api/articles/${created.body.data.id}`;
    expect((await send(client.service, 'put', address, parts, { data: { title: 'still' } })).status).toBe(200);
    expect(await state()).toEqual(before);
  });

  test('of several for one field, of which the last counts', async () => {
    const before = await client.service.entries.count('plugin::upload.file');
    const parts = [await broken('files.cover'), file('last.txt', 'files.cover')];
    const { body } = await send(client.service, 'post', '/api/articles', parts, { data: { title: 'one cover' } });
    expect((await mediaOf(body.data.id)).cover).toBe('last.txt');
    expect(await client.service.entries.count('plugin::upload.file')).toBe(before + 1);
  });

  test('in a form for an entry that there is not', async () => {
    const before = await state();
    const parts = [await broken('files.cover')];
    expect((await send(client.service, 'put', '/api/articles/99999', parts, { data: { title: 'x' } })).status).toBe(
      404,
    );
    expect(await state()).toEqual(before);
  });
});

test.each([
  ['files without the prefix', [file('a.txt', 'cover')], { data: { title: 'x' } }, /prefixing them with the 'files'/],
  ['no data', [], {}, /JSON 'data' field/],
  ['data that is not JSON', [], { data: 'nonsense' }, /should be a valid JSON/],
])('a form with %s is refused', async (_what, parts, fields, message) => {
  const { status, body } = await send(client.service, 'post', '/api/articles', parts, { other: 'x', ...fields });
  expect([status, body.error.name]).toEqual([400, 'BadRequestError']);
  expect(body.error.message).toMatch(message);
});

test.each(['null', '5', '"text"'])('a form with the data %s has none', async (data) => {
  const { status, body } = await send(client.service, 'post', '/api/articles', [], { data });
  expect([status, body.error.message]).toEqual([400, 'Missing "data" payload in the request body']);
});

test('a form with a list as its data is refused by name, and its files are not stored', async () => {
  const before = await storedIn(client.service);
  const { status, body } = await send(client.service, 'post', '/api/articles', [file('a.txt', 'files.cover')], {
    data: '[]',
  });
  expect([status, body.error.details.errors[0].path]).toEqual([400, []]);
  expect(await storedIn(client.service)).toEqual(before);
});

describe('if the entry refuses its file', () => {
  const refusing = useService({
    extension: {
      lifecycles: {
        'api::article.article': {
          beforeUpdate: () => {
            throw new AppError('application', 'Not today');
          },
        },
      },
    },
  });

  test('no file is stored', async () => {
    const id = await refusing.create('articles', { title: 'closed' });
    const target = { ref: 'api::article.article', refId: String(id), field: 'cover' };
    const { status, body } = await send(refusing.service, 'post', '/api/upload', [file('a.txt')], target);
    expect([status, body.error.message]).toEqual([400, 'Not today']);
    expect((await refusing.get('/api/upload/files')).body).toEqual([]);
    expect(await storedIn(refusing.service)).toEqual([]);
  });
});

test('the temporary folder is empty after all uploads', async () => {
  expect(await leftovers(client.service.dataFolder)).toEqual([]);
});

test('a form that is sent with a deletion is not read', async () => {
  const id = await create('articles', { title: 'deleted' });
  const { url, token } = client.service;
  const body = new FormData();
  body.append('note', new Blob(['text']), 'note.txt');
  const headers = { authorization: `Bearer ${token}` };
  const { status } = await fetch(`${url}/api/articles/${id}`, { method: 'DELETE', headers, body });
  expect(status).toBe(200);
  expect((await get(`/api/articles/${id}`)).status).toBe(404);
});
