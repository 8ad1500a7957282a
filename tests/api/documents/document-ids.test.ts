import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import request from 'supertest';
import { createTestService, type TestService } from '../../../src/testing.js';
import { documentsPlugin } from '../../support/documents-plugin.js';
import { useService } from '../../support/service.js';
import { exportTo, importInto } from '../cli/export/support.js';

const contentTypes = 'tests/api/documents/working-copies/content-types';
const i18n = { config: { locales: ['en', 'de'] } };
const plugins = { i18n, [documentsPlugin.name]: documentsPlugin.settings };
const client = useService({ contentTypes, plugins });

const others: TestService[] = [];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'document-ids-'));
afterAll(async () => {
  for (const service of others) await service.close();
  fs.rmSync(folder, { recursive: true });
});

const documentIds = async (collection: string, { database: { db } } = client.service): Promise<readonly unknown[]> =>
  (await db.collection(collection).find().sort({ _id: 1 }).toArray()).map(({ documentId }: Document) => documentId);

const isDocumentId = expect.stringMatching(/^[a-z][a-z0-9]{23}$/);

/** An article in two locales, with a working copy. */
async function createArticle(title: string): Promise<readonly [number, number]> {
  const id = await client.create('articles', { title, slug: title });
  const { body } = await request(client.service.url)
    .post(`/api/articles/${id}/localizations`)
    .auth(client.service.token, { type: 'bearer' })
    .send({ locale: 'de', title });
  await client.put(`/api/articles/${id}?status=draft`, { title: 'Changed' });
  return [id, body.id as number];
}

test('each entry has one, which localizations and working copies have in common', async () => {
  await createArticle('one');
  await createArticle('two');
  const [one, ofOne, two, ofTwo] = await documentIds('articles');
  expect([one, two]).toEqual([isDocumentId, isDocumentId]);
  expect([ofOne, ofTwo]).toEqual([one, two]);
  expect(one).not.toBe(two);
  expect(await documentIds('_copies.articles')).toEqual([one, two]);
  // Also those that the service makes itself.
  for (const collection of ['i18n_locale', 'up_roles', 'up_permissions']) {
    const ids = await documentIds(collection);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids).toEqual(ids.map(() => isDocumentId));
    expect(new Set(ids).size).toBe(ids.length);
  }
  expect(new Set(await documentIds('strapi_api_tokens'))).toEqual(new Set([undefined]));
});

test('a group keeps it when its first entry is deleted', async () => {
  const [first, second] = await createArticle('three');
  const documentId = (await documentIds('articles')).at(-1);
  await client.delete(`/api/articles/${first}`);
  await request(client.service.url)
    .post(`/api/articles/${second}/localizations`)
    .auth(client.service.token, { type: 'bearer' })
    .send({ locale: 'en', title: 'again' });
  expect((await documentIds('articles')).slice(-2)).toEqual([documentId, documentId]);
});

test('the database refuses a second entry of a document in a locale', async () => {
  const { db } = client.service.database;
  const [entry] = await db.collection('articles').find().toArray();
  const { _id, localizations: _localizations, slug: _slug, ...again } = entry as Document;
  await expect(db.collection('articles').insertOne(again)).rejects.toThrow('cs_unique_documentId_locale');
});

test('whoever localizes an entry at the same time hears of the locale, not of the document', async () => {
  const id = await client.create('articles', { title: 'at once', slug: 'at-once' });
  const sent = await Promise.all(
    [1, 2, 3].map((number) =>
      request(client.service.url)
        .post(`/api/articles/${id}/localizations`)
        .auth(client.service.token, { type: 'bearer' })
        .send({ locale: 'de', title: `number ${number}` }),
    ),
  );
  const refused = sent.filter(({ status }) => status !== 200);
  expect(refused.map(({ status, body }) => [status, body.error.message])).toEqual([
    [400, 'locale is already used'],
    [400, 'locale is already used'],
  ]);
});

test('nothing of Strapi v4 shows it, nor can name it', async () => {
  const { service, get, put, graphql } = client;
  const id = await client.create('articles', { title: 'four', slug: 'four', documentId: 'mine' });
  const answers = [
    await get('/api/articles?populate=*&publicationState=preview'),
    await put(`/api/articles/${id}`, { documentId: 'mine' }),
    await get('/api/users-permissions/roles'),
    await get('/api/i18n/locales'),
    await get('/api/content-type-builder/content-types'),
    await get('/documentation/openapi.json'),
    await graphql('{ __schema { types { name fields { name } inputFields { name } } } }'),
  ];
  for (const { status, text } of answers) {
    expect(status).toBe(200);
    expect(text).not.toContain('documentId');
  }
  for (const query of [
    'filters[documentId]=x',
    'fields=documentId',
    'sort=documentId',
    'filters[author][documentId]=x',
  ])
    expect((await get(`/api/articles?${query}`)).status).toBe(400);
  expect(JSON.stringify(await service.entries.findMany('api::article.article', { populate: '*' }))).not.toContain(
    'documentId',
  );
});

test('an export keeps them where it is restored, also of groups without their first entry', async () => {
  const archive = path.join(folder, 'export.tar.gz');
  const before = await documentIds('articles');
  await exportTo(archive, client.service);
  const mongodbUri = process.env['TEST_MONGODB_URI'];
  const target = await createTestService({ contentTypes, plugins, ...(mongodbUri !== undefined && { mongodbUri }) });
  others.push(target);
  const { skipped } = await importInto(target, archive);
  expect(skipped.lost).toBe(0);
  expect(await documentIds('articles', target)).toEqual(before);
});

test('an export without them gets them where it is restored', async () => {
  const mongodbUri = process.env['TEST_MONGODB_URI'];
  const open = async (chosen: typeof plugins | { readonly i18n: typeof i18n }): Promise<TestService> => {
    const service = await createTestService({
      contentTypes,
      plugins: chosen,
      ...(mongodbUri !== undefined && { mongodbUri }),
    });
    others.push(service);
    return service;
  };
  const [plain, target] = [await open({ i18n }), await open(plugins)];
  const entry = await plain.entries.create('api::article.article', { title: 'one', slug: 'one', locale: 'en' });
  await plain.entries.create('api::article.article', { title: 'one', locale: 'de', localizations: [entry.id] });
  expect(await documentIds('articles', plain)).toEqual([undefined, undefined]);
  const names = (await plain.database.db.listCollections().toArray()).map(({ name }) => name);
  expect(names).not.toContain('_document_ids');
  const archive = path.join(folder, 'plain.tar.gz');
  await exportTo(archive, plain);
  expect((await importInto(target, archive)).skipped.lost).toBe(0);
  const [one, other] = await documentIds('articles', target);
  expect([one, other]).toEqual([isDocumentId, one]);
});
