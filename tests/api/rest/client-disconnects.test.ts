import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import type { CommandFailedEvent } from 'mongodb';
import { useService } from '../../support/service.js';

/** Not checked: the tags come past the service. */
const client = useService({}, { checked: false });
/** MongoDB's code for a command that was ended. */
const INTERRUPTED = 11_601;

/** Enough that a hundred conditions on each take seconds. */
beforeAll(async () => {
  const long = 'a+'.repeat(2000);
  const tags = Array.from({ length: 3000 }, (_, index) => ({ _id: index + 1, name: `${long}${index}:` }));
  await client.service.database.db.collection<{ _id: number }>('tags').insertMany(tags);
});

const parts = Array.from({ length: 100 }, (_, index) => `a+${index}-`);

const rest = (): { path: string; body?: object } => {
  const filters = parts.map((part, index) => `filters[$or][${index}][name][$containsi]=${encodeURIComponent(part)}`);
  return { path: `/api/tags?${filters.join('&')}` };
};
const graphql = (): { path: string; body?: object } => {
  const filters = { or: parts.map((part) => ({ name: { containsi: part } })) };
  const query =
    'query ($filters: TagFiltersInput) { a: tags(filters: $filters) { data { id } } b: tags { data { id } } }';
  return { path: '/graphql', body: { query, variables: { filters } } };
};

/** How many reads of tags the database is at. */
async function readsUnderWay(): Promise<number> {
  const { db } = client.service.database;
  const pipeline = [{ $currentOp: {} }, { $match: { ns: `${db.databaseName}.tags` } }];
  const { cursor } = await db.admin().command({ aggregate: 1, pipeline, cursor: {} });
  return cursor.firstBatch.length;
}

test.each([
  ['REST', rest],
  ['GraphQL', graphql],
])('a disconnecting client cancels its query: %s', async (_, requestOf) => {
  const { path, body } = requestOf();
  const failure = new Promise<unknown>((resolve) => {
    client.service.database.client.once('commandFailed', (event: CommandFailedEvent) => resolve(event.failure));
  });
  const request = http.request(`${client.service.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${client.service.token}`, 'content-type': 'application/json' },
  });
  request.on('error', () => undefined).end(body && JSON.stringify(body));
  while ((await readsUnderWay()) === 0) await wait(20);
  request.destroy();
  expect(await failure).toMatchObject({ code: INTERRUPTED });
  while ((await readsUnderWay()) > 0) await wait(20);
});
