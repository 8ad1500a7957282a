import { expect, test } from '@jest/globals';
import request from 'supertest';
import { signPreview } from '../../../src/plugins/contract/access/preview-links.js';
import { useService } from '../../support/service.js';

const SECRET = 'a-secret-of-this-test';
const client = useService({
  environment: { DRAFTS: 'restricted', JWT_SECRET: SECRET, RESPONSE_CACHE: '1mb' },
  plugins: { i18n: { config: { locales: ['en', 'de', 'fr'] } } },
});
const open = useService({ environment: { JWT_SECRET: SECRET } });
const KEY = 'key-of-an-author-without-drafts';
const uid = 'api::article.article';

const send = (method: 'get' | 'put' | 'post' | 'delete', path: string, key = KEY): request.Test =>
  request(client.service.url)[method](path).auth(key, { type: 'bearer' });

/** A token with all actions of articles, and these beside them. */
async function allow(...more: readonly string[]): Promise<void> {
  const actions = ['find', 'findOne', 'create', 'update', 'delete', 'createLocalization'];
  const permissions = [...actions.map((action) => `${uid}.${action}`), ...more];
  const token = { name: 'author', key: KEY, type: 'custom', description: undefined, expiresAt: undefined } as const;
  await client.service.applyAccess({ roles: [], tokens: [{ ...token, permissions }], locales: [] });
}

test('without the permission a draft is not read, updated, deleted or localized, but its creator gets it in the response', async () => {
  await allow();
  const { body } = await send('post', '/api/articles').send({ data: { title: 'New', publishedAt: null } });
  const { id, attributes } = body.data;
  expect(attributes.title).toBe('New');
  const path = `/api/articles/${id}`;
  expect((await send('get', path)).status).toBe(404);
  expect((await send('put', path).send({ data: { title: 'Mine', publishedAt: new Date() } })).status).toBe(404);
  expect((await send('delete', path)).status).toBe(404);
  const localization = await send('post', `${path}/localizations`).send({ title: 'Neu', locale: 'de' });
  expect(localization.status).toBe(404);
  const mutation = `mutation { updateArticle(id: ${id}, data: { title: "Mine" }) { data { id } } }`;
  expect((await send('post', '/graphql').send({ query: mutation })).body.data.updateArticle.data).toBeNull();
  expect((await client.get(path)).body.data.attributes.title).toBe('New');

  await allow(`${uid}.find.drafts`);
  expect((await send('get', path)).body.data.attributes.title).toBe('New');
  expect((await send('put', path).send({ data: { title: 'Mine' } })).body.data.attributes.title).toBe('Mine');
});

test('the response to unpublishing contains the draft', async () => {
  await allow();
  const id = await client.create('articles', { title: 'Live' });
  const { status, body } = await send('put', `/api/articles/${id}`).send({ data: { publishedAt: null } });
  expect([status, body.data.attributes.publishedAt]).toEqual([200, null]);
  expect((await send('put', `/api/articles/${id}`).send({ data: { title: 'x' } })).status).toBe(404);
});

test('drafts are left out of populated localizations and of meta', async () => {
  await allow();
  const id = await client.create('articles', { title: 'Two languages' });
  const localized = await request(client.service.url)
    .post(`/api/articles/${id}/localizations`)
    .auth(client.service.token, { type: 'bearer' })
    .send({ title: 'Zwei Sprachen', locale: 'de' });
  expect(localized.status).toBe(200);
  const read = async (key?: string): Promise<unknown> => {
    const { data } = (await send('get', `/api/articles/${id}?populate=localizations`, key)).body;
    return [data.attributes.localizations.data.length, data.meta?.availableLocales?.length];
  };
  expect(await read(client.service.token)).toEqual([1, 1]);
  // Nor in the answer to a third one.
  const third = await send('post', `/api/articles/${id}/localizations`).send({ title: 'Trois', locale: 'fr' });
  expect(third.body.localizations.map(({ id }: { id: number }) => id)).toEqual([id]);
  expect(await read()).toEqual([0, 0]);
});

test('read-only tokens do not see drafts; roles and custom tokens can get the permission', async () => {
  const key = 'key-of-a-read-only-token';
  const token = { name: 'read-only', key, type: 'read-only', description: undefined, expiresAt: undefined } as const;
  await client.service.applyAccess({ roles: [], tokens: [{ ...token, permissions: [] }], locales: [] });
  const id = await client.create('articles', { title: 'Draft', publishedAt: null });
  expect((await send('get', `/api/articles/${id}`, key)).status).toBe(404);
  const role = { type: 'editor', name: 'Editor', description: undefined, permissions: [`${uid}.find.drafts`] };
  await client.service.applyAccess({ roles: [role], tokens: [], locales: [] });
  const { body } = await send('get', '/api/users-permissions/roles', client.service.token);
  const { id: roleId } = body.roles.find(({ type }: { type: string }) => type === 'editor');
  const response = await send('get', `/api/users-permissions/roles/${roleId}`, client.service.token);
  const { article } = response.body.role.permissions['api::article'].controllers;
  expect(article).toMatchObject({ 'find.drafts': { enabled: true }, find: { enabled: false } });
});

test('a preview link shows one draft for a limited time, without granting other permissions', async () => {
  await allow();
  const id = await client.create('articles', { title: 'Preview', publishedAt: null });
  const other = await client.create('articles', { title: 'Other', publishedAt: null });
  const read = (of: number, token: string): request.Test => send('get', `/api/articles/${of}?preview=${token}`);
  const token = signPreview(SECRET, { uid, id }, 60);
  const { status, body, headers } = await read(id, token);
  expect([status, body.data.attributes.title, headers['cache-control']]).toEqual([200, 'Preview', 'no-store']);
  for (const [of, wrong] of [
    [other, token],
    [id, signPreview(SECRET, { uid, id }, -1)],
    [id, signPreview('another-secret-entirely', { uid, id }, 60)],
    [id, 'nonsense'],
  ] as const) {
    expect((await read(of, wrong)).body.error).toMatchObject({
      status: 401,
      message: 'Invalid or expired preview link',
    });
  }
  expect((await send('get', '/api/articles', token)).status).toBe(401);
  // The link does not replace the permission to read entries.
  expect((await request(client.service.url).get(`/api/articles/${id}?preview=${token}`)).status).toBe(403);
});

test('a preview link shows its draft with fallbackLocale, and no draft in another locale', async () => {
  await allow();
  const { entries } = client.service;
  const draft = { slug: 'preview', title: 'Vorschau', locale: 'de', publishedAt: null };
  const { id } = await entries.create(uid, draft);
  await entries.create(uid, { ...draft, slug: 'apercu', title: 'Aperçu', locale: 'fr', localizations: [id] });
  const path = `/api/articles/${id}?locale=fr&fallbackLocale=de`;
  expect((await send('get', path)).status).toBe(404);
  const previewed = await send('get', `${path}&preview=${signPreview(SECRET, { uid, id }, 60)}`);
  expect(previewed.body.data.attributes.title).toBe('Vorschau');
});

test('a caller without the right creates the entry of a single type', async () => {
  const single = 'api::homepage.homepage';
  await allow(`${single}.find`, `${single}.update`);
  const { status, body } = await send('put', '/api/homepage').send({ data: { title: 'First' } });
  expect([status, body.data?.attributes.title]).toEqual([200, 'First']);
  await client.service.entries.delete(single, body.data.id);
});

test('a preview link shows the draft of a single type, and its relations as usual', async () => {
  await allow('api::homepage.homepage.find');
  const article = await client.create('articles', { title: 'Hidden', publishedAt: null });
  const draft = { title: 'Soon', publishedAt: null };
  expect((await client.put('/api/homepage', draft)).status).toBe(200);
  const single = 'api::homepage.homepage';
  const read = (token: string) => send('get', `/api/homepage?preview=${token}`);
  expect((await send('get', '/api/homepage')).status).toBe(404);
  expect((await read(signPreview(SECRET, { uid: single }, 60))).body.data.attributes.title).toBe('Soon');
  expect((await read(signPreview(SECRET, { uid, id: article }, 60))).status).toBe(401);
  expect((await read('nonsense')).status).toBe(401);
});

test('over GraphQL the header X-Preview shows the entry of its link and no other draft', async () => {
  await allow('api::homepage.homepage.find');
  const id = await client.create('articles', { title: 'Preview', publishedAt: null });
  const other = await client.create('articles', { title: 'Other', publishedAt: null });
  await client.put('/api/homepage', { title: 'Soon', publishedAt: null });
  const query = `{ shown: article(id: ${id}) { data { attributes { title } } } other: article(id: ${other}) { data { id } }
    articles(filters: { id: { eq: ${id} } }, publicationState: PREVIEW) { data { id } }
    homepage { data { attributes { title } } } }`;
  const ask = (token?: string): request.Test => {
    const sent = send('post', '/graphql');
    return (token === undefined ? sent : sent.set('X-Preview', token)).send({ query });
  };
  const hidden = { shown: { data: null }, other: { data: null }, articles: { data: [] }, homepage: { data: null } };
  expect((await ask()).body.data).toEqual(hidden);
  const { body, headers } = await ask(signPreview(SECRET, { uid, id }, 60));
  expect(body.data).toEqual({ ...hidden, shown: { data: { attributes: { title: 'Preview' } } } });
  expect(headers['cache-control']).toBe('no-store');
  const single = await ask(signPreview(SECRET, { uid: 'api::homepage.homepage' }, 60));
  expect(single.body.data).toEqual({ ...hidden, homepage: { data: { attributes: { title: 'Soon' } } } });
  for (const wrong of [signPreview(SECRET, { uid, id }, -1), 'nonsense']) expect((await ask(wrong)).status).toBe(401);
});

test('the cache keeps no response to a preview link', async () => {
  await allow();
  const id = await client.create('articles', { title: 'Preview', publishedAt: null });
  const query = `{ article(id: ${id}) { data { attributes { title } } } }`;
  const ask = () => send('post', '/graphql').send({ query });
  const shown: string[] = [];
  for (const _time of [1, 2, 3])
    shown.push(
      (await ask().set('X-Preview', signPreview(SECRET, { uid, id }, 60))).body.data.article.data.attributes.title,
    );
  expect(shown).toEqual(['Preview', 'Preview', 'Preview']);
  expect((await ask()).body.data.article.data).toBeNull();
});

test('with DRAFTS=open drafts are visible, and the permission is not listed', async () => {
  const id = await open.create('articles', { title: 'Draft', publishedAt: null });
  const { service } = open;
  const role = { type: 'public', name: undefined, description: undefined, permissions: [`${uid}.findOne`] };
  await service.applyAccess({ roles: [role], tokens: [], locales: [] });
  expect((await request(service.url).get(`/api/articles/${id}`)).status).toBe(200);
  expect((await request(service.url).get(`/api/articles/${id}?preview=nonsense`)).status).toBe(200);
  const { body } = await open.get('/api/users-permissions/permissions');
  expect(Object.keys(body.permissions['api::article'].controllers.article)).not.toContain('find.drafts');
});
