import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import request from 'supertest';
import { createService, type Service } from '../../src/app/app.js';
import { loadConfig } from '../../src/config/load-config.js';
import { openDatabase } from '../../src/mongo/connection/open-database.js';
import { declare, type Permission } from '../support/access.js';
import fc from '../support/fast-check.js';
import { minutes, scaled } from '../support/scaled.js';
import { corpus, useService, type Answer } from '../support/service.js';
import { choicesOf, type Choices } from './choices.js';

const environment = { API_TOKEN_SALT: 'the salt of all', RESPONSE_CACHE: '1mb' };
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Processes on one database, each with its own cache. */
const client = useService({ environment });
const others: Service[] = [];
const processes = (): readonly Service[] => [client.service, ...others];
beforeAll(async () => {
  const { database, dataFolder } = client.service;
  const variables = {
    NODE_ENV: 'test',
    CONTENT_TYPES: path.resolve(corpus),
    MONGODB_URI: process.env['TEST_MONGODB_URI'],
    DATABASE_NAME: database.db.databaseName,
    ...environment,
  };
  for (let count = 0; count < 2; count += 1) {
    const config = await loadConfig(variables, dataFolder);
    others.push(await createService(config, openDatabase({ ...config.database, dataFolder }, log), log));
  }
});
afterAll(async () => {
  for (const service of others) await service.close();
});

interface Sent {
  readonly query: string;
  readonly variables?: object;
}

const list = '/api/articles?populate=author&sort=id';
const graphqlList: Sent = {
  query: '{ articles(sort: "id") { data { id attributes { title author { data { id attributes { name } } } } } } }',
};
const graphqlEntry = 'query ($id: ID!) { article(id: $id) { data { id attributes { title } } } }';

const as = (sending: request.Test, token: string | undefined): Promise<Answer> =>
  Promise.resolve(token === undefined ? sending : sending.auth(token, { type: 'bearer' }));
const get = ({ handler }: Service, address: string, token?: string) => as(request(handler).get(address), token);
const post = ({ handler }: Service, sent: Sent, token?: string) =>
  as(request(handler).post('/graphql').send(sent), token);

describe('no response is older than the last write that was acknowledged before its request', () => {
  /** What one writer changes, alone: the number at the end of both values grows with each write. */
  interface Pair {
    readonly article: number;
    readonly author: number;
    readonly sent: { title: number; name: number };
    readonly acknowledged: { title: number; name: number };
  }
  type Value = keyof Pair['sent'];

  const numberIn = (text: unknown): number => Number(String(text).split(' ')[1]);
  const uidOf = { title: 'api::article.article', name: 'api::author.author' } as const;

  async function makePair(): Promise<Pair> {
    const author = await client.create('authors', { name: 'name 0' });
    const article = await client.create('articles', { title: 'title 0', author });
    return { article, author, sent: { title: 0, name: 0 }, acknowledged: { title: 0, name: 0 } };
  }

  async function write(pair: Pair, choices: Choices): Promise<void> {
    const { token } = client.service;
    const value: Value = choices.oneOf(['title', 'name']);
    const service = choices.oneOf(processes());
    const [id, count] = [value === 'title' ? pair.article : pair.author, pair.sent[value] + 1];
    const data = { [value]: `${value} ${count}` };
    pair.sent[value] = count;
    const collection = value === 'title' ? 'articles' : 'authors';
    const field = value === 'title' ? 'updateArticle' : 'updateAuthor';
    const input = value === 'title' ? 'ArticleInput' : 'AuthorInput';
    const mutation = `mutation ($id: ID!, $data: ${input}!) { ${field}(id: $id, data: $data) { data { id } } }`;
    const ways = [
      () => as(request(service.handler).put(`/api/${collection}/${id}`).send({ data }), token),
      () => post(service, { query: mutation, variables: { id, data } }, token),
      () => service.entries.update(uidOf[value], id, data),
    ];
    const written = await choices.oneOf(ways)();
    if ('status' in written) expect([written.status, written.body.errors]).toEqual([200, undefined]);
    pair.acknowledged[value] = count;
  }

  /** The numbers in the response to a read. */
  type Seen = readonly (readonly [pair: Pair, value: Value, count: number])[];

  const seenIn = (pairs: readonly Pair[], entries: readonly any[]): Seen =>
    pairs.flatMap((pair): Seen => {
      const { attributes } = entries.find(({ id }) => Number(id) === pair.article) ?? {};
      const author = attributes?.author?.data?.attributes?.name;
      return [
        [pair, 'title', numberIn(attributes?.title)],
        ...(attributes?.author === undefined ? [] : [[pair, 'name', numberIn(author)] as const]),
      ];
    });

  async function read(pairs: readonly Pair[], choices: Choices): Promise<void> {
    const { token } = client.service;
    const service = choices.oneOf(processes());
    const pair = choices.oneOf(pairs);
    const least = pairs.map(({ acknowledged }) => ({ ...acknowledged }));
    const { article, author, acknowledged, sent } = pair;
    const name = `name ${acknowledged.name}`;
    const byName = async (): Promise<Seen> => {
      const { body } = await get(service, `/api/articles?filters[author][name]=${name}&filters[id]=${article}`, token);
      // Without another write the filter still matches.
      if (sent.name === least[pairs.indexOf(pair)]?.name) expect(body.data).toHaveLength(1);
      return body.data.length === 0 ? [] : seenIn([pair], body.data);
    };
    const ways: readonly (() => Promise<Seen>)[] = [
      async () => seenIn(pairs, (await get(service, list, token)).body.data),
      async () => seenIn([pair], [(await get(service, `/api/articles/${article}`, token)).body.data]),
      async () => {
        const { body } = await get(service, `/api/authors/${author}`, token);
        return [[pair, 'name', numberIn(body.data.attributes.name)]];
      },
      byName,
      async () => seenIn(pairs, (await post(service, graphqlList, token)).body.data.articles.data),
      async () => {
        const { body } = await post(service, { query: graphqlEntry, variables: { id: article } }, token);
        return seenIn([pair], [body.data.article.data]);
      },
      async () => {
        const { body } = await get(service, `/graphql?query=${encodeURIComponent(graphqlList.query)}`, token);
        return seenIn(pairs, body.data.articles.data);
      },
    ];
    const way = choices.below(ways.length);
    for (const [{ article: id, sent: most }, value, count] of (await ways[way]?.()) ?? []) {
      const index = pairs.findIndex((other) => other.article === id);
      const from = least[index]?.[value] ?? Number.NaN;
      expect({ way, id, value, from, isFresh: count >= from && count <= most[value], count }).toMatchObject({
        isFresh: true,
      });
    }
  }

  // Several processes.
  test(
    'with concurrent writers and readers of several processes, over REST and GraphQL',
    async () => {
      const pairs = [await makePair(), await makePair(), await makePair()];
      const [writes, readers] = [scaled(20, 400), 4];
      const [tapes] = fc.sample(
        fc.array(fc.array(fc.nat(0xff_ff), { minLength: 3 * writes, maxLength: 3 * writes }), {
          minLength: pairs.length + readers,
          maxLength: pairs.length + readers,
        }),
        { numRuns: 1 },
      );
      const writing = new Set(pairs);
      const writeAll = async (pair: Pair, choices: Choices): Promise<void> => {
        for (let count = 0; count < writes; count += 1) await write(pair, choices);
        writing.delete(pair);
      };
      const readOn = async (numbers: readonly number[]): Promise<void> => {
        // The tape begins again, so that requests are repeated.
        while (writing.size > 0) {
          const choices = choicesOf(numbers);
          for (let count = 0; count < writes && writing.size > 0; count += 1) await read(pairs, choices);
        }
      };
      await Promise.all([
        ...pairs.map((pair, index) => writeAll(pair, choicesOf(tapes?.[index] ?? []))),
        ...(tapes ?? []).slice(pairs.length).map(readOn),
      ]);
      for (const service of processes()) {
        const { body } = await get(service, list, client.service.token);
        for (const [pair, value, count] of seenIn(pairs, body.data)) expect(count).toBe(pair.acknowledged[value]);
      }
    },
    minutes(5),
  );
});

test('a list with fallback locales has no entry that another process hid before, and lacks none that it published', async () => {
  const { service } = client;
  const locales = ['en', 'fr'].map((code) => ({ code, name: undefined, isDefault: code === 'en' }));
  await service.applyAccess({ roles: [], tokens: [], locales });
  const uid = 'api::article.article';
  const author = await client.create('authors', { name: 'Ida' });
  const english = await service.entries.create(uid, { title: 'one', author, publishedAt: new Date() });
  const data = { title: 'un', author, locale: 'fr', localizations: [english.id], publishedAt: null };
  const french = await service.entries.create(uid, data);
  const query = `filters[author]=${author}&locale=fr&fallbackLocale=en`;
  const populated = `/api/authors/${author}?populate[articles][publicationState]=live&populate[articles][locale]=fr&populate[articles][fallbackLocale]=en`;
  const titles = (entries: readonly any[]): readonly string[] => entries.map(({ attributes }) => attributes.title);
  const [tape = []] = fc.sample(fc.array(fc.nat(0xff_ff), { minLength: 100, maxLength: 100 }), { numRuns: 1 });
  const { oneOf } = choicesOf(tape);
  for (let round = 0; round < scaled(5, 100); round += 1) {
    const publishedAt = oneOf([null, new Date()]);
    await oneOf(processes()).entries.update(uid, french.id, { publishedAt });
    for (const reader of processes()) {
      const { data: found, meta } = (await get(reader, `/api/articles?${query}`, service.token)).body;
      const { body } = await get(reader, populated, service.token);
      const expected = [publishedAt === null ? 'one' : 'un'];
      expect([round, titles(found), meta.pagination.total, titles(body.data.attributes.articles.data)]).toEqual([
        round,
        expected,
        1,
        expected,
      ]);
    }
  }
  for (const { id } of [english, french]) await service.entries.delete(uid, id);
});

test('a list filtered through relations has the entries that match after the last write of another process', async () => {
  const { service } = client;
  const uids = { article: 'api::article.article', author: 'api::author.author' } as const;
  const author = await client.create('authors', { name: 'Ida' });
  const article = await client.create('articles', { title: 'one', author });
  const within = `&filters[id]=${article}`;
  const byName = (name: string): string => `/api/articles?filters[author][name]=${name}${within}`;
  const withoutTotal = (name: string): string => `${byName(name)}&pagination[withCount]=false`;
  const byNot = (name: string): string => `/api/articles?filters[$not][author][name]=${name}${within}`;
  const byTitle = (title: string): string => `/api/authors?filters[articles][title]=${title}&filters[id]=${author}`;
  const deep = (name: string): string => `/api/authors?filters[articles][author][name]=${name}&filters[id]=${author}`;
  const [tape = []] = fc.sample(fc.array(fc.nat(0xff_ff), { minLength: 100, maxLength: 100 }), { numRuns: 1 });
  const { oneOf } = choicesOf(tape);
  const current = { name: 'Ida', title: 'one' };
  for (let round = 0; round < scaled(8, 150); round += 1) {
    const writer = oneOf(processes()).entries;
    const changed = oneOf(['name', 'title'] as const);
    current[changed] = oneOf(changed === 'name' ? ['Ida', 'Ada'] : ['one', 'two']);
    if (changed === 'name') await writer.update(uids.author, author, { name: current.name });
    else await writer.update(uids.article, article, { title: current.title });
    for (const reader of processes()) {
      const count = async (path: string) => (await get(reader, path, service.token)).body.data.length;
      for (const name of ['Ida', 'Ada']) {
        const is = Number(name === current.name);
        const counts = await Promise.all([byName(name), withoutTotal(name), byNot(name), deep(name)].map(count));
        expect([round, name, counts]).toEqual([round, name, [is, is, 1 - is, is]]);
      }
      for (const title of ['one', 'two']) expect(await count(byTitle(title))).toBe(Number(title === current.title));
    }
  }
  await service.entries.delete(uids.article, article);
  await service.entries.delete(uids.author, author);
});

describe('cached responses keep to what the caller may read now', () => {
  afterEach(() => void jest.restoreAllMocks());
  /** The time never goes back, or the caches would keep what they read in the future. */
  let time = 0;
  const passSecond = (): void => {
    time = Math.max(time, performance.now()) + 1001;
    jest.spyOn(performance, 'now').mockReturnValue(time);
  };
  const article = 'api::article.article';
  const author = 'api::author.author';

  /** What an anonymous caller gets over REST and GraphQL: the titles, and whether there are authors. */
  async function view(service: Service): Promise<readonly unknown[]> {
    const rest = await get(service, list);
    const { body } = await post(service, graphqlList);
    const of = (entries: readonly any[] | undefined) =>
      entries?.map(({ attributes }) => `${attributes.title}${attributes.author?.data ? ' by an author' : ''}`);
    return [rest.status === 200 ? of(rest.body.data) : rest.status, of(body.data?.articles?.data) ?? 403];
  }
  /** Sends requests whose responses are cached. */
  async function cachedView(service: Service): Promise<readonly unknown[]> {
    for (let sent = 0; sent < 3; sent += 1) await view(service);
    return view(service);
  }

  // It waits for the caches of the other process several times.
  test(
    'at once in the process of the change, in others 1,000 ms after the response',
    async () => {
      const [service, ...elsewhere] = processes();
      if (service === undefined) throw new Error('There is no process');
      const everything = (await service.entries.findMany(article, {})).map(({ id }) => id);
      for (const id of everything) await service.entries.delete(article, id);
      const name = await client.create('authors', { name: 'Ada' });
      for (const title of ['One', 'Two']) await client.create('articles', { title, author: name });
      passSecond();
      const all = ['One by an author', 'Two by an author'];
      const plain = ['One', 'Two'];
      const limited = { action: `${article}.find`, where: { title: 'Two' } };
      const changes: readonly (readonly [permissions: readonly Permission[], here: unknown, there: unknown])[] = [
        [[`${article}.find`, `${author}.find`], all, all],
        [[`${article}.find`], plain, plain],
        // The other processes do not have the rule, so they do not grant the action.
        [[limited, `${author}.find`], ['Two by an author'], 403],
        [[`${article}.find`, `${author}.find`], all, all],
        [[], 403, 403],
        [[`${article}.find`, `${author}.find`], all, all],
      ];
      for (const [permissions, here, there] of changes) {
        await declare(service, { public: permissions });
        expect(await cachedView(service)).toEqual([here, here]);
        passSecond();
        for (const other of elsewhere) expect(await cachedView(other)).toEqual([there, there]);
      }
    },
    minutes(5),
  );

  test('in the locales of the process from the next request on, of others 1,000 ms after the change', async () => {
    const { service } = client;
    passSecond();
    const titles = async (asked: Service = service): Promise<unknown> => {
      const { body } = await post(asked, graphqlList, service.token);
      const rest = await get(asked, list, service.token);
      const of = (entries: readonly any[]) => entries.map(({ attributes }) => attributes.title);
      expect(of(rest.body.data)).toEqual(of(body.data.articles.data));
      return of(rest.body.data);
    };
    const setDefault = (...codes: readonly string[]) =>
      service.applyAccess({
        roles: [],
        tokens: [],
        locales: codes.map((code, index) => ({ code, name: undefined, isDefault: index === 0 })),
      });
    await setDefault('en', 'fr');
    await service.entries.create(article, { title: 'Un', locale: 'fr', publishedAt: new Date() });
    const before = await titles();
    for (let sent = 0; sent < 3; sent += 1) expect(await titles()).toEqual(before);
    const isKnown = async (asked: Service, locale: string): Promise<boolean> => {
      const sent = request(asked.handler).post('/api/articles').send({ data: { title: 'A draft', publishedAt: null, locale } }); // prettier-ignore
      const { status, body } = await as(sent, service.token);
      expect([status, body.error?.message]).toEqual(status === 200 ? [200, undefined] : [400, "This locale doesn't exist"]); // prettier-ignore
      return status === 200;
    };
    for (const other of others) {
      for (let sent = 0; sent < 3; sent += 1) expect(await titles(other)).toEqual(before);
      expect(await isKnown(other, 'de')).toBe(false);
    }
    await setDefault('fr', 'en', 'de');
    for (let sent = 0; sent < 4; sent += 1) expect(await titles()).toEqual(['Un']);
    passSecond();
    for (const other of others) {
      for (let sent = 0; sent < 4; sent += 1) expect(await titles(other)).toEqual(['Un']);
      expect(await isKnown(other, 'de')).toBe(true);
    }
    await setDefault('en', 'fr');
    expect(await titles()).toEqual(before);
    passSecond();
    for (const other of others) {
      expect(await titles(other)).toEqual(before);
      expect(await isKnown(other, 'de')).toBe(false);
    }
  });
});
