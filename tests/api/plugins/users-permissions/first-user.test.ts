import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { declare } from '../../../support/access.js';
import { monitoredUri } from '../../../support/commands.js';
import { corpus } from '../../../support/service.js';

const USER = 'plugin::users-permissions.user';

/** Two processes with one database, as far as they share anything: each has its own locks in memory. */
let services: readonly [TestService, TestService];
beforeAll(async () => {
  const options = { contentTypes: corpus, mongodbUri: monitoredUri(), plugins: { admin: true } };
  const environment = {
    JWT_SECRET: 'a-secret-that-all-processes-share',
    PUBLIC_URL: 'https://content.example.org',
    DATABASE_NAME: `first_user_${process.pid}`,
  };
  const first = await createTestService({ ...options, environment });
  services = [first, await createTestService({ ...options, environment })];
  await declare(first, { editor: ['api::article.article.find'] });
});
afterAll(async () => {
  for (const service of services.toReversed()) await service.close();
});
beforeEach(async () => {
  const [{ entries }] = services;
  for (const { id } of await entries.findMany(USER, { fields: ['id'] })) await entries.delete(USER, id);
});

const codeOf = async ({ notices }: TestService): Promise<string> => {
  const [line = '', ...others] = await notices();
  expect(others).toEqual([]);
  expect(line).toMatch(/^No user has the role editor yet\..* https:\/\/content\.example\.org\/admin\/account\/first#/);
  return line.replace(/^.*#/, '');
};
const create = (service: TestService, name: string, code: string, password = 'a-long-password') =>
  request(service.url)
    .post('/api/auth/first-user')
    .send({ code, username: name, email: `${name}@example.org`, password });
const editors = async (): Promise<readonly unknown[]> => {
  const users = await services[0].entries.findMany(USER, { filters: { role: { type: 'editor' } } });
  return users.map(({ username }) => username);
};

test('the link creates a confirmed user of the role editor, who is logged in', async () => {
  const [service] = services;
  const { status, body } = await create(service, 'ann', await codeOf(service));
  expect([status, body.user]).toEqual([200, expect.objectContaining({ username: 'ann', confirmed: true })]);
  const articles = await request(service.url).get('/api/articles').auth(body.jwt, { type: 'bearer' });
  expect(articles.status).toBe(200);
  expect(await editors()).toEqual(['ann']);
  expect(await service.notices()).toEqual([]);
});

test('a link is good once, for the service that stored its hash, and only until there is a user', async () => {
  const [service, other] = services;
  const [code, later] = [await codeOf(service), await codeOf(other)];
  expect(JSON.stringify(await service.database.db.collection('_claims').find().toArray())).not.toContain(code);
  expect((await create(service, 'eve', `${code}x`)).status).toBe(400);
  expect((await create(other, 'ann', code)).status).toBe(200);
  for (const used of [code, later]) {
    const { status, body } = await create(service, 'eve', used);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('was used or has expired')]);
  }
  await service.entries.delete(USER, (await service.entries.findMany(USER))[0]?.id ?? 0);
  expect((await create(service, 'eve', code)).status).toBe(400);
});

test('a refused user leaves the link good', async () => {
  const [service] = services;
  const code = await codeOf(service);
  const { status, body } = await create(service, 'ann', code, 'short');
  expect([status, body.error.message]).toEqual([400, 'password must be at least 6 characters']);
  expect((await create(service, 'ann', code)).status).toBe(200);
});

test('of concurrent requests to two processes, with one link and with several, exactly one creates a user', async () => {
  const [service, other] = services;
  const codes = [await codeOf(service), await codeOf(other), await codeOf(service)];
  const requests = services.flatMap((process, at) =>
    codes.map((code, index) => create(process, `u${at}${index}`, code)),
  );
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 400)).toHaveLength(5);
  expect(await editors()).toHaveLength(1);
});

test('there is no link without the editor', async () => {
  const service = await createTestService({
    contentTypes: corpus,
    mongodbUri: monitoredUri(),
    plugins: { admin: false },
  });
  try {
    await declare(service, { editor: [] });
    expect(await service.notices()).toEqual([]);
  } finally {
    await service.close();
  }
});
