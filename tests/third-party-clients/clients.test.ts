import { beforeAll, describe, expect, test } from '@jest/globals';
import { useService } from '../support/service.js';
import { fetchUtils } from './react-admin.js';

// As untyped programs use them: one ships TypeScript that is not ours to check, others bring an axios each.
const Strapi = require('strapi-sdk-js');
const { strapi } = require('@strapi/client');
const { DataProvider: refine, axiosInstance } = require('@refinedev/strapi-v4');
const { strapiRestProvider } = require('ra-strapi-v4-rest');
const { default: raStrapiRest } = require('ra-strapi-rest');

const client = useService();
const { create } = client;
const ids: number[] = [];

beforeAll(async () => {
  for (const name of ['Alpha', 'Beta', 'Gamma']) ids.push(await create('tags', { name, color: 'red' }));
  const { entries } = client.service;
  const [role] = await entries.findMany('plugin::users-permissions.role', { filters: { type: 'authenticated' } });
  const user = {
    username: 'ida',
    email: 'ida@example.org',
    password: 'a password',
    provider: 'local',
    confirmed: true,
    role: role?.id,
  };
  await entries.create('plugin::users-permissions.user', user);
});

const api = (): string => `${client.service.url}/api`;
const authorization = (): string => `Bearer ${client.service.token}`;
/** react-admin's requests with a token. */
const fetchJson = (url: string, options: RequestInit = {}) =>
  fetchUtils.fetchJson(url, { ...options, headers: new Headers({ authorization: authorization() }) });

describe('strapi-sdk-js 2.4', () => {
  const sdk = () => {
    const made = new Strapi({
      url: client.service.url,
      store: { key: 'jwt', useLocalStorage: false, cookieOptions: {} },
    });
    made.setToken(client.service.token);
    return made;
  };

  test('finds, creates, updates and deletes', async () => {
    const found = await sdk().find('tags', { sort: ['name:desc'], filters: { name: { $ne: 'Beta' } } });
    expect(found).toMatchObject({
      data: [{ attributes: { name: 'Gamma' } }, { attributes: { name: 'Alpha' } }],
      meta: { pagination: { total: 2 } },
    });
    const made = await sdk().create('tags', { name: 'By the SDK' });
    const { id } = made.data;
    expect(await sdk().findOne('tags', id)).toMatchObject({ data: { id, attributes: { name: 'By the SDK' } } });
    expect(await sdk().update('tags', id, { color: 'blue' })).toMatchObject({
      data: { attributes: { color: 'blue' } },
    });
    expect(await sdk().delete('tags', id)).toMatchObject({ data: { id } });
  });

  test('logs in, and reads errors', async () => {
    const made = new Strapi({
      url: client.service.url,
      store: { key: 'jwt', useLocalStorage: false, cookieOptions: {} },
    });
    const { jwt, user } = await made.login({ identifier: 'ida', password: 'a password' });
    expect(jwt).toMatch(/^ey/);
    expect(user).toMatchObject({ username: 'ida' });
    expect(await made.fetchUser()).toMatchObject({ username: 'ida' });
    await expect(sdk().findOne('tags', 9999)).rejects.toMatchObject({ error: { status: 404, name: 'NotFoundError' } });
  });
});

describe('@strapi/client 1.6', () => {
  const official = () => strapi({ baseURL: api(), auth: client.service.token });

  test('reads and writes collections', async () => {
    const tags = official().collection('tags');
    expect(await tags.find({ sort: 'name', pagination: { pageSize: 2 } })).toMatchObject({
      data: [{ attributes: { name: 'Alpha' } }, { attributes: { name: 'Beta' } }],
      meta: { pagination: { pageCount: 2 } },
    });
    const { data } = await tags.create({ name: 'By the client' });
    const id = String(data.id);
    expect(await tags.findOne(id)).toMatchObject({ data: { attributes: { name: 'By the client' } } });
    expect(await tags.update(id, { color: 'green' })).toMatchObject({ data: { attributes: { color: 'green' } } });
    await tags.delete(id);
    await expect(tags.findOne(id)).rejects.toThrow('404');
  });

  test('uploads files, updates their information and deletes them', async () => {
    const { files } = official();
    const [uploaded] = await files.upload(new Blob(['hello'], { type: 'text/plain' }), {
      fileInfo: { name: 'hello.txt', alternativeText: 'a greeting' },
    });
    const id = uploaded?.id ?? 0;
    expect(await files.find()).toMatchObject([{ name: 'hello.txt', alternativeText: 'a greeting' }]);
    expect(await files.update(id, { caption: 'Said' })).toMatchObject({ id, caption: 'Said' });
    expect(await files.findOne(id)).toMatchObject({ id, caption: 'Said' });
    await files.delete(id);
    expect(await files.find()).toEqual([]);
  });
});

describe('@refinedev/strapi-v4 7', () => {
  const provider = () => refine(api(), axiosInstance.create({ headers: { authorization: authorization() } }));

  test('lists with filters, sorters and pages', async () => {
    const { data, total } = await provider().getList({
      resource: 'tags',
      pagination: { currentPage: 1, pageSize: 2 },
      sorters: [{ field: 'name', order: 'desc' }],
      filters: [
        {
          operator: 'or',
          value: [
            { field: 'name', operator: 'contains', value: 'ALPH' },
            { field: 'id', operator: 'in', value: [ids[1]] },
          ],
        },
        { field: 'color', operator: 'nnull', value: true },
      ],
    });
    expect(total).toBe(2);
    expect(data).toMatchObject([{ name: 'Beta' }, { name: 'Alpha' }]);
    const many = await provider().getMany({ resource: 'tags', ids: [ids[0] ?? 0, ids[2] ?? 0] });
    expect(many.data).toHaveLength(2);
  });

  test('creates, updates and deletes, and reports the invalid field', async () => {
    const made = await provider().create({ resource: 'tags', variables: { name: 'By refine' } });
    const { id } = made.data.data;
    await provider().update({ resource: 'tags', id, variables: { color: 'blue' } });
    const { data } = await provider().getOne({ resource: 'tags', id });
    expect(data).toMatchObject({ name: 'By refine', color: 'blue' });
    await provider().deleteOne({ resource: 'tags', id });
    await expect(provider().create({ resource: 'tags', variables: {} })).rejects.toMatchObject({
      statusCode: 400,
      errors: { name: ['name must be defined.'] },
    });
  });
});

describe('ra-strapi-v4-rest', () => {
  const provider = () => strapiRestProvider(api(), fetchJson);
  const list = { pagination: { page: 1, perPage: 2 }, sort: { field: 'name', order: 'DESC' }, filter: {} };

  test('lists, reads and writes', async () => {
    const { data, total } = await provider().getList('tags', list);
    expect([data.map(({ name }: { name: string }) => name), total]).toEqual([['Gamma', 'Beta'], 3]);
    const many = await provider().getMany('tags', { ids: ids.slice(0, 2) });
    expect(many.data).toHaveLength(2);
    const made = await provider().create('tags', { data: { name: 'By react-admin' } });
    const { id } = made.data;
    const previousData = made.data;
    await provider().update('tags', { id, data: { name: 'Changed by react-admin' }, previousData });
    expect((await provider().getOne('tags', { id })).data).toMatchObject({ name: 'Changed by react-admin' });
    await provider().delete('tags', { id, previousData });
    await expect(provider().getOne('tags', { id })).rejects.toMatchObject({ status: 404 });
  });

  test('reads the entries that refer to another', async () => {
    const author = await create('authors', { name: 'Ada' });
    await create('articles', { title: 'Hers', author });
    const { data } = await provider().getManyReference('articles', {
      ...list,
      sort: { field: 'id', order: 'ASC' },
      target: 'author',
      id: author,
    });
    expect(data).toMatchObject([{ title: 'Hers' }]);
  });
});

describe('ra-strapi-rest', () => {
  test('lists by start and limit, searches, updates and deletes', async () => {
    const provider = raStrapiRest(api(), fetchJson);
    const sort = { field: 'name', order: 'ASC' };
    const page = { pagination: { page: 2, perPage: 2 }, sort, filter: {} };
    expect(await provider.getList('tags', page)).toMatchObject({ data: [{ name: 'Gamma' }], total: 3 });
    const search = { pagination: { page: 1, perPage: 10 }, sort, filter: { q: 'bet' } };
    expect(await provider.getList('tags', search)).toMatchObject({ data: [{ name: 'Beta' }], total: 1 });
    const id = await create('tags', { name: 'Short-lived' });
    expect(await provider.update('tags', { id, data: { color: 'green' } })).toMatchObject({ data: { color: 'green' } });
    expect(await provider.getMany('tags', { ids: [id] })).toMatchObject({ data: [{ name: 'Short-lived' }] });
    await provider.delete('tags', { id });
    expect((await client.get(`/api/tags/${id}`)).status).toBe(404);
  });
});
