import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import request, { type Response } from 'supertest';
import { contentTypeRoutes } from '../../../src/plugins/contract/content-type-routes.js';
import { createTestService, type TestService } from '../../../src/testing.js';
import { startLesserDatabase, type LesserDatabase } from '../../support/lesser-database.js';

/**
 * Every door, times each command that it sends, which the database does not execute: the request is answered as without
 * that, or 503. A 500 would say less than is known.
 */

/** What a database says that has no time left: neither the driver nor the service sends the command once more. */
const outOfTime = { ok: 0, code: 50, codeName: 'MaxTimeMSExpired', errmsg: 'refused by a test' };

/** What a driver sends of its own accord. */
const ofDriver = new Set(['hello', 'isMaster', 'ismaster', 'ping', 'endSessions', 'buildInfo']);

const types = {
  note: {
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { draftAndPublish: true, trash: 30 },
    attributes: {
      title: { type: 'string' },
      slug: { type: 'uid' },
      body: { type: 'text' },
      others: { type: 'relation', relation: 'manyToMany', target: 'api::note.note' },
    },
  },
  notice: {
    kind: 'singleType',
    collectionName: 'notices',
    info: { singularName: 'notice', pluralName: 'notices', displayName: 'Notice' },
    options: { draftAndPublish: true, trash: 30 },
    attributes: { title: { type: 'string' } },
  },
};

const folder = mkdtempSync(path.join(os.tmpdir(), 'content-service-failed-'));
let database: LesserDatabase;
let service: TestService;
/** The commands that a request has sent, and which of them fails; 0: none. */
let sent = 0;
let failing = 0;

function refuse(command: Document): Document | undefined {
  if (ofDriver.has(Object.keys(command)[0] ?? '')) return undefined;
  sent += 1;
  return sent === failing ? outOfTime : undefined;
}

beforeAll(async () => {
  for (const [name, type] of Object.entries(types)) {
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(type));
  }
  database = await startLesserDatabase();
  service = await createTestService({
    contentTypes: folder,
    mongodbUri: database.uri,
    environment: { RESPONSE_LIMIT: '1mb', REST_MAX_LIMIT: '200' },
  });
  const long = await post('/api/notes', { data: { title: 'long', body: 'x'.repeat(900_000) } });
  const id: number = long.body.data.id;
  await service.database.db
    .collection('notes')
    .aggregate([
      { $match: { _id: id } },
      { $set: { _id: { $map: { input: { $range: [1_000_000, 1_000_040] }, as: 'n', in: '$$n' } } } },
      { $unwind: '$_id' },
      { $set: { slug: { $concat: ['long-', { $toString: '$_id' }] } } },
      { $merge: 'notes' },
    ])
    .toArray();
  database.lack({ refuse });
});
afterAll(async () => {
  database.lack({});
  await service.close();
  await database.close();
  rmSync(folder, { recursive: true });
});

const post = (address: string, body: object): Promise<Response> =>
  Promise.resolve(request(service.url).post(address).auth(service.token, { type: 'bearer' }).send(body));

interface Door {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object | undefined;
}

/** An entry that the door reads or writes. */
interface Entry {
  readonly id: number;
  readonly slug: string;
}

const routes = Object.entries(contentTypeRoutes).map(
  ([name, { kind, path: below, method }]): readonly [string, (entry: Entry) => Door] => [
    `REST ${name}`,
    ({ id, slug }) => ({
      method,
      path: `/api/${kind === 'singleType' ? 'notice' : 'notes'}${below
        .replace(':id', String(id))
        .replace(':attribute', 'slug')
        .replace(':value', slug)}${name === 'aggregate' ? '?groupBy=title' : ''}`,
      body: below.endsWith('/schedule') ? { unpublishAt: '2090-01-31T09:00:00Z' } : { data: { title: 'later' } },
    }),
  ],
);

const graphql = (query: string): Door => ({ method: 'POST', path: '/graphql', body: { query } });
const others: readonly (readonly [string, (entry: Entry) => Door])[] = [
  [
    'REST list of 36 MB',
    () => ({
      method: 'GET',
      path: '/api/notes?publicationState=preview&filters[title]=long&pagination[pageSize]=40&pagination[withCount]=false',
    }),
  ],
  ['REST list with relations', () => ({ method: 'GET', path: '/api/notes?populate[others][populate]=*&fields=title' })],
  [
    'batch',
    ({ id }) => ({
      method: 'POST',
      path: '/api/batch',
      body: {
        operations: [
          { create: 'notes', data: { title: 'new' } },
          { update: 'notes', id, data: { title: 'b' } },
        ],
      },
    }),
  ],
  [
    'GraphQL list',
    () =>
      graphql('{ notes { data { id attributes { title others { data { id } } } } meta { pagination { total } } } }'),
  ],
  ['GraphQL entry', ({ id }) => graphql(`{ note(id: ${id}) { data { id attributes { title } } } }`)],
  ['GraphQL create', () => graphql('mutation { createNote(data: { title: "c" }) { data { id } } }')],
  ['GraphQL update', ({ id }) => graphql(`mutation { updateNote(id: ${id}, data: { title: "d" }) { data { id } } }`)],
  ['GraphQL delete', ({ id }) => graphql(`mutation { deleteNote(id: ${id}) { data { id } } }`)],
  ['REST list of files', () => ({ method: 'GET', path: '/api/upload/files' })],
  ['REST log-in', () => ({ method: 'POST', path: '/api/auth/local', body: { identifier: 'a', password: 'b' } })],
];

let count = 0;

/** Sends a request for an entry of its own, of which one command fails; returns whether it did. */
async function failOne(door: (entry: Entry) => Door, at: number): Promise<readonly [Response, boolean]> {
  count += 1;
  const slug = `note-${count}`;
  const { body: made } = await post('/api/notes', { data: { title: 'one', slug } });
  const { method, path: address, body } = door({ id: made.data.id, slug });
  if (address.includes('/trash/')) {
    await request(service.url).delete(`/api/notes/${made.data.id}`).auth(service.token, { type: 'bearer' });
  }
  sent = 0;
  failing = at;
  const asked = request(service.url)[method.toLowerCase() as 'post'](address).auth(service.token, { type: 'bearer' });
  const answer = await (method === 'POST' || method === 'PUT' ? asked.send(body) : asked);
  failing = 0;
  return [answer, sent >= at];
}

const isInternal = ({ status, text }: Response): boolean => status === 500 || text.includes('Internal Server Error');

/** More commands than any of these requests sends. */
const MOST = 60;

test.each([...routes, ...others])('%s answers no 500, whichever of its commands fails', async (_name, door) => {
  const [usual] = await failOne(door, 0);
  expect(isInternal(usual)).toBe(false);
  const wrong: string[] = [];
  let failed = 0;
  for (let at = 1; at <= MOST; at += 1) {
    const [answer, hasFailed] = await failOne(door, at);
    if (isInternal(answer)) wrong.push(`command ${at}: ${answer.text}`);
    if (!hasFailed) break;
    failed += 1;
  }
  expect(wrong).toEqual([]);
  expect(failed).toBeGreaterThan(0);
});
