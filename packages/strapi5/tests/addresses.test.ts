import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { corpus, useService } from '../../../tests/support/service.js';
import { createTestService } from '../../../src/testing.js';
import { testUri } from '../../../tests/support/commands.js';

describe('with settings that make 5 the format of /api', () => {
  const client = useService({
    environment: { REST_PREFIX: '/v4/api' },
    plugins: {
      strapi5: { enabled: true, config: { path: '/' } },
      graphql: { enabled: true, config: { endpoint: '/v4/graphql' } },
    },
  });

  test('both formats answer from the same entries', async () => {
    await client.post('/v4/api/tags', { name: 'One' });
    expect((await client.get('/api/tags')).body.data).toMatchObject([{ name: 'One' }]);
    expect((await client.get('/v4/api/tags')).body.data).toMatchObject([{ attributes: { name: 'One' } }]);
    const send = async (path: string, query: string): Promise<unknown> =>
      (await request(client.service.url).post(path).auth(client.service.token, { type: 'bearer' }).send({ query })).body
        .data;
    expect(await send('/graphql', '{ tags { name } }')).toEqual({ tags: [{ name: 'One' }] });
    expect(await send('/v4/graphql', '{ tags { data { attributes { name } } } }')).toEqual({
      tags: { data: [{ attributes: { name: 'One' } }] },
    });
  });
});

test('a cache on the way is told that a header chooses the form', async () => {
  const service = await createTestService({
    contentTypes: corpus,
    mongodbUri: testUri('appName', 'strapi5'),
    plugins: { strapi5: true },
  });
  const ask = (form: string) =>
    request(service.url)
      .get('/v5/api/tags')
      .auth(service.token, { type: 'bearer' })
      .set('Strapi-Response-Format', form);
  for (const form of ['v4', 'v5']) expect((await ask(form)).headers['vary']).toMatch(/\bStrapi-Response-Format\b/);
  await service.close();
});

test.each([
  ['REST', {}, 'set REST_PREFIX to another'],
  ['GraphQL', { REST_PREFIX: '/v4/api' }, 'Two GraphQL schemas would be at /graphql: set config.endpoint'],
])('one path for both stops the start: %s', async (_, environment, message) => {
  const starting = createTestService({
    contentTypes: corpus,
    mongodbUri: testUri('appName', 'strapi5'),
    environment,
    plugins: { strapi5: { enabled: true, config: { path: '/' } } },
  });
  await expect(starting).rejects.toThrow(message);
});

describe('below /v5', () => {
  const client = useService({ plugins: { strapi5: true } });

  test('the address of a file leads to the file', async () => {
    const sending = request(client.service.url).post('/v5/api/upload').auth(client.service.token, { type: 'bearer' });
    const { body } = await sending.attach('files', Buffer.from('hello'), 'hello.txt');
    const answer = await fetch(`${client.service.url}/v5${body[0].url}?a=b`);
    expect([answer.status, await answer.text()]).toEqual([200, 'hello']);
  });

  test('a path without a route is not found, and other methods are refused', async () => {
    expect((await client.get('/v5/api/nothing')).status).toBe(404);
    expect((await request(client.service.url).patch('/v5/api/tags')).status).toBe(405);
  });
});
