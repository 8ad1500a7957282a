import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import express from 'express';
import { expressPrototypes } from '../../../src/rest/express-prototypes.js';

test("requests and responses have Express's prototypes from the beginning", async () => {
  const app = express();
  app.get('/', (request, response) => {
    response.json({ query: request.query, own: request.app === app && response.app === app });
  });
  const prototypes = ({ request, response }: { request: IncomingMessage; response: ServerResponse }): unknown[] =>
    [request, response].map((message) => Object.getPrototypeOf(message) as unknown);
  const seen: unknown[] = [];
  const server = createServer(expressPrototypes(app), (request, response) => {
    seen.push(prototypes({ request, response }));
    app(request, response);
    seen.push(prototypes({ request, response }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/?a=1`);
  server.close();
  expect(await answer.json()).toEqual({ query: { a: '1' }, own: true });
  expect(seen[0]).toEqual([app.request, app.response]);
  expect(seen[0]).toEqual(seen[1]);
  expect((seen[0] as unknown[])[0]).toBe(app.request);
});

test('a response is reported as a backlog once, and only if its client does not read it at once', async () => {
  const app = express();
  app.get('/short', (_request, response) => void response.end('short'));
  app.get('/long', (_request, response) => {
    response.write('x'.repeat(2 ** 24));
    response.end('x'.repeat(2 ** 24));
  });
  const backlogs: unknown[] = [];
  const server = createServer(
    expressPrototypes(app, { onBacklog: (response) => backlogs.push(response.req.url) }),
    (request, response) => app(request, response),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  for (const path of ['/short', '/long']) await (await fetch(`http://127.0.0.1:${port}${path}`)).arrayBuffer();
  server.close();
  expect(backlogs).toEqual(['/long']);
});
