import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestService } from '../../../src/testing.js';
import { startMemoryServer } from '../../../src/mongo/connection/memory-server.js';
import { corpus, useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const client = useService({
  environment: { METRICS_TOKEN: 'a-token-for-metrics', RATE_LIMIT: '40', MONITOR_COMMANDS: 'true' },
});
const get = (path: string) => request(client.service.url).get(path);
const metrics = async (): Promise<string> => {
  const { status, text } = await get('/metrics').auth('a-token-for-metrics', { type: 'bearer' });
  expect(status).toBe(200);
  return text;
};

test('/_health returns 204, as in Strapi v4', async () => {
  const { status, headers } = await get('/_health');
  expect({ status, strapi: headers['strapi'] }).toEqual({ status: 204, strapi: 'You are so French!' });
});

describe('measurements', () => {
  test('require the token; /metrics returns 404 without it', async () => {
    expect((await get('/metrics')).status).toBe(404);
    expect((await get('/metrics').auth('another', { type: 'bearer' })).status).toBe(404);
  });

  test('are numbers from the first request on, also in requests at the same time', async () => {
    for (const text of await Promise.all([metrics(), metrics()])) {
      const lags = [...text.matchAll(/^nodejs_eventloop_lag_\w+ (.+)$/gm)].map(([, value]) => Number(value));
      expect(lags.length).toBeGreaterThan(6);
      expect(lags.filter((seconds) => !(seconds >= 0 && seconds < 3600))).toEqual([]);
    }
  });

  test('label requests with their route template', async () => {
    const id = await client.create('tags', { name: 'Measured' });
    await client.get(`/api/tags/${id}`);
    await client.get('/api/nothing-like-this');
    const text = await metrics();
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/api/tags/:id",status="200"} 1');
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/api/:name",status="404"} 1');
    expect(text).not.toContain('nothing-like-this');
  });

  test('label requests that fail as those that succeed', async () => {
    expect((await client.get('/api/Tags/999?fields=name')).status).toBe(404);
    expect((await get('/api/tags?fields=name')).status).toBe(403);
    const text = await metrics();
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/api/tags/:id",status="404"} 1');
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/api/tags",status="403"} 1');
  });

  test('count failed logins', async () => {
    const body = { identifier: 'nobody', password: 'wrong' };
    expect((await request(client.service.url).post('/api/auth/local').send(body)).status).toBe(400);
    expect(await metrics()).toMatch(/^failed_logins_total 1$/m);
  });

  test('include the duration of database commands', async () => {
    await client.get('/api/tags');
    expect(await metrics()).toMatch(/^mongodb_command_duration_seconds_count\{command="find",outcome="done"\} [1-9]/m);
  });

  test('include the event loop, queued requests and connections', async () => {
    const text = await metrics();
    for (const name of ['nodejs_eventloop_lag_seconds', 'http_requests_waiting', 'mongodb_connections_busy']) {
      expect(text).toMatch(new RegExp(`^${name} [\\d.e-]+$`, 'm'));
    }
  });
});

test('a client above the rate limit gets 429, except at /_health', async () => {
  const statuses: number[] = [];
  while (!statuses.includes(429) && statuses.length < 50) statuses.push((await client.get('/api/tags')).status);
  expect(statuses.at(-1)).toBe(429);
  expect(await metrics()).toMatch(/^rate_limit_refusals_total\{limit="requests"\} 1$/m);
  expect((await get('/_health')).status).toBe(204);
});

test('a request beyond the concurrency and queue limits gets 503, and later requests are served', async () => {
  const service = await createTestService({
    contentTypes: corpus,
    mongodbUri: String(process.env['TEST_MONGODB_URI']),
    environment: { CONCURRENCY: '1', METRICS_TOKEN: 'a-token-for-metrics' },
    configure: (config) => ({ ...config, limits: { ...config.limits, queueLimit: 1 } }),
  });
  const list = () => request(service.url).get('/api/tags').auth(service.token, { type: 'bearer' });
  const answers = await Promise.all(Array.from({ length: 30 }, list));
  const refused = answers.filter(({ status }) => status === 503);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(30 - refused.length);
  expect(refused[0]?.headers).toMatchObject({
    'retry-after': '2',
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
  });
  expect(refused[0]?.body.error).toEqual({
    status: 503,
    name: 'ServiceUnavailableError',
    message: 'The server is busy, try again in a few seconds',
    details: {},
  });
  expect((await list()).status).toBe(200);
  const { text } = await request(service.url).get('/metrics').auth('a-token-for-metrics', { type: 'bearer' });
  expect(text).toContain(
    `http_request_duration_seconds_count{method="GET",route="refused",status="503"} ${refused.length}`,
  );
  await service.close();
});

test('/_ready returns 503 without a database and during shutdown', async () => {
  const database = await startMemoryServer();
  const service = await createTestService({ contentTypes: corpus, mongodbUri: database.uri });
  const ready = async () => (await request(service.url).get('/_ready')).status;
  await until(async () => (await ready()) === 204);
  service.drain();
  expect(await ready()).toBe(503);
  await service.close();
  await database.stop();
});
