import { expect, test } from '@jest/globals';
import qs from 'qs';
import request from 'supertest';
import type { Config } from '../../../src/config/config.js';
import { openEventLog } from '../../../src/mongo/events/event-log.js';
import { openCounters } from '../../../src/mongo/write/counters.js';
import { createTestService } from '../../../src/testing.js';
import { declare } from '../../support/access.js';
import { monitoredUri } from '../../support/commands.js';
import { openFeed, type OpenFeed, type ReportedChange } from '../../support/change-feed.js';
import { corpus, useService, type Answer } from '../../support/service.js';

const twoFeeds = (config: Config): Config => ({
  ...config,
  events: { ...config.events, feeds: { all: 1000, perCaller: 2 } },
});
const client = useService({ environment: { EVENTS: 'true' }, configure: twoFeeds });
const off = useService();

const poll = async (query: object = {}): Promise<Answer> =>
  request(client.service.url)
    .get(`/api/changes?${qs.stringify({ wait: 0, ...query })}`)
    .auth(client.service.token, { type: 'bearer' })
    .set('Accept', 'application/json');
const now = async (): Promise<string> => (await poll()).body.meta.position as string;
/** The changes reported after a position: the event, the name of the type and the id. */
const since = async (position: string, query: object = {}): Promise<unknown[]> =>
  (await poll({ since: position, ...query })).body.data.map(({ event, uid, id }: ReportedChange) => [event, uid, id]);
const stream = (query = '', headers: object = {}): Promise<OpenFeed> =>
  openFeed(`${client.service.url}/api/changes${query}`, {
    Authorization: `Bearer ${client.service.token}`,
    ...headers,
  });

const [author, tag] = ['api::author.author', 'api::tag.tag'];

test('a stream reports each change as it happens, and resumes after an interruption', async () => {
  const feed = await stream('?types=authors,tags&fields[authors]=name');
  expect(feed.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect((await feed.next())?.data).toBeUndefined();
  const id = await client.create('authors', { name: 'Anna' });
  const created = await feed.change();
  expect(created).toEqual({
    position: expect.any(String),
    event: 'entry.create',
    uid: author,
    id,
    createdAt: expect.any(String),
    entry: { id, attributes: { name: 'Anna' } },
  });
  feed.close();
  await client.create('articles', { title: 'not among the types' });
  const tagId = await client.create('tags', { name: 'reported by its id' });
  await client.put(`/api/authors/${id}`, { name: 'Anne' });
  await client.delete(`/api/tags/${tagId}`);
  const resumed = await stream('?types=authors,tags&fields[authors]=name', { 'Last-Event-ID': created?.position });
  expect([await resumed.change(), await resumed.change()]).toMatchObject([
    { event: 'entry.update', uid: author, id, entry: { attributes: { name: 'Anne' } } },
    { event: 'entry.delete', uid: tag, id: tagId },
  ]);
  resumed.close();
});

test('files and users are reported as they are listed, where the types are named', async () => {
  const position = await now();
  const { url, token } = client.service;
  const uploaded = await request(url)
    .post('/api/upload')
    .auth(token, { type: 'bearer' })
    .attach('files', Buffer.from('text'), 'note.txt');
  const [file] = uploaded.body as readonly { readonly id: number }[];
  const user = await request(url)
    .post('/api/users')
    .auth(token, { type: 'bearer' })
    .send({ username: 'anna', email: 'anna@example.com', password: 'secret-123', role: 1 });
  const { id } = user.body as { readonly id: number };
  const types = { types: 'files,users' };
  const named = { ...types, since: position, fields: { files: ['name'], users: ['username', 'email'] } };
  expect((await poll(named)).body.data).toMatchObject([
    { event: 'entry.create', uid: 'plugin::upload.file', entry: { id: file?.id, name: 'note.txt' } },
    {
      event: 'entry.create',
      uid: 'plugin::users-permissions.user',
      entry: { id, username: 'anna', email: 'anna@example.com' },
    },
  ]);
  expect(await since(position)).toEqual([]);
  const created = await now();
  await client.delete(`/api/upload/files/${file?.id}`);
  await client.delete(`/api/users/${id}`);
  expect(await since(created, types)).toEqual([
    ['entry.delete', 'plugin::upload.file', file?.id],
    ['entry.delete', 'plugin::users-permissions.user', id],
  ]);
  expect((await poll({ ...types, filters: { users: { password: { $startsWith: 'a' } } } })).status).toBe(400);
  expect((await poll({ types: 'plugin::users-permissions.role' })).status).toBe(400);
});

test('a long poll waits for a change', async () => {
  const position = await now();
  const waiting = poll({ wait: 25, since: position }).then(({ body }) => body.data as unknown[]);
  const id = await client.create('tags', { name: 'waited for' });
  expect(await waiting).toMatchObject([{ event: 'entry.create', uid: tag, id }]);
});

test('what leaves the view is reported as a delete, and what was never in it is not reported', async () => {
  const filters = { types: ['articles'], filters: { articles: { title: { $startsWith: 'Shown' } } } };
  let position = await now();
  const reported = async (): Promise<unknown[]> => {
    const { body } = await poll({ ...filters, since: position });
    position = body.meta.position as string;
    return body.data.map(({ event, id }: ReportedChange) => [event, id]) as unknown[];
  };
  const draft = await client.create('articles', { title: 'Shown', publishedAt: null });
  const other = await client.create('articles', { title: 'Other' });
  await client.put(`/api/articles/${draft}`, { title: 'Shown still' });
  await client.put(`/api/articles/${other}`, { title: 'Other still' });
  expect(await reported()).toEqual([]);
  await client.put(`/api/articles/${draft}`, { publishedAt: new Date() });
  expect(await reported()).toEqual([['entry.update', draft]]);
  await client.put(`/api/articles/${draft}`, { publishedAt: null });
  await client.delete(`/api/articles/${other}`);
  expect(await reported()).toEqual([['entry.delete', draft]]);
  await client.put(`/api/articles/${draft}`, { publishedAt: new Date() });
  await client.put(`/api/articles/${draft}`, { title: 'Not shown' });
  await client.delete(`/api/articles/${draft}`);
  expect(await reported()).toEqual([['entry.delete', draft]]);
  expect(await since(position, { types: 'articles', publicationState: 'preview' })).toEqual([]);
});

test('the entries of a page of events are read by one command for each type, with their relations', async () => {
  const position = await now();
  const authors: number[] = [];
  for (const name of ['A', 'B', 'C']) authors.push(await client.create('authors', { name }));
  await client.create('articles', { title: 'With an author', author: authors[0] });
  const commands: string[] = [];
  const { client: driver } = client.service.database;
  const note = ({ commandName, command }: { commandName: string; command: object }): void => {
    const target = (command as Readonly<Record<string, unknown>>)[commandName];
    if (target === 'authors' || target === 'articles') commands.push(`${commandName} ${target}`);
  };
  driver.on('commandStarted', note);
  const { body } = await poll({ since: position, types: 'articles,authors', populate: { articles: ['author'] } });
  driver.off('commandStarted', note);
  expect(body.data.at(-1)?.entry.attributes.author.data.attributes.name).toBe('A');
  expect(body.data).toHaveLength(4);
  expect(commands.toSorted()).toEqual(['aggregate articles', 'find authors']);
});

test.each([
  ['types=unknown', 400, 'types: unknown content type "unknown"'],
  ['filters[tags][name]=a&types=articles', 400, `filters: ${tag} is not among the types`],
  ['filters[articles][unknown]=a', 400, 'Invalid parameter unknown'],
  ['populate=*', 400, 'populate must have a value for each content type: populate[articles]=…'],
  ['sort=id', 400, 'unknown parameter "sort"'],
  ['since=5', 400, 'since must be a position that a change or the feed has'],
  ['since=AAAAAAAAAAAAAAAAAAAAAA', 400, 'since must be a position that a change or the feed has'],
  ['since[]=a', 400, 'since must be one position'],
  ['wait=26', 400, 'wait must be an integer from 0 to 25: seconds'],
])('%s is refused', async (query, status, message) => {
  const { service } = client;
  const answer = await request(service.url)
    .get(`/api/changes?${query}`)
    .auth(service.token, { type: 'bearer' })
    .set('Accept', 'application/json');
  expect([answer.status, answer.body.error.message]).toEqual([status, message]);
});

test('callers without rights and services that record no writes have no feed', async () => {
  const { status } = await request(client.service.url).get('/api/changes');
  expect(status).toBe(403);
  expect((await off.get('/api/changes')).status).toBe(404);
});

test('a caller has a limited number of feeds', async () => {
  const metrics = async (): Promise<string> => (await request(client.service.url).get('/metrics')).text;
  // The service learns a moment later that those of earlier tests are closed.
  while (!(await metrics()).includes('change_feeds_open 0'));
  const feeds = [await stream(), await stream()];
  const refused = await stream();
  expect([refused.response.status, refused.response.headers.get('retry-after')]).toEqual([429, '5']);
  expect(await metrics()).toContain('change_feeds_open 2');
  feeds.forEach((feed) => feed.close());
  while ((await poll()).status === 429);
});

test('the addresses of one network count as one caller', async () => {
  const environment = { EVENTS: 'true', TRUSTED_PROXIES: '1' };
  const mongodbUri = monitoredUri();
  const service = await createTestService({ contentTypes: corpus, mongodbUri, environment, configure: twoFeeds });
  await declare(service, { public: ['api::tag.tag.find'] });
  const from = (address: string): Promise<OpenFeed> =>
    openFeed(`${service.url}/api/changes?types=tags`, { 'X-Forwarded-For': address });
  const feeds = [await from('2001:db8:1:1::1'), await from('2001:db8:1:1:2::2')];
  const [refused, other] = [await from('2001:db8:1:1:3::3'), await from('2001:db8:1:2::1')];
  expect([...feeds, refused, other].map(({ response }) => response.status)).toEqual([200, 200, 429, 200]);
  for (const feed of [...feeds, other]) feed.close();
  await service.close();
});

test('a position whose later events were deleted is refused with 410', async () => {
  const position = await now();
  for (const name of ['x', 'y']) await client.create('tags', { name });
  const current = await now();
  const { db } = client.service.database;
  await db.collection('_events').updateMany({}, { $set: { at: new Date(0) } });
  await openEventLog(db, openCounters(db)).prune({ number: 1000, milliseconds: 1000 });
  expect((await poll({ since: position })).status).toBe(410);
  expect(await since(current)).toEqual([]);
});

test('feeds end when the service stops', async () => {
  const environment = { EVENTS: 'true' };
  const service = await createTestService({ contentTypes: corpus, mongodbUri: monitoredUri(), environment });
  const feed = await openFeed(`${service.url}/api/changes`, { Authorization: `Bearer ${service.token}` });
  expect((await feed.next())?.id).toMatch(/^[\w-]{22}$/);
  service.closeConnections();
  expect(await feed.next()).toBeUndefined();
  await service.close();
});
