import { beforeAll, expect, test } from '@jest/globals';
import fc from '../../support/fast-check.js';
import qs from 'qs';
import request from 'supertest';
import { declare, keyOf } from '../../support/access.js';
import { openFeed, type ReportedChange } from '../../support/change-feed.js';
import { scaled } from '../../support/scaled.js';
import { useService, type Answer } from '../../support/service.js';

const client = useService({ environment: { EVENTS: 'true', DRAFTS: 'restricted' } });
const [article, author] = ['api::article.article', 'api::author.author'];
const where = { title: { $startsWith: 'Open' }, author: { name: { $eq: 'Anna' } } };

const get = async (path: string, query: object = {}): Promise<Answer> =>
  request(client.service.url)
    .get(`${path}?${qs.stringify(query)}`)
    .auth(keyOf('reader'), { type: 'bearer' })
    .set('Accept', 'application/json');
const feed = async (query: object = {}) => (await get('/api/changes', { wait: 0, ...query })).body;
const authors: Record<string, number> = {};

beforeAll(async () => {
  const articles = { action: `${article}.find`, where };
  await declare(client.service, {}, { reader: [articles, `${author}.find`] });
  for (const name of ['Anna', 'Bob']) authors[name] = await client.create('authors', { name });
});

test('a type that the caller may not list is refused where it is named, and left out where it is not', async () => {
  const { meta } = await feed();
  await client.create('tags', { name: 'secret' });
  const id = await client.create('authors', { name: 'Carl' });
  expect((await feed({ since: meta.position })).data).toMatchObject([{ uid: author, id }]);
  expect((await get('/api/changes', { types: 'tags,authors', wait: 0 })).status).toBe(403);
  expect((await get('/api/changes', { filters: { articles: { tags: { name: 'a' } } }, wait: 0 })).status).toBe(400);
});

test('files and users need the permission of their list', async () => {
  const types = { types: 'files,users', wait: 0 };
  expect((await get('/api/changes', types)).status).toBe(403);
  const lists = ['plugin::upload.content-api.find', 'plugin::users-permissions.user.find'];
  await declare(client.service, {}, { reader: [`${author}.find`, ...lists] });
  expect((await get('/api/changes', types)).status).toBe(200);
  const role = { users: { role: { name: { $startsWith: 'A' } } } };
  expect((await get('/api/changes', { ...types, filters: role })).status).toBe(400);
  await declare(client.service, {}, { reader: [{ action: `${article}.find`, where }, `${author}.find`] });
});

test('rights that are withdrawn end the feed', async () => {
  const { meta } = await feed();
  await declare(client.service, {}, { reader: [{ action: `${article}.find`, where }] });
  await client.create('authors', { name: 'Dora' });
  expect((await feed({ since: meta.position })).data).toEqual([]);
  expect((await get('/api/changes', { types: 'authors', since: meta.position, wait: 0 })).status).toBe(403);
  await declare(client.service, {}, { reader: [{ action: `${article}.find`, where }, `${author}.find`] });
});

test('rights that are withdrawn end an open feed before the next change', async () => {
  const headers = { Authorization: `Bearer ${keyOf('reader')}` };
  const open = await openFeed(`${client.service.url}/api/changes?types=authors`, headers);
  await client.create('authors', { name: 'Emil' });
  expect((await open.change())?.uid).toBe(author);
  await declare(client.service, {}, { reader: [{ action: `${article}.find`, where }] });
  await client.create('authors', { name: 'Fritz' });
  expect(await open.change()).toBeUndefined();
  await declare(client.service, {}, { reader: [{ action: `${article}.find`, where }, `${author}.find`] });
});

test('populated relations show what the caller may read', async () => {
  const { meta } = await feed();
  const tags = [await client.create('tags', { name: 'secret too' })];
  const id = await client.create('articles', { title: 'Open', author: authors['Anna'], tags });
  const { data } = await feed({ since: meta.position, populate: { articles: ['author', 'tags'] } });
  expect(data).toMatchObject([{ id, entry: { attributes: { author: { data: { id: authors['Anna'] } } } } }]);
  expect(data[0].entry.attributes).not.toHaveProperty('tags');
});

test('attributes that a rule withholds are neither shown nor filtered by', async () => {
  await declare(client.service, {}, { reader: [{ action: `${article}.find`, where, fields: ['title'] }] });
  const { meta } = await feed();
  const id = await client.create('articles', { title: 'Open', summary: 'secret', author: authors['Anna'] });
  const { data } = await feed({ since: meta.position, fields: { articles: '*' } });
  expect(data.map(({ entry }: ReportedChange) => entry)).toEqual([{ id, attributes: { title: 'Open' } }]);
  const filtered = await get('/api/changes', { filters: { articles: { summary: { $startsWith: 's' } } }, wait: 0 });
  expect(filtered.status).toBe(400);
  await declare(client.service, {}, { reader: [{ action: `${article}.find`, where }, `${author}.find`] });
});

/** A change of one of five articles; one that is not there is made. */
const changes = fc.array(
  fc.record({
    index: fc.nat(4),
    action: fc.constantFrom('create', 'update', 'update', 'update', 'delete'),
    data: fc.record(
      {
        title: fc.constantFrom('Open', 'Open too', 'Closed'),
        author: fc.constantFrom('Anna', 'Bob'),
        published: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    /** The feed is read after it, from the last position or from an earlier one. */
    reads: fc.constantFrom('no', 'no', 'on', 'again'),
  }),
  { minLength: 10, maxLength: 20 },
);

test('reported changes update a copy to the current state, and never name an entry that the caller could not see', async () => {
  await fc.assert(
    fc.asyncProperty(changes, async (steps) => {
      const visible = async (): Promise<readonly number[]> => {
        const { body } = await get('/api/articles', { fields: 'id', pagination: { limit: 100 } });
        return body.data.map(({ id }: { id: number }) => id) as number[];
      };
      const seen = new Set(await visible());
      const copy = new Set(seen);
      let position = (await feed()).meta.position as string;
      const positions = [{ position, copy: [...copy] }];
      const read = async (): Promise<void> => {
        const { data, meta } = await feed({ since: position, types: 'articles' });
        for (const { event, id } of data as ReportedChange[]) {
          expect(seen).toContain(id);
          if (event === 'entry.delete') copy.delete(id);
          else copy.add(id);
        }
        position = meta.position as string;
        positions.push({ position, copy: [...copy] });
      };
      const ids: (number | undefined)[] = [];
      for (const { index, action, data, reads } of steps) {
        const { author: name, published, ...values } = data;
        const body = {
          ...values,
          ...(name !== undefined && { author: authors[name] }),
          ...(published !== undefined && { publishedAt: published ? new Date() : null }),
        };
        const id = ids[index];
        if (id === undefined) ids[index] = await client.create('articles', { title: 'Closed', ...body });
        else if (action === 'delete') await client.delete(`/api/articles/${id}`);
        else await client.put(`/api/articles/${id}`, body);
        if (action === 'delete') ids[index] = undefined;
        for (const current of await visible()) seen.add(current);
        if (reads === 'again') {
          const earlier = positions[Math.floor(positions.length / 2)];
          position = earlier?.position ?? position;
          copy.clear();
          for (const held of earlier?.copy ?? []) copy.add(held);
        }
        if (reads !== 'no') await read();
      }
      await read();
      expect([...copy].toSorted((a, b) => a - b)).toEqual([...(await visible())].toSorted((a, b) => a - b));
    }),
    { numRuns: scaled(2, 200) },
  );
});
