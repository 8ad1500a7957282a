import { expect, test } from '@jest/globals';
import request from 'supertest';
import { splitMessages } from '../../support/change-feed.js';
import { useService } from '../../support/service.js';

const client = useService({ environment: { EVENTS: 'true' } });
const off = useService();
const narrow = useService({
  environment: { EVENTS: 'true', CONCURRENCY: '1' },
  configure: (config) => ({ ...config, limits: { ...config.limits, queueLimit: 1 } }),
});

interface Stream {
  readonly response: Response;
  /** The next result, or `complete`. */
  next(): Promise<unknown>;
  close(): void;
}

async function subscribe(query: string, variables: object = {}, { service } = client): Promise<Stream> {
  const ending = new AbortController();
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: {
      Accept: 'text/event-stream',
      'Content-Type': 'application/json',
      Authorization: `Bearer ${service.token}`,
    },
    body: JSON.stringify({ query, variables }),
    signal: ending.signal,
  });
  const results = resultsIn(response.body as ReadableStream<Uint8Array>);
  return { response, next: async () => (await results.next()).value as unknown, close: () => ending.abort() };
}

async function* resultsIn(body: ReadableStream<Uint8Array>): AsyncGenerator {
  for await (const message of splitMessages(body)) {
    const [, event, data = ''] = /^event: (\w+)\ndata:(.*)$/.exec(message) ?? [];
    if (event === 'complete') yield 'complete';
    if (event === 'next') yield JSON.parse(data);
  }
}

const changes = `subscription ($since: String) {
  changes(since: $since, types: ["authors"], fields: { authors: ["name"] }) { position event uid id entry }
}`;

test('a subscription sends changes, and resumes from a position', async () => {
  const stream = await subscribe(changes);
  const id = await client.create('authors', { name: 'Anna' });
  const result = (await stream.next()) as { data: { changes: { position: string } } };
  const change = { event: 'entry.create', uid: 'api::author.author', id: String(id), entry: { id, name: 'Anna' } };
  expect(result).toEqual({ data: { changes: { position: expect.any(String), ...change } } });
  stream.close();
  await client.delete(`/api/authors/${id}`);
  const resumed = await subscribe(changes, { since: result.data.changes.position });
  expect(await resumed.next()).toMatchObject({
    data: { changes: { event: 'entry.delete', id: String(id), entry: null } },
  });
  resumed.close();
});

test.each([
  ['{ __typename }', {}, 'Only a subscription is sent as text/event-stream'],
  ['subscription { changes(types: ["unknown"]) { id } }', {}, 'types: unknown content type "unknown"'],
  ['subscription { unknown { id } }', {}, 'Cannot query field "unknown" on type "Subscription".'],
  ['subscription {', {}, 'Syntax Error: Expected Name, found <EOF>.'],
  [changes, { since: 'x' }, 'since must be a position that a change or the feed has'],
  [changes, { since: 5 }, 'Variable "$since" got invalid value 5; String cannot represent a non string value: 5'],
])('%s with %j is refused', async (query, variables, message) => {
  const { response } = await subscribe(query, variables);
  const { errors } = (await response.json()) as { errors: readonly { readonly message: string }[] };
  expect([response.status, errors[0]?.message]).toEqual([400, message]);
});

test('subscriptions are opened within the limit on concurrent requests, of which open ones take none', async () => {
  const streams = await Promise.all(Array.from({ length: 30 }, () => subscribe(changes, {}, narrow)));
  const statuses = new Set(streams.map(({ response }) => response.status));
  expect(statuses).toEqual(new Set([200, 503]));
  const later = await subscribe(changes, {}, narrow);
  expect(later.response.status).toBe(200);
  for (const { close } of [...streams, later]) close();
});

test('a stream ends with the feeds of the service', async () => {
  const stream = await subscribe(changes);
  client.service.closeConnections();
  expect(await stream.next()).toBe('complete');
});

test('services that record no writes have no subscriptions', async () => {
  const { body } = await request(off.service.url).post('/graphql').send({ query: 'subscription { changes { id } }' });
  expect(body.errors[0].message).toBe('Schema is not configured for subscriptions.');
});
