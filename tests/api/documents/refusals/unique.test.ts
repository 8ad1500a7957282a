import { beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { useService, type Answer } from '../../../support/service.js';

const client = useService({ plugins: { i18n: { config: { locales: ['en', 'fr'] } } } });
const { create, post, put } = client;
const message = 'This attribute must be unique';
const pathsIn = ({ status, body }: Answer): unknown => ({
  status,
  message: body.error.message,
  paths: body.error.details.errors.map((one: { path: readonly string[]; message: string }) =>
    one.message === message ? one.path.join('.') : `${one.path.join('.')}: ${one.message}`,
  ),
});
const all = (...paths: readonly string[]): unknown => ({
  status: 400,
  message: paths.length === 1 ? message : `${paths.length} errors occurred`,
  paths,
});

describe('all taken unique values are reported together', () => {
  const both = { name: 'x', sku: 'SAME', handle: 'same' };
  beforeAll(async () => {
    await create('products', both);
  });

  test('by a create, in the order of the definition', async () => {
    expect(pathsIn(await post('/api/products', both))).toEqual(all('sku', 'handle'));
    expect(pathsIn(await post('/api/products', { ...both, sku: 'ELSE' }))).toEqual(all('handle'));
  });

  test('by an update, without values of the entry itself', async () => {
    const id = await create('products', { name: 'y', sku: 'OWN', handle: 'own' });
    expect(pathsIn(await put(`/api/products/${id}`, both))).toEqual(all('sku', 'handle'));
    expect(pathsIn(await put(`/api/products/${id}`, { sku: 'OWN', handle: 'same' }))).toEqual(all('handle'));
    expect((await put(`/api/products/${id}`, { sku: 'OWN', handle: 'own' })).status).toBe(200);
  });

  test('together with all other errors', async () => {
    expect(pathsIn(await post('/api/products', { ...both, price: -1 }))).toEqual({
      status: 400,
      message: '3 errors occurred',
      paths: ['sku', 'price: price must be greater than or equal to 0', 'handle'],
    });
  });

  test('over GraphQL', async () => {
    const document = 'mutation { createProduct(data: { name: "x", sku: "SAME", handle: "same" }) { data { id } } }';
    const [error] = (await client.graphql(document)).body.errors;
    const { details } = error.extensions.error;
    expect(details.errors.map(({ path }: { path: readonly string[] }) => path)).toEqual([['sku'], ['handle']]);
  });

  test('for a localized type, in every locale', async () => {
    const values = { title: 'x', slug: 'same-slug', code: 'same-code' };
    const id = await create('articles', values);
    expect(pathsIn(await post('/api/articles', values))).toEqual(all('slug', 'code'));
    expect(pathsIn(await post('/api/articles?locale=fr', values))).toEqual(all('slug', 'code'));
    const localization = await request(client.service.url)
      .post(`/api/articles/${id}/localizations`)
      .auth(client.service.token, { type: 'bearer' })
      .send({ ...values, locale: 'fr' });
    expect(pathsIn(localization)).toEqual(all('slug', 'code'));
  });
});

test('a user whose name is taken is refused once, with the message of Strapi v4', async () => {
  const user = { username: 'same', email: 'same@example.test', password: 'secret', role: 1 };
  const sent = (body: object) =>
    request(client.service.url).post('/api/users').auth(client.service.token, { type: 'bearer' }).send(body);
  expect((await sent(user)).status).toBe(201);
  const again = await sent({ ...user, email: 'other@example.test' });
  expect({ status: again.status, message: again.body.error.message }).toEqual({ status: 400, message });
});
