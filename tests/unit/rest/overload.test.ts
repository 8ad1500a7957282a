import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import express from 'express';
import type { HttpConfig } from '../../../src/config/config.js';
import { addEdge } from '../../../src/rest/middleware/edge.js';
import { respondToErrors } from '../../../src/rest/response/error-response.js';

test('a full queue refuses requests before any route, but not those of operators', async () => {
  const app = express();
  const counted: string[] = [];
  addEdge(app, {
    http: { origins: ['http://pages.example'], urlLimit: 1000, metricsToken: undefined } as unknown as HttpConfig,
    admission: { full: true, running: 1, waiting: 1, run: (_response, work) => work() },
    countRequest: async (address) => void counted.push(address),
    exposed: { contentType: 'text/plain', metrics: () => Promise.resolve('') },
    isReady: () => Promise.resolve(true),
    findDegraded: () => Promise.resolve([]),
    watch: () => undefined,
    templateOf: () => 'unknown',
  });
  app.use(respondToErrors({ error: () => undefined }));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [refused, health] = await Promise.all([
    fetch(`${url}/api/articles`, { headers: { Origin: 'http://pages.example' } }),
    fetch(`${url}/_health`),
  ]);
  server.close();
  expect([refused.status, health.status]).toEqual([503, 204]);
  expect(await refused.json()).toMatchObject({ data: null, error: { status: 503 } });
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    'retry-after': '2',
    'access-control-allow-origin': 'http://pages.example',
  });
  expect(counted).toEqual([]);
});
