import { once } from 'node:events';
import http, { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { useService } from '../support/service.js';

/** Clients that ask for long answers and read nothing. */
const client = useService();
const connections = 5;
const body = 'x'.repeat(900_000);
/** Answers are this many times as long, or more: that is beyond what operating systems keep of connections. */
const times = 12;

const responses: ServerResponse[] = [];
const server = createServer((request, response) => {
  responses.push(response);
  client.service.handler(request, response);
});
const requests: http.ClientRequest[] = [];

beforeAll(async () => {
  const category = await client.create('categories', { name: 'Long' });
  for (let number = 1; number <= times; number += 1) {
    await client.create('articles', { title: `Long ${number}`, body, category });
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  for (const request of requests) request.destroy();
  server.close();
});

/** Sends a request whose answer is not read; done when the head of it is there. */
async function askAndStop(path: string, sent?: object): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${client.service.token}`, 'content-type': 'application/json' };
  const options = { host: '127.0.0.1', port, path, headers, agent: false, method: sent ? 'POST' : 'GET' };
  const request = http.request(options).on('error', () => undefined);
  requests.push(request);
  request.end(sent && JSON.stringify(sent));
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  answer.on('error', () => undefined).pause();
  expect(answer.statusCode).toBe(200);
}

const running = async (): Promise<number> =>
  Number(/^http_requests_running (\d+)$/m.exec((await client.get('/metrics')).text)?.[1]);
const waiting = (): number => responses.reduce((sum, response) => sum + response.writableLength, 0);

const texts = Array.from({ length: 20 }, (_none, index) => `a${index}: body`).join(' ');
const list = `articles(pagination: { limit: 1 }) { data { attributes { ${texts} } } }`;

test.each<[string, () => Promise<void>]>([
  ['a list over REST', () => askAndStop('/api/articles')],
  ['an entry over REST', () => askAndStop('/api/categories/1?populate=articles')],
  ['GraphQL', () => askAndStop('/graphql', { query: `{ ${list} }` })],
  ['graphql-js', () => askAndStop('/graphql', { query: `{ authors(sort: "nope") { data { id } } ${list} }` })],
])('S76: unread responses use little memory, within the concurrency limit: %s', async (_name, ask) => {
  responses.length = 0;
  await Promise.all(Array.from({ length: connections }, ask));
  while (waiting() === 0) await wait(10);
  for (let before = -1; before !== waiting(); await wait(50)) before = waiting();
  expect(waiting()).toBeLessThan(connections * 3 * body.length);
  expect(await running()).toBe(connections);
  for (const request of requests.splice(0)) request.destroy();
  while ((await running()) > 0) await wait(10);
});
