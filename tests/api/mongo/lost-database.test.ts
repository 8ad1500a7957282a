import { expect, test } from '@jest/globals';
import request from 'supertest';
import { startMemoryServer, type MemoryServer } from '../../../src/mongo/connection/memory-server.js';
import { createTestService } from '../../../src/testing.js';
import { startUnreliableProxy } from '../../faults/unreliable-proxy.js';
import { corpus } from '../../support/service.js';

const portOf = ({ uri }: MemoryServer): number => Number(new URL(uri).port);

test('returns 503 with Retry-After without its database, and recovers when it is back', async () => {
  const first = await startMemoryServer();
  const proxy = await startUnreliableProxy(portOf(first));
  const mongodbUri = `mongodb://127.0.0.1:${proxy.port}`;
  const service = await createTestService({ contentTypes: corpus, mongodbUri });
  const list = () => request(service.url).get('/api/tags').auth(service.token, { type: 'bearer' });
  expect((await list()).status).toBe(200);

  await first.stop();
  const lost = await list();
  const write = await request(service.url)
    .post('/api/tags')
    .auth(service.token, { type: 'bearer' })
    .send({ data: { name: 'Lost' } });

  const second = await startMemoryServer();
  proxy.setTarget(portOf(second));
  let { status } = await list();
  while (status === 503) ({ status } = await list());
  await service.close();
  await proxy.close();
  await second.stop();

  expect({ status: lost.status, name: lost.body.error.name }).toEqual({ status: 503, name: 'ServiceUnavailableError' });
  expect(Number(lost.headers['retry-after'])).toBeGreaterThan(0);
  expect(write.status).toBe(503);
  // The new one is empty, so it does not know the token, which the service may remember for another moment.
  expect([200, 401]).toContain(status);
});
