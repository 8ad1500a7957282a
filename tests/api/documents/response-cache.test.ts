import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from '../../support/fast-check.js';
import request from 'supertest';
import { createService, type Service } from '../../../src/app/app.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { openDatabase } from '../../../src/mongo/connection/open-database.js';
import { createTestService } from '../../../src/testing.js';
import { commandsOf, monitoredUri, testUri } from '../../support/commands.js';
import { corpus, useService, type Answer } from '../../support/service.js';
import { randomQuery } from '../../unit/query/random-query.js';
import { scaled } from '../../support/scaled.js';

const environment = { API_TOKEN_SALT: 'the salt of both' };

/** One process remembers answers; the other writes on the same database, and remembers none. */
const client = useService({ environment: { ...environment, RESPONSE_CACHE: '1mb' } });
let other: Service;
beforeAll(async () => {
  const { database, dataFolder } = client.service;
  const config = await loadConfig(
    {
      NODE_ENV: 'test',
      MONGODB_URI: monitoredUri(),
      DATABASE_NAME: database.db.databaseName,
      CONTENT_TYPES: path.resolve(corpus),
      RESPONSE_CACHE: '0',
      ...environment,
    },
    dataFolder,
  );
  const opening = openDatabase({ ...config.database, dataFolder }, silent);
  other = await createService(config, opening, silent, { extension: {} });
});
afterAll(() => other.close());
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const ask = async (address: string, token = client.service.token): Promise<Answer> =>
  request(client.service.url).get(address).auth(token, { type: 'bearer' });
const unremembered = async (address: string): Promise<Answer> =>
  request(other.handler).get(address).auth(client.service.token, { type: 'bearer' });
const commands = (address: string) => commandsOf(client.service, () => ask(address));
const titles = async (address: string): Promise<readonly unknown[]> =>
  (await ask(address)).body.data.map(({ attributes }: Answer['body']) => attributes.title ?? attributes.name);

const author = 'api::author.author';

describe('RESPONSE_CACHE', () => {
  test('answers from the third request on with nothing but a look at the versions', async () => {
    const author = await client.create('authors', { name: 'Ada' });
    const id = await client.create('articles', { title: 'One', author });
    await request(client.service.url)
      .put('/api/homepage')
      .auth(client.service.token, { type: 'bearer' })
      .send({ data: { title: 'Home' } });
    for (const path of [
      '/api/articles?populate=author&sort=author.name',
      `/api/articles/${id}?populate=author`,
      '/api/homepage?populate=*',
    ]) {
      const { status, text } = await ask(path);
      expect(status).toBe(200);
      expect((await ask(path)).text).toBe(text);
      expect({ path, commands: await commands(path) }).toEqual({ path, commands: ['versions'] });
      expect((await ask(path)).text).toBe(text);
    }
    expect(await commands('/api/articles?populate=author&sort=author.name&pagination[start]=0')).toContain('aggregate');
  });

  test('reads the versions once for a response that it does not have, and uses them for the total and for ids', async () => {
    const author = await client.create('authors', { name: 'Grace' });
    for (const title of ['First', 'Second']) await client.create('articles', { title, author });
    const list = '/api/articles?filters[author][name]=Grace&publicationState=preview&pagination[pageSize]=1';
    expect(await commands(list)).toEqual(['versions', 'find', 'find', 'aggregate']);
    expect(await commands(list)).toEqual(['versions', 'find']);
    await other.entries.create('api::article.article', { title: 'By somebody' });
    expect(await commands(list)).toEqual(['versions', 'changes', 'find', 'aggregate']);
  });

  test('responses stay cached when a write of another process does not affect them', async () => {
    const uid = 'api::article.article';
    const writer = await client.create('authors', { name: 'Emmy' });
    const ids: number[] = [];
    for (const title of ['A', 'B', 'C']) ids.push(await client.create('articles', { title, author: writer }));
    const [first, second, third = 0] = ids;
    const paths = {
      page: `/api/articles?filters[author]=${writer}&sort=title&publicationState=preview&pagination[pageSize]=2`,
      entry: `/api/articles/${first}?populate=author`,
      byViews: `/api/articles?filters[author]=${writer}&filters[views][$gt]=5&publicationState=preview`,
      inverse: `/api/authors/${writer}?populate[articles][fields]=title&populate[articles][publicationState]=preview`,
    };
    /** The responses that are read again after a write. */
    const affected = async (write: () => Promise<unknown>): Promise<readonly string[]> => {
      for (const path of Object.values(paths)) for (let sent = 0; sent < 3; sent += 1) await ask(path);
      await write();
      const read: string[] = [];
      for (const [name, path] of Object.entries(paths)) {
        const sent = await commands(path);
        if (sent.some((command) => command !== 'versions' && command !== 'changes')) read.push(name);
        expect((await ask(path)).text).toBe((await unremembered(path)).text);
      }
      return read;
    };
    const update = (id: number | undefined, data: Readonly<Record<string, unknown>>) => () =>
      other.entries.update(uid, id ?? 0, data);
    expect(await affected(update(third, { summary: 'Not on the page' }))).toEqual([]);
    expect(await affected(update(first, { summary: 'On it' }))).toEqual(['page', 'entry']);
    expect(await affected(update(third, { views: 7 }))).toEqual(['byViews']);
    expect(await affected(update(third, { title: '0' }))).toEqual(['page', 'byViews', 'inverse']);
    expect(await affected(update(second, { author: null }))).toEqual(['page', 'byViews', 'inverse']);
    expect(await affected(() => other.entries.update(author, writer, { name: 'Emmy N.' }))).toEqual([
      'entry',
      'inverse',
    ]);
    expect(await affected(() => other.entries.create(uid, { title: 'D' }))).toEqual(['page', 'byViews', 'inverse']);
    expect(await affected(() => other.entries.delete(uid, third))).toEqual(['page', 'byViews', 'inverse']);
    expect(await affected(() => client.create('tags', { name: 'Elsewhere' }))).toEqual([]);
  });

  test('a list of one locale stays cached when there is a new or deleted entry in another, and in its own it does not', async () => {
    const locales = ['en', 'fr'].map((code) => ({ code, name: undefined, isDefault: code === 'en' }));
    await client.service.applyAccess({ roles: [], tokens: [], locales });
    const { entries } = client.service;
    const list = '/api/articles?locale=fr&sort=title';
    const isCached = async (): Promise<boolean> => JSON.stringify(await commands(list)) === '["versions","changes"]';
    for (let times = 0; times < 3; times += 1) await titles(list);
    const english = await entries.create('api::article.article', { title: 'English', locale: 'en' });
    expect(await isCached()).toBe(true);
    await entries.delete('api::article.article', english.id);
    expect(await isCached()).toBe(true);
    const french = await entries.create('api::article.article', { title: 'Français', locale: 'fr' });
    expect(await titles(list)).toEqual(['Français']);
    for (let times = 0; times < 2; times += 1) await titles(list);
    await entries.delete('api::article.article', french.id);
    expect(await titles(list)).toEqual([]);
  });

  test('answers 304 to the tag of a response, cached or not, until a write changes the response', async () => {
    const id = await client.create('tags', { name: 'Tagged' });
    for (const path of [`/api/tags/${id}`, `/api/tags?filters[id]=${id}`]) {
      const askWith = (tag: string) =>
        request(client.service.url).get(path).auth(client.service.token, { type: 'bearer' }).set('If-None-Match', tag);
      const [first, second, third] = [await ask(path), await ask(path), await ask(path)];
      const tag = String(first.headers['etag']);
      expect([second.headers['etag'], third.headers['etag']]).toEqual([tag, tag]);
      expect((await unremembered(path)).headers['etag']).toBe(tag);
      const same = await askWith(tag);
      expect([same.status, same.text]).toEqual([304, '']);
      await other.entries.update('api::tag.tag', id, { name: `Tagged for ${path}` });
      const changed = await askWith(tag);
      expect([changed.status, changed.headers['etag'] === tag]).toEqual([200, false]);
    }
  });

  test('does not keep that an entry is not there', async () => {
    const id = (await client.create('tags', { name: 'Last' })) + 1;
    for (let round = 0; round < 3; round += 1) expect((await ask(`/api/tags/${id}`)).status).toBe(404);
    expect(await client.create('tags', { name: 'Next' })).toBe(id);
    expect((await ask(`/api/tags/${id}`)).status).toBe(200);
  });

  test.each([
    ['the list itself', 'tags?sort=name', 'api::tag.tag', [true, true, true]],
    ['an attribute that it filters by', 'articles?filters[author][name][$contains]=Ada', author, [false, true, true]],
    ['an attribute that it sorts by', 'articles?sort=author.name:desc', author, [false, true, true]],
    ['populated entries', 'articles?populate=author', author, [true, true, true]],
  ])('a write of another process is visible immediately, in %s', async (what, query, uid, changes) => {
    const list = `/api/${query}&pagination[pageSize]=100`;
    const { id } = await other.entries.create(uid, { name: `Ada of ${what}` });
    // In the order by the author's name one comes before the other, until the other's author is renamed.
    await client.create('articles', { title: 'Other', author: await client.create('authors', { name: 'Ada' }) });
    await client.create('articles', { title: `By ${what}`, ...(uid === author && { author: id }) });
    const changed: boolean[] = [];
    for (let round = 0; round < 3; round += 1) {
      const before = await ask(list);
      expect((await ask(list)).text).toBe(before.text);
      await other.entries.update(uid, id, { name: round === 1 ? `Aaa of ${what}` : `Ada ${round} of ${what}` });
      const now = await ask(list);
      expect(now.text).toBe((await unremembered(list)).text);
      changed.push(now.text !== before.text);
    }
    expect(changed).toEqual(changes);
    await other.entries.delete(uid, id);
    expect((await ask(list)).text).not.toContain(`of ${what}`);
  });

  test('a read after a write is never older than the write, also during concurrent reads', async () => {
    const { id } = await other.entries.create('api::tag.tag', { name: 'count 0' });
    const list = `/api/tags?filters[id]=${id}&fields=name`;
    const progress = { written: 0 };
    const read = async (): Promise<void> => {
      while (progress.written < 60) {
        const least = progress.written;
        const [name] = await titles(list);
        expect(Number(String(name).slice(6))).toBeGreaterThanOrEqual(least);
      }
    };
    const write = async (): Promise<void> => {
      for (let count = 1; count <= 60; count += 1) {
        await other.entries.update('api::tag.tag', id, { name: `count ${count}` });
        progress.written = count;
      }
    };
    await Promise.all([write(), read(), read(), read()]);
    expect(await titles(list)).toEqual(['count 60']);
  });

  test('a caller with fewer permissions does not get the cached response of another', async () => {
    const key = 'a-key-of-enough-characters';
    await client.service.applyAccess({
      roles: [],
      locales: [],
      tokens: [
        {
          name: 'articles alone',
          type: 'custom',
          permissions: ['api::article.article.find'],
          key,
          description: undefined,
          expiresAt: undefined,
        },
      ],
    });
    await client.create('articles', { title: 'Shown', author: await client.create('authors', { name: 'Hidden' }) });
    const list = '/api/articles?populate=*&filters[title]=Shown';
    for (let round = 0; round < 3; round += 1) {
      expect((await ask(list)).text).toContain('Hidden');
      const less = await ask(list, key);
      expect(less.status).toBe(200);
      expect(less.text).not.toContain('Hidden');
    }
    expect((await ask('/api/articles?sort=author.name', key)).status).toBe(400);
    expect((await ask('/api/authors', key)).status).toBe(403);
    expect((await request(client.service.url).get(list)).status).toBe(403);
  });

  test('every sequence of requests gets the responses of a service without the cache', async () => {
    const { contentTypes } = client.service.registry;
    const article = contentTypes.get('api::article.article');
    if (article === undefined) throw new Error('The corpus has no articles');
    await client.create('articles', { title: 'Draft', publishedAt: null, links: [{ label: 'a' }] });
    const tape = fc.array(fc.nat(0xff_ff), { minLength: 60, maxLength: 60, size: 'max' });
    await fc.assert(
      fc.asyncProperty(tape, async (numbers) => {
        const list = `/api/articles?${randomQuery(numbers, article)}`;
        const expected = await unremembered(list);
        for (const { status, text } of [await ask(list), await ask(list)]) {
          expect({ list, status, text }).toEqual({ list, status: expected.status, text: expected.text });
        }
      }),
      { numRuns: scaled(20, 150) },
    );
  });
});

test('RESPONSE_CACHE is refused if reads may come from a secondary', async () => {
  const mongodbUri = testUri('readPreference', 'secondaryPreferred');
  const starting = createTestService({ contentTypes: corpus, mongodbUri, environment: { RESPONSE_CACHE: '1mb' } });
  await expect(starting).rejects.toThrow('RESPONSE_CACHE requires reads from the primary');
});
