import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exportToStrapi } from '../../../../src/cli/commands/export/strapi/export-to-strapi.js';
import { openLocalStore } from '../../../../src/plugins/upload/storage/open-store.js';
import type { TestService } from '../../../../src/testing.js';
import { useService } from '../../../support/service.js';
import { breachesOf, everything, exportTo, filesOf, importInto, useTargets } from './support.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'export-copies-'));
const archive = path.join(folder, 'export.tar.gz');
afterAll(() => fs.rmSync(folder, { recursive: true }));

const contentTypes = 'tests/api/documents/working-copies/content-types';
const plugins = { i18n: { config: { locales: ['en', 'de'] } } };
const environment = { API_TOKEN_SALT: 'the-same-salt-on-both-machines' };
const source = useService({ contentTypes, plugins, environment });
/** The same types, of which articles have no working copies. */
const plain = path.join(folder, 'plain');

const open = useTargets({ plugins, environment });

beforeAll(async () => {
  fs.cpSync(contentTypes, plain, { recursive: true });
  const file = path.join(plain, 'article.json');
  const { options, ...definition } = JSON.parse(fs.readFileSync(file, 'utf8')) as { readonly options: object };
  fs.writeFileSync(file, JSON.stringify({ ...definition, options: { ...options, workingCopies: false } }));
  const author = await source.create('authors', { name: 'Ada' });
  const id = await source.create('articles', { title: 'Published', slug: 'one', price: 1, author });
  const blocks = [{ __component: 'blocks.quote', text: 'prepared' }];
  await source.put(`/api/articles/${id}?status=draft`, { title: 'Changed', slug: 'two', tags: [author], blocks });
  await exportTo(archive, source.service);
});

test('a backup has the working copies, which go on where it is restored', async () => {
  const target = await open(contentTypes);
  // It has other entries, of which both have copies.
  const publishedAt = new Date();
  for (const title of ['First', 'Second']) {
    const other = await target.entries.create('api::article.article', { title, locale: 'en', publishedAt });
    const saved = await fetch(`${target.url}/api/articles/${other.id}?status=draft`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${target.token}` },
      body: JSON.stringify({ data: { price: 9 } }),
    });
    expect(saved.status).toBe(200);
  }
  await target.database.db.collection('strapi_api_tokens').deleteMany({});
  expect((await importInto(target, archive)).skipped.lines()).toEqual([]);
  for (const name of ['articles', '_copies.articles']) {
    const stored = ({ database: { db } }: TestService) => db.collection(name).find().toArray();
    expect(await stored(target)).toHaveLength(1);
    expect(await stored(target)).toEqual(await stored(source.service));
  }
  const titles = async (parameters: Readonly<Record<string, unknown>>): Promise<readonly unknown[]> =>
    (await target.entries.findMany('api::article.article', parameters)).map((entry) => entry['title']);
  expect([await titles({}), await titles({ status: 'draft' })]).toEqual([['Published'], ['Changed']]);
});

test('copies and entries that changed while they were exported agree after the import', async () => {
  const torn = await open(contentTypes);
  const publishedAt = new Date();
  const create = async (title: string): Promise<number> => {
    const { id } = await torn.entries.create('api::article.article', { title, locale: 'en', price: 1, publishedAt });
    await torn.entries.update('api::article.article', id, { title: `${title} changed` }, { status: 'draft' });
    return id;
  };
  const [published, discarded, written, deleted] = [
    await create('Published'),
    await create('Discarded'),
    await create('Written'),
    await create('Deleted'),
  ];
  const { db } = torn.database;
  const articles = db.collection<{ _id: number }>('articles');
  const copies = db.collection<{ _id: number }>('_copies.articles');
  // As an export finds them that reads one collection before a write, and the other after it.
  await articles.updateOne({ _id: published }, { $set: { title: 'Published changed' }, $unset: { _copied: 1 } });
  await copies.deleteOne({ _id: discarded });
  await articles.updateOne({ _id: written }, { $set: { price: 2 } });
  await articles.deleteOne({ _id: deleted });
  const archive = path.join(folder, 'torn.tar.gz');
  await exportTo(archive, torn);
  const target = await open(contentTypes);
  const { skipped } = await importInto(target, archive);
  expect(skipped.lines()).toEqual([]);
  const values = async (parameters: object): Promise<readonly unknown[]> =>
    (await target.entries.findMany('api::article.article', { sort: 'id', ...parameters })).map((entry) => [
      entry['title'],
      entry['price'],
    ]);
  expect(await values({})).toEqual([
    ['Published changed', 1],
    ['Discarded', 1],
    ['Written', 2],
  ]);
  expect(await values({ status: 'draft' })).toEqual([
    ['Published changed', 1],
    ['Discarded', 1],
    ['Written changed', 2],
  ]);
  expect(await breachesOf(target)).toEqual([]);
});

test('an export to Strapi 4 says that it leaves working copies out', async () => {
  const lines: string[] = [];
  const { registry, database } = source.service;
  await exportToStrapi({
    file: path.join(folder, 'strapi.tar.gz'),
    like: 'tests/fixtures/strapi-export/world.tar.gz',
    key: undefined,
    dryRun: true,
    registry,
    database,
    stopping: new AbortController().signal,
    store: openLocalStore(filesOf(source.service)),
    output: { print: (line) => lines.push(line), result: () => undefined },
  });
  expect(lines).toContain('Not in Strapi: 1 working copy of api::article.article: Strapi 4 has none');
});

test('a backup with working copies is not restored where its type has none', async () => {
  const target = await open(plain);
  const before = await everything(target);
  await expect(importInto(target, archive)).rejects.toThrow(
    'api::article.article working copies is true in the export and false in this project',
  );
  expect(await everything(target)).toEqual(before);
});
