import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { importSource, type Imported, type Importing } from '../../../../src/cli/commands/import/import-source.js';
import { openSource } from '../../../../src/cli/commands/import/import.js';
import { openLocalStore } from '../../../../src/plugins/upload/storage/open-store.js';
import { useService } from '../../../support/service.js';
import { encrypt, entity, link, makeArchive, type ArchiveRows } from './make-archive.js';

const article = 'api::article.article';
const author = 'api::author.author';
const tag = 'api::tag.tag';
const client = useService();
const { get } = client;

beforeEach(async () => {
  const { db } = client.service.database;
  for (const { collectionName } of client.service.registry.contentTypes.values()) {
    if (!collectionName.startsWith('strapi_')) await db.collection(collectionName).deleteMany({});
  }
});

type Result = Imported & { readonly stored: number; readonly existing: number; readonly lines: readonly string[] };

async function importFile(file: string, options: Partial<Importing> & { readonly key?: string } = {}): Promise<Result> {
  const counts = { stored: 0, existing: 0 };
  const lines: string[] = [];
  const { key, ...rest } = options;
  const imported = await importSource(await openSource(file, { key }), {
    registry: client.service.registry,
    database: client.service.database,
    uploads: { store: openLocalStore(path.join(client.service.dataFolder, 'uploads')), provider: 'local' },
    acceptDifferences: false,
    removeOthers: false,
    reporter: { stored: () => (counts.stored += 1), existing: () => (counts.existing += 1), read: () => undefined },
    print: (line) => lines.push(line),
    stopping: new AbortController().signal,
    ...rest,
  });
  return { ...imported, ...counts, lines };
}

const importRows = async (rows: ArchiveRows, options?: Partial<Importing>): Promise<Result> =>
  importFile(await makeArchive(rows), options);

const lost = ({ skipped: untaken }: Imported): readonly string[] => untaken.lines().map((line) => line.trim());

describe('import of an archive of strapi export', () => {
  const rows: ArchiveRows = {
    entities: [
      entity(author, 7, { name: 'Ada', address: { id: 31, city: 'Ulm' } }),
      entity(tag, 4, { name: 'Alpha' }),
      entity(tag, 9, { name: 'Beta' }),
      entity(article, 12, {
        title: 'First',
        locale: 'en',
        publishedAt: '2024-05-02T00:00:00.000Z',
        bignum: '9007199254740993',
        blocks: [
          { __component: 'blocks.text', id: 5, content: 'x' },
          { __component: 'blocks.quote', id: 5, text: 'q' },
        ],
      }),
      entity(article, 15, { title: 'Second', locale: 'en', publishedAt: null }),
    ],
    links: [
      link([article, 'author', 12], [author, 'articles', 7, 2]),
      link([article, 'author', 15], [author, 'articles', 7, 1]),
      link([article, 'tags', 12, 2], [tag, 'articles', 4, 1]),
      link([article, 'tags', 12, 1], [tag, 'articles', 9, 1]),
      link(['blocks.quote', 'source', 5], [author, null, 7]),
    ],
  };

  test('restores ids, timestamps, components, and the order of both sides of a relation', async () => {
    await importRows(rows);
    const { body } = await get('/api/articles/12?populate[tags]=1&populate[blocks][populate]=*');
    expect(body.data).toMatchObject({
      id: 12,
      attributes: { title: 'First', bignum: '9007199254740993', createdAt: '2024-05-01T10:00:00.000Z' },
    });
    expect(body.data.attributes.tags.data.map(({ id }: { id: number }) => id)).toEqual([9, 4]);
    expect(body.data.attributes.blocks).toMatchObject([
      { id: 5, __component: 'blocks.text' },
      { id: 5, __component: 'blocks.quote', source: { data: { id: 7 } } },
    ]);
    const other = await get('/api/authors/7?populate=articles');
    expect(other.body.data.attributes.articles.data.map(({ id }: { id: number }) => id)).toEqual([15, 12]);
    expect((await get('/api/articles')).body.data).toHaveLength(1);
  });

  test('changes nothing the second time, and restores entries changed since', async () => {
    const archive = await makeArchive(rows);
    expect(await importFile(archive)).toMatchObject({ stored: 5, existing: 0 });
    expect(await importFile(archive)).toMatchObject({ stored: 0, existing: 5 });
    await client.put('/api/tags/4', { name: 'Changed' });
    expect(await importFile(archive)).toMatchObject({ stored: 1, existing: 4 });
    expect((await get('/api/tags/4')).body.data.attributes.name).toBe('Alpha');
  });

  test('raises the counters, so that new entries get free ids', async () => {
    await importRows(rows);
    expect(await client.create('articles', { title: 'Next', tags: [4] })).toBeGreaterThan(15);
    const id = await client.create('authors', { name: 'Bea', address: { city: 'York' } });
    expect(id).toBeGreaterThan(7);
    const { body } = await get(`/api/authors/${id}?populate=address`);
    expect(body.data.attributes.address.id).toBeGreaterThan(31);
  });

  test('reads compressed and encrypted archives', async () => {
    const packed = await makeArchive(rows, 'export.tar.gz');
    expect(await importFile(encrypt(packed, 'secret'), { key: 'secret' })).toMatchObject({ stored: 5 });
    await expect(importFile(encrypt(packed, 'secret'), { key: 'wrong' })).rejects.toThrow('the password is wrong');
    await expect(importFile(encrypt(packed, 'secret'))).rejects.toThrow('pass its password with --key');
  });

  test('refuses a damaged archive with one message', async () => {
    const packed = await makeArchive(rows, 'export.tar.gz');
    fs.truncateSync(packed, 2000);
    await expect(importFile(packed)).rejects.toThrow('is damaged');
  });

  test('stops on request, and resumes when it is run again', async () => {
    const archive = await makeArchive(rows);
    const stopping = new AbortController();
    stopping.abort();
    expect(await importFile(archive, { stopping: stopping.signal })).toMatchObject({ stored: 0 });
    expect(await importFile(archive)).toMatchObject({ stored: 5 });
  });
});

test('import keeps passwords, roles and permissions of users', async () => {
  const password = await client.service.entries.create('plugin::users-permissions.user', {
    username: 'hash',
    email: 'hash@example.org',
    password: 'their old password',
  });
  const { password: hash } = (await client.service.database.db
    .collection<{ _id: number; password: string }>('up_users')
    .findOne({ _id: password.id })) ?? { password: '' };
  await client.service.database.db.collection('up_users').deleteMany({});
  const [role, permission, user] = ['role', 'permission', 'user'].map(
    (name) => `plugin::users-permissions.${name}`,
  ) as [string, string, string];
  await importRows({
    entities: [
      entity(role, 3, { name: 'Public', type: 'public' }),
      entity(role, 5, { name: 'Authenticated', type: 'authenticated' }),
      entity(permission, 1, { action: 'api::tag.tag.find' }),
      entity(permission, 2, { action: 'plugin::users-permissions.auth.callback' }),
      entity(user, 8, {
        username: 'ida',
        email: 'Ida@Example.org',
        provider: 'local',
        password: hash,
        confirmed: true,
      }),
      entity(tag, 1, { name: 'One' }),
    ],
    links: [
      link([permission, 'role', 1], [role, 'permissions', 5, 1]),
      link([permission, 'role', 2], [role, 'permissions', 3, 1]),
      link([user, 'role', 8], [role, 'users', 5, 1]),
    ],
  });
  const body = JSON.stringify({ identifier: 'ida@example.org', password: 'their old password' });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${client.service.url}/api/auth/local`, { method: 'POST', headers, body });
  const { jwt, user: found } = (await answer.json()) as { jwt: string; user: unknown };
  expect(found).toMatchObject({ id: 8, username: 'ida' });
  const tags = await fetch(`${client.service.url}/api/tags`, { headers: { authorization: `Bearer ${jwt}` } });
  expect(await tags.json()).toMatchObject({ data: [{ id: 1 }] });
});

test('import restores locales, the default locale and links between localizations', async () => {
  const locale = 'plugin::i18n.locale';
  await importRows({
    entities: [
      entity(locale, 1, { name: 'French', code: 'fr' }),
      entity(locale, 2, { name: 'English', code: 'en' }),
      entity(article, 1, { title: 'Bonjour', locale: 'fr', publishedAt: null }),
      entity(article, 2, { title: 'Hello', locale: 'en', publishedAt: null }),
    ],
    links: [
      link([article, 'localizations', 1, 1], [article, null, 2]),
      link([article, 'localizations', 2, 1], [article, null, 1]),
    ],
    settings: { plugin_i18n_default_locale: 'fr' },
  });
  expect((await get('/api/i18n/locales')).body).toMatchObject([
    { id: 1, code: 'fr', isDefault: true },
    { id: 2, code: 'en', isDefault: false },
  ]);
  const { body } = await get('/api/articles/1?populate=localizations');
  expect(body.data.attributes.localizations.data).toMatchObject([{ id: 2, attributes: { locale: 'en' } }]);
  expect(body.data.meta).toEqual({ availableLocales: [{ id: 2, locale: 'en' }] });
});

test('import stores the bytes of files, including those of another provider', async () => {
  const file = (id: number, hash: string, rest: object) =>
    entity('plugin::upload.file', id, { name: hash, hash, ext: '.txt', mime: 'text/plain', size: 1, ...rest });
  const { files } = await importRows({
    entities: [
      file(1, 'here_1', { url: '/uploads/here_1.txt', provider: 'local' }),
      file(2, 'far_2', {
        url: 'https://cdn.example.org/far_2.txt',
        provider: 'aws-s3',
        formats: { small: { hash: 'small_far_2', ext: '.txt', url: 'https://cdn.example.org/small_far_2.txt' } },
      }),
      entity(author, 1, { name: 'Ada' }),
    ],
    links: [
      {
        kind: 'relation.morph',
        relation: 'morphToMany',
        left: { type: 'plugin::upload.file', field: 'related', ref: 2 },
        right: { type: author, field: 'avatar', ref: 1, pos: 1 },
      },
    ],
    files: { 'here_1.txt': 'here', 'far_2.txt': 'far away', 'small_far_2.txt': 'small' },
  });
  expect(files).toBe(3);
  const { body } = await get('/api/authors/1?populate=avatar');
  expect(body.data.attributes.avatar.data).toMatchObject({
    id: 2,
    attributes: { url: '/uploads/far_2.txt', formats: { small: { url: '/uploads/small_far_2.txt' } } },
  });
  expect(await (await fetch(`${client.service.url}/uploads/far_2.txt`)).text()).toBe('far away');
});

test('imported files keep their folders', async () => {
  const [folder, file] = ['plugin::upload.folder', 'plugin::upload.file'] as const;
  const { skipped } = await importRows({
    entities: [
      entity(folder, 3, { name: 'Letters', pathId: 1, path: '/1' }),
      entity(folder, 4, { name: 'Old', pathId: 2, path: '/1/2' }),
      entity(file, 5, {
        name: 'a.txt',
        hash: 'a_1',
        ext: '.txt',
        mime: 'text/plain',
        size: 1,
        url: '/uploads/a_1.txt',
        provider: 'local',
        folderPath: '/1/2',
      }),
    ],
    links: [
      link([folder, 'parent', 4, 1], [folder, 'children', 3]),
      link([file, 'folder', 5, 1], [folder, 'files', 4]),
    ],
    files: { 'a_1.txt': 'a' },
  });
  expect(skipped.lines()).toEqual([]);
  const { db } = client.service.database;
  const stored = (collection: string, _id: number) => db.collection<{ _id: number }>(collection).findOne({ _id });
  expect(await stored('files', 5)).toMatchObject({ folder: 4, folderPath: '/1/2' });
  expect(await stored('upload_folders', 4)).toMatchObject({ name: 'Old', parent: 3, path: '/1/2' });
});

test('imported API tokens keep their permissions', async () => {
  const [token, permission] = ['admin::api-token', 'admin::api-token-permission'] as const;
  const id = 900;
  await importRows({
    entities: [
      entity(token, id, { name: 'old', type: 'custom', accessKey: 'f'.repeat(128) }),
      entity(permission, 1, { action: 'api::tag.tag.find' }),
    ],
    links: [link([permission, 'token', 1], [token, 'permissions', id, 1])],
  });
  const stored = await client.service.entries.findOne(token, id);
  expect(stored).toMatchObject({ type: 'custom', permissions: ['api::tag.tag.find'] });
});

describe('import reports and skips', () => {
  test('values that violate a rule of their attribute', async () => {
    const result = await importRows({
      entities: [
        entity(article, 1, { title: 'One', locale: 'en', kind: 'gone', publishOn: 'soon', views: 3 }),
        entity(article, 2, { title: 'Two', locale: 'en', blocks: [{ __component: 'blocks.gone', id: 1 }] }),
      ],
    });
    expect(lost(result)).toEqual([
      'Refused:',
      '1 × like entities_00001.jsonl:1 kind: must be one of news, review, opinion, how-to',
      '1 × like entities_00001.jsonl:1 publishOn: Invalid format, expected yyyy-MM-dd',
      '1 × like entities_00001.jsonl:2 blocks: does not allow the component "blocks.gone"',
    ]);
    expect(await client.service.entries.findOne(article, 1)).toMatchObject({ kind: null, views: 3 });
  });

  test('duplicate unique values, also in components', async () => {
    const rows = { entities: [1, 2, 3].map((id) => entity(tag, id, { name: id === 3 ? 'Other' : 'Same' })) };
    const result = await importRows(rows);
    expect(lost(result)).toContain(
      '1 × like entities_00001.jsonl:2 name: must be unique, and another entry has the value',
    );
    expect((await client.service.entries.findMany(tag)).map(({ name }) => name)).toEqual(['Same', null, 'Other']);
    const again = await importRows(rows);
    expect(again).toMatchObject({ stored: 0, existing: 3 });
  });

  test('links to missing entries, and second owners in exclusive relations', async () => {
    const result = await importRows({
      entities: [
        entity(article, 1, { title: 'One', locale: 'en' }),
        entity(article, 2, { title: 'Two', locale: 'en' }),
        entity('api::seo-card.seo-card', 1, { headline: 'Card' }),
      ],
      links: [
        link([article, 'author', 1], [author, 'articles', 99, 1]),
        link([article, 'seoCard', 1], ['api::seo-card.seo-card', 'article', 1]),
        link([article, 'seoCard', 2], ['api::seo-card.seo-card', 'article', 1]),
        link(['blocks.quote', 'source', 77], [author, null, 1]),
      ],
    });
    expect(lost(result)).toEqual([
      'Refused:',
      '1 × like entities_00001.jsonl:1 author: refers to api::author.author 99, which does not exist',
      '1 × like entities_00001.jsonl:2 seoCard: refers to api::seo-card.seo-card 1, which already belongs to another entry',
      'Not imported:',
      '1 × links of blocks.quote source without an entry',
    ]);
  });

  test('invalid JSON lines, and data without a content type', async () => {
    const result = await importRows({ entities: [entity('plugin::other.thing', 1, {})], raw: '{"broken\n' });
    expect(lost(result)).toEqual([
      'Refused:',
      '1 × like entities_00001.jsonl:2: invalid JSON',
      'Not imported:',
      '1 × an entry of plugin::other.thing',
    ]);
  });
});

describe('before it writes, import', () => {
  const rows = { entities: [entity(tag, 1, { name: 'One' })] };
  const changed: ArchiveRows = {
    ...rows,
    schema: (schema) => {
      const { uid, attributes } = schema as { uid: string; attributes: object };
      if (uid === 'api::tag.tag') return { ...schema, attributes: { ...attributes, mood: { type: 'string' } } };
      if (uid === 'shared.link') return { ...schema, uid: 'shared.gone' };
      return uid === author ? { ...schema, attributes: { ...attributes, rank: { type: 'text' } } } : schema;
    },
  };

  test('reports differences between the schemas', async () => {
    await expect(importRows(changed)).rejects.toThrow(
      /api::author\.author rank is text in the source and integer in this project\n.*api::tag\.tag mood \(string\) is not an attribute in this project\n.*shared\.gone is not a component in this project\nNothing was written/s,
    );
    expect(await client.service.entries.count(tag)).toBe(0);
    const result = await importRows(changed, { acceptDifferences: true });
    expect(result).toMatchObject({ stored: 1 });
    expect(result.lines).toContain('  api::tag.tag mood (string) is not an attribute in this project');
  });

  test('reports entries that are not in the archive, or removes them with --remove-others', async () => {
    await importRows({ entities: [...rows.entities, entity(tag, 2, { name: 'Two' })] });
    await client.create('articles', { title: 'Mine', tags: [2] });
    await expect(importRows(rows)).rejects.toThrow(/1 of api::tag\.tag: 2/);
    expect(await importRows(rows, { removeOthers: true })).toMatchObject({ existing: 1 });
    expect(await client.service.entries.count(tag)).toBe(1);
    expect(await client.service.entries.count(article)).toBe(0);
  });
});
