import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare, type Permission } from '../../../support/access.js';
import { createUser } from '../../../support/create-user.js';
import { useService, type Answer } from '../../../support/service.js';

const client = useService({
  contentTypes: 'packages/versions/tests/content-types',
  plugins: { versions: true, i18n: { config: { locales: ['en', 'de'] } } },
});
const uid = 'api::article.article';
const reading = ['find', 'findOne', 'find.drafts'].map((action) => `${uid}.${action}`);
const roles: Readonly<Record<string, readonly Permission[]>> = {
  writer: [...reading, `${uid}.create.drafts`, `${uid}.update.drafts`],
  chief: [...reading, `${uid}.create`, `${uid}.update`, `${uid}.delete`],
  reader: reading,
};
type Name = 'writer' | 'chief' | 'reader';
type Method = 'get' | 'put' | 'post' | 'delete';
type Body = Readonly<Record<string, unknown>>;

const tokens: Record<string, string> = {};
beforeAll(async () => {
  await declare(client.service, { ...roles, public: ['plugin::users-permissions.auth.callback'] });
  const found = await client.service.entries.findMany('plugin::users-permissions.role', {});
  for (const name of Object.keys(roles)) {
    await createUser(client, name, 'works-at-the-paper');
    const role = found.find(({ type }) => type === name)?.id;
    const [user] = await client.service.entries.findMany('plugin::users-permissions.user', {
      filters: { username: name },
    });
    await client.service.entries.update('plugin::users-permissions.user', user?.id ?? 0, { role });
    const login = { identifier: name, password: 'works-at-the-paper' };
    tokens[name] = (await request(client.service.url).post('/api/auth/local').send(login)).body.jwt;
  }
});

const by =
  (name: Name) =>
  async (method: Method, path: string, body?: Body): Promise<Answer> => {
    const agent = request(client.service.url);
    const sent = agent[method](`/api/articles${path}`).auth(tokens[name] ?? '', { type: 'bearer' });
    return body === undefined ? sent : sent.send(body);
  };
const [writer, chief, reader] = [by('writer'), by('chief'), by('reader')];
const save = (id: number, data: Body, status = '?status=draft') => writer('put', `/${id}${status}`, { data });
const stored = async (id: number) =>
  client.service.database.db.collection<{ _id: number }>('articles').findOne({ _id: id });

/** What may be asked for: a draft, and what is prepared of a published entry. */
const states: Readonly<Record<string, () => Promise<number>>> = {
  'a draft': () => client.create('articles', { title: 'Bread', publishedAt: null }),
  'a working copy': async () => {
    const id = await client.create('articles', { title: 'Flour' });
    await save(id, { title: 'Bread' });
    return id;
  },
};

describe.each(Object.entries(states))('%s', (_, create) => {
  let id: number;
  beforeEach(async () => {
    id = await create();
  });
  const ask = async (note?: string): Promise<string> => {
    const { status, body } = await writer('post', `/${id}/review`, note === undefined ? {} : { note });
    expect([status, body.data?.state]).toEqual([200, 'ready']);
    return body.data.tag;
  };
  const publish = (tag: string) => chief('post', `/${id}/review/publish`, { tag });
  const review = async (): Promise<any> => (await chief('get', `/${id}/review`)).body.data; // oxlint-disable-line typescript/no-explicit-any
  const isPublished = async (): Promise<unknown> => (await chief('get', `/${id}`)).body.data?.attributes;

  test('is asked for by its writer, and published by who may', async () => {
    expect(await review()).toBeNull();
    const tag = await ask('For Friday');
    const at = expect.any(String);
    const notes = [{ by: 'writer', at, back: false, text: 'For Friday' }];
    expect(await review()).toEqual({ tag, state: 'ready', at, by: 'writer', changed: false, notes });
    expect((await writer('post', `/${id}/review/publish`, { tag })).status).toBe(403);
    expect((await save(id, {}, '?status=published')).status).toBe(403);
    expect((await publish(tag)).body).toEqual({ data: { id } });
    expect(await isPublished()).toMatchObject({ title: 'Bread', publishedAt: at });
    expect(await review()).toBeNull();
    expect(await stored(id)).not.toHaveProperty('_review');
    expect((await publish(tag)).status).toBe(412);
  });

  test('is not published when it has changed since', async () => {
    const tag = await ask();
    await save(id, { title: 'Rye' });
    expect(await review()).toMatchObject({ state: 'ready', changed: true });
    expect((await publish(tag)).status).toBe(412);
    expect((await chief('get', `/${id}?status=draft`)).body.data.attributes.title).toBe('Rye');
    const again = await ask('Now with rye');
    expect((await publish(tag)).status).toBe(412);
    expect(await review()).toMatchObject({ tag: again, changed: false, notes: [{}, { text: 'Now with rye' }] });
    expect((await publish(again)).status).toBe(200);
    expect(await isPublished()).toMatchObject({ title: 'Rye' });
  });

  test('is sent back with a sentence, and asked for again', async () => {
    const tag = await ask();
    expect((await chief('post', `/${id}/review/return`, { tag })).body.error).toMatchObject({
      status: 400,
      message: 'note is required',
      details: { errors: [{ path: ['note'] }] },
    });
    expect((await writer('post', `/${id}/review/return`, { tag, note: 'No' })).status).toBe(403);
    const sent = await chief('post', `/${id}/review/return`, { tag, note: 'Which flour?' });
    expect(sent.body.data).toMatchObject({ state: 'back', by: 'writer', notes: [{}, { by: 'chief', back: true }] });
    expect((await publish(tag)).status).toBe(412);
    expect((await chief('post', `/${id}/review/return`, { tag, note: 'Again' })).status).toBe(412);
    await ask('Rye flour');
    expect((await review()).notes.map(({ text }: { text: string }) => text)).toEqual([
      null,
      'Which flour?',
      'Rye flour',
    ]);
  });

  test('is asked for no longer once it is published, withdrawn or deleted', async () => {
    await ask();
    expect((await writer('delete', `/${id}/review`)).body).toEqual({ data: null });
    expect(await review()).toBeNull();
    await ask();
    await chief('put', `/${id}?status=published`, { data: {} });
    expect(await stored(id)).not.toHaveProperty('_review');
    await save(id, { title: 'Second' });
    expect(await review()).toBeNull();
    await ask();
    await chief('delete', `/${id}`);
    expect((await client.post(`/api/articles/trash/${id}/restore`, {})).status).toBe(200);
    expect(await review()).toBeNull();
  });

  test('keeps the last twenty notes', async () => {
    for (let time = 1; time <= 22; time += 1) await ask(`Time ${time}`);
    const { notes } = await review();
    expect([notes.length, notes[0].text, notes.at(-1).text]).toEqual([20, 'Time 3', 'Time 22']);
  });

  test('shows nothing of it to others, who get what they got before', async () => {
    const paths = ['', '?status=draft', `/${id}`, `/${id}?status=draft`, '/count', '/schedules'];
    const all = async (): Promise<unknown> =>
      Promise.all(
        paths
          .map(async (path) => ({ ...(await reader('get', path)), headers: undefined }))
          .map(async (sent) => {
            const { status, text } = await sent;
            return [status, text];
          }),
      );
    const tagOf = async () => (await reader('get', `/${id}`)).headers['etag'];
    const before = [await all(), await tagOf()];
    const tag = await ask('Quietly');
    expect([await all(), await tagOf()]).toEqual(before);
    const doors: readonly (readonly [Method, string, Body?])[] = [
      ['get', ''],
      ['post', '', {}],
      ['delete', ''],
      ['post', '/return', { tag, note: 'No' }],
      ['post', '/publish', { tag }],
    ];
    for (const [method, path, body] of doors)
      expect((await reader(method, `/${id}/review${path}`, body)).status).toBe(403);
  });
});

test('nothing is asked for where nothing waits', async () => {
  const id = await client.create('articles', { title: 'Bread' });
  const answer = await writer('post', `/${id}/review`, {});
  expect([answer.status, answer.body.error.message]).toEqual([
    409,
    'There is nothing to publish: the entry is published as it is',
  ]);
  expect((await writer('post', '/999/review', {})).status).toBe(404);
  expect((await writer('post', `/${id}/review`, { text: 'Please' })).body.error.message).toBe('text is not known');
  expect((await writer('post', `/${id}/review`, { note: 'x'.repeat(501) })).status).toBe(400);
  // What is prepared is taken back by hand.
  await save(id, { title: 'Rye' });
  await writer('post', `/${id}/review`, {});
  await save(id, { title: 'Bread' });
  expect(await stored(id)).not.toHaveProperty('_review');
  await save(id, { title: 'Rye' });
  await writer('post', `/${id}/review`, {});
  await chief('delete', `/${id}?status=draft`);
  expect(await stored(id)).not.toHaveProperty('_review');
});

test('who changes what is published leaves the request about what is prepared', async () => {
  const id = await client.create('articles', { title: 'Bread', price: 1 });
  await save(id, { title: 'Rye' });
  await writer('post', `/${id}/review`, {});
  await chief('put', `/${id}`, { data: { publishedAt: '2026-01-01T00:00:00Z' } });
  expect((await chief('get', `/${id}/review`)).body.data).toMatchObject({ state: 'ready', changed: false });
  // The copy follows the entry, so other values would be published.
  await chief('put', `/${id}`, { data: { price: 2 } });
  expect((await chief('get', `/${id}/review`)).body.data).toMatchObject({ state: 'ready', changed: true });
  // What is prepared is that of the draft.
  await chief('put', `/${id}`, { data: { price: 1 } });
  await chief('put', `/${id}`, { data: { publishedAt: null } });
  expect((await chief('get', `/${id}/review`)).body.data).toMatchObject({ state: 'ready', changed: false });
});

describe('the permission for drafts alone', () => {
  test('creates and saves drafts, and publishes nothing by any door', async () => {
    const created = await writer('post', '', { data: { title: 'New' } });
    expect(created.body.data.attributes.publishedAt).toBeNull();
    const { id } = created.body.data;
    const now = new Date().toISOString();
    const refused = [
      await writer('post', '', { data: { title: 'Live', publishedAt: now } }),
      await writer('put', `/${id}`, { data: { publishedAt: now } }),
      await writer('put', `/${id}?status=published`, { data: {} }),
      await writer('post', `/${id}/schedule`, { publishAt: '2099-01-01T00:00:00Z' }),
      await writer('delete', `/${id}`),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 403, 400, 403]);
    const operations = [{ update: 'articles', id, status: 'published', data: {} }];
    const batch = await request(client.service.url)
      .post('/api/batch')
      .auth(tokens['writer'] ?? '', { type: 'bearer' })
      .send({ operations });
    expect(batch.status).toBe(403);
    const query = `mutation { updateArticle(id: ${id}, data: { publishedAt: "${now}" }) { data { id } } }`;
    const graphql = await request(client.service.url)
      .post('/graphql')
      .auth(tokens['writer'] ?? '', { type: 'bearer' })
      .send({ query });
    expect(graphql.body.errors).toHaveLength(1);
    expect((await writer('put', `/${id}`, { data: { title: 'Still a draft' } })).status).toBe(200);
    // What is published is changed beside it.
    const live = await client.create('articles', { title: 'Live' });
    expect((await writer('put', `/${live}`, { data: { title: 'Changed' } })).status).toBe(403);
    expect((await save(live, { title: 'Changed' })).status).toBe(200);
    expect((await reader('get', `/${live}`)).body.data.attributes.title).toBe('Live');
  });

  test('is none beside the permission to do both', async () => {
    await declare(client.service, { ...roles, writer: [...(roles['writer'] ?? []), `${uid}.update`] });
    const id = await client.create('articles', { title: 'Draft', publishedAt: null });
    expect((await save(id, {}, '?status=published')).status).toBe(200);
    await declare(client.service, { ...roles, public: ['plugin::users-permissions.auth.callback'] });
    expect((await save(id, {}, '?status=published')).status).toBe(403);
  });
});
