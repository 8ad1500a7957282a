import { beforeEach, expect, test } from '@jest/globals';
import request from 'supertest';
import { checkPlugins } from '../../../src/app/check-plugins.js';
import fc from '../../../tests/support/fast-check.js';
import { scaled, seed } from '../../../tests/support/scaled.js';
import { useService } from '../../../tests/support/service.js';
import { plainEntry } from '../../../src/query/entry-presenter.js';
import { createPlugin } from '../src/plugin.js';

const key = 'a secret of thirty-two characters';
const client = useService({ plugins: { audit: { config: { days: 30, key } }, strapi5: true, mcp: true } });
const uid = 'admin::audit.record';

interface Shown {
  readonly id: number;
  readonly action: string;
  readonly of: string;
  readonly entry: number;
  readonly door: string;
  readonly kind: string;
  readonly name: string | null;
  readonly written: readonly string[];
  readonly request: string;
  readonly [name: string]: unknown;
}
const records = async (query = '', size = 100): Promise<readonly Shown[]> =>
  (await client.get(`/api/audit?pagination[pageSize]=${size}${query}`)).body.data as readonly Shown[];
const after = (id: number): Promise<readonly Shown[]> => records(`&filters[id][$gt]=${id}&sort=id:asc`);
const lastId = async (): Promise<number> => (await records('', 1))[0]?.id ?? 0;
interface Document {
  readonly _id: number;
  readonly [name: string]: unknown;
}
const collection = () => client.service.database.db.collection<Document>('audit_records');

const run = async (usage: string, input: object = {}) => {
  const command = client.service.commands.find((one) => one.usage === usage);
  if (command === undefined) throw new Error(`There is no ${usage}`);
  return command.run({ ...input });
};
async function allOf<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}
async function* nothing(): AsyncGenerator<string> {}
const findings = async (): Promise<readonly unknown[]> => (await run('audit check')).rows;

let tag = 0;
beforeEach(async () => {
  tag = await client.create('tags', { name: `tag ${Math.random()}` });
});

/** A write by each door: the answer, and the records that it has to have. */
const doors: Readonly<Record<string, () => Promise<readonly [status: number, expected: readonly object[]]>>> = {
  creation: async () => {
    const { status, body } = await client.post('/api/tags', { name: `new ${Math.random()}` });
    return [status, [{ action: 'create', of: 'api::tag.tag', entry: body.data.id, door: 'rest' }]];
  },
  update: async () => {
    const { status } = await client.put(`/api/tags/${tag}`, { name: `other ${Math.random()}` });
    return [status, [{ action: 'update', of: 'api::tag.tag', entry: tag, door: 'rest', written: ['name'] }]];
  },
  'refused update': async () => {
    const { status } = await client.put(`/api/tags/${tag}`, { name: 5, unknown: {}, localizations: 'x' });
    return status === 200 ? [status, [{ action: 'update', entry: tag }]] : [200, []];
  },
  'write of nothing that is there': async () => {
    const { status } = await client.put('/api/tags/987654', { name: 'x' });
    expect(status).toBe(404);
    return [200, []];
  },
  'dry run': async () => {
    const { status } = await client.put(`/api/tags/${tag}?dryRun=true`, { name: 'x' });
    return [status, []];
  },
  deletion: async () => {
    const { status } = await client.delete(`/api/tags/${tag}`);
    return [status, [{ action: 'delete', of: 'api::tag.tag', entry: tag, door: 'rest', written: [] }]];
  },
  GraphQL: async () => {
    const { status, body } = await client.graphql(
      'mutation ($name: String!) { createTag(data: { name: $name }) { data { id } } }',
      { name: `by GraphQL ${Math.random()}` },
    );
    return [status, [{ action: 'create', entry: Number(body.data.createTag.data.id), door: 'graphql' }]];
  },
  'Strapi 5': async () => {
    const { status } = await client.post('/v5/api/tags', { name: `by v5 ${Math.random()}` });
    expect(status).toBe(201);
    return [200, [{ action: 'create', of: 'api::tag.tag', door: 'v5' }]];
  },
  batch: async () => {
    const response = await request(client.service.url)
      .post('/api/batch')
      .auth(client.service.token, { type: 'bearer' })
      .send({
        operations: [
          { create: 'tags', data: { name: `in a batch ${Math.random()}` } },
          { delete: 'tags', id: tag },
        ],
      });
    const expected = [
      { action: 'create', door: 'batch' },
      { action: 'delete', entry: tag, door: 'batch' },
    ];
    return [response.status, expected];
  },
  'refused batch': async () => {
    const response = await request(client.service.url)
      .post('/api/batch')
      .auth(client.service.token, { type: 'bearer' })
      .send({
        operations: [
          { create: 'tags', data: { name: `in a batch ${Math.random()}` } },
          { delete: 'tags', id: 987_654 },
        ],
      });
    expect(response.status).toBe(404);
    return [200, []];
  },
  code: async () => {
    await client.service.entries.update('api::tag.tag', tag, { name: `by code ${Math.random()}` });
    return [200, [{ action: 'update', entry: tag, door: 'code', kind: 'system', name: null }]];
  },
};

test('each acknowledged write has one record, whatever door it came by', async () => {
  const names = fc.sample(fc.constantFrom(...Object.keys(doors)), { numRuns: scaled(12, 200), seed });
  for (const name of [...Object.keys(doors), ...names]) {
    tag = await client.create('tags', { name: `tag ${Math.random()}` });
    const before = await lastId();
    const [status, expected] = await (doors[name] as (typeof doors)[string])();
    expect([name, status]).toEqual([name, 200]);
    const found = await after(before);
    expect([name, found]).toEqual([name, expected.map((one) => expect.objectContaining(one) as object)]);
  }
  expect(await findings()).toEqual([]);
});

test('a record says who wrote, from where and by which request, and no values', async () => {
  const before = await lastId();
  const { headers } = await client.put(`/api/tags/${tag}`, { name: `confidential ${tag}` });
  const [found] = await after(before);
  expect(found).toMatchObject({ kind: 'token', request: headers['x-request-id'], written: ['name'] });
  expect(found?.['address']).toMatch(/127\.0\.0\.1/);
  expect(JSON.stringify(await collection().find().toArray())).not.toContain('confidential');
  expect(found).not.toHaveProperty('salt');
});

test('the log is read with a permission of its own, and by filters', async () => {
  expect((await request(client.service.url).get('/api/audit')).status).toBe(403);
  const found = await records(`&filters[of][$eq]=api::tag.tag&filters[entry][$eq]=${tag}`);
  expect(found.map(({ action }) => action)).toEqual(['create']);
  const page = await client.get('/api/audit?pagination[pageSize]=1&pagination[page]=2');
  expect(page.body.meta).toEqual({ pagination: { page: 2, pageSize: 1, hasMore: true } });
  for (const query of [
    'populate=*',
    'pagination[start]=1',
    'pagination[page]=0',
    'filters[salt][$notNull]=true',
    'sort=salt',
  ])
    expect([query, (await client.get(`/api/audit?${query}`)).status]).toEqual([query, 400]);
});

test('a role that may read it is saved as forms send it', async () => {
  const { entries } = client.service;
  const { id } = (await entries.findFirst('plugin::users-permissions.role', {
    filters: { type: 'authenticated' },
  })) as {
    readonly id: number;
  };
  const read = async (): Promise<any> => (await client.get(`/api/users-permissions/roles/${id}`)).body.role;
  const { name, description, permissions } = await read();
  permissions['admin::audit'].controllers.record.find.enabled = true;
  const path = `/api/users-permissions/roles/${id}`;
  const send = async (tree: object) =>
    request(client.service.url)
      .put(path)
      .auth(client.service.token, { type: 'bearer' })
      .send({ name, description, permissions: tree });
  expect((await send(permissions)).status).toBe(200);
  const stored = (await read()).permissions;
  expect(stored['admin::audit']).toEqual({ controllers: { record: { find: { enabled: true, policy: '' } } } });
  expect((await send(stored)).status).toBe(200);
});

test('nobody changes or removes a record through the service', async () => {
  const { entries } = client.service;
  const id = await lastId();
  const refused = { code: 'forbidden' };
  await expect(entries.create(uid, { action: 'x' })).rejects.toMatchObject(refused);
  await expect(entries.update(uid, id, { action: 'x' })).rejects.toMatchObject(refused);
  await expect(entries.delete(uid, id)).rejects.toMatchObject(refused);
  await expect(entries.deleteMany(uid, {})).rejects.toMatchObject(refused);
  await expect(entries.updateMany(uid, {}, { action: 'x' })).rejects.toMatchObject(refused);
  for (const path of ['audit', 'audit-records'])
    expect((await client.delete(`/api/${path}/${id}`)).status).not.toBe(200);
});

const changed = 'was changed: its hash is not that of its values';
const outOfOrder = (place: number, last: number): string =>
  `does not follow: its place is ${place} after ${last}, records between are gone or not in order`;

type Finding = readonly [record: number, rule: string];

/** What somebody with the password of the database does to the two records before the last, and what is found then. */
const forgeries: Readonly<
  Record<
    string,
    {
      readonly forge: (first: Document, second: Document) => Promise<unknown>;
      readonly found: (last: number) => readonly Finding[];
    }
  >
> = {
  changed: {
    forge: ({ _id }) => collection().updateOne({ _id }, { $set: { user: 99 } }),
    found: (last) => [[last - 2, changed]],
  },
  removed: {
    forge: ({ _id }) => collection().deleteOne({ _id }),
    found: (last) => [[last - 1, outOfOrder(last - 1, last - 3)]],
  },
  added: {
    forge: (first, { _id }) => collection().insertOne({ ...first, _id: _id + 1000, key: 'forged' }),
    found: (last) => [
      [last + 999, changed],
      [last + 999, outOfOrder(last - 2, last)],
    ],
  },
  reordered: {
    forge: async (first, second) => {
      // The keys are unique.
      await collection().deleteMany({ _id: { $in: [first._id, second._id] } });
      await collection().insertMany([
        { ...first, _id: second._id },
        { ...second, _id: first._id },
      ]);
    },
    found: (last) => [
      [last - 2, outOfOrder(last - 1, last - 3)],
      [last - 1, outOfOrder(last - 2, last - 1)],
      [last, outOfOrder(last, last - 2)],
    ],
  },
};

test.each(Object.entries(forgeries))(
  'a record that is %s in the database is found, also by check-data',
  async (_, { forge, found }) => {
    for (const name of ['first', 'second', 'last']) await client.put(`/api/tags/${tag}`, { name: `${name} ${tag}` });
    const id = await lastId();
    const check = async (): Promise<readonly unknown[]> =>
      allOf(checkPlugins([createPlugin({ key })], client.service.database, client.service.registry));
    expect(await check()).toEqual([]);
    const stored = await collection().find().toArray();
    const [first, second] = stored.filter(({ _id }) => _id === id - 2 || _id === id - 1);
    if (first === undefined || second === undefined) throw new Error('There are no such records');
    await forge(first, second);
    expect(await check()).toEqual(
      found(id).map(([record, rule]) => ({ collection: 'audit_records', id: String(record), path: '', rule })),
    );
    expect(await findings()).toEqual(found(id).map(([record, rule]) => ({ record, rule })));
    await collection().deleteMany({});
    await collection().insertMany(stored);
    expect(await findings()).toEqual([]);
  },
);

test('the log is written out as lines, after a record', async () => {
  const before = await lastId();
  await client.put(`/api/tags/${tag}`, { name: `line ${Math.random()}` });
  await records();
  const { lines } = await run('audit export', { after: String(before) });
  const all = (await allOf(lines ?? nothing())).map((line) => JSON.parse(line) as Shown);
  expect(all).toMatchObject([
    { action: 'update', entry: tag },
    { action: 'export', of: uid },
  ]);
});

test('a user is erased, old records go, and the log stays valid', async () => {
  const { documents, registry } = client.service;
  const type = registry.contentTypes.get('api::tag.tag');
  if (type === undefined) throw new Error('no tags');
  const credentials = { id: 4711, username: 'erased-user' };
  const caller = { kind: 'user', user: 4711, may: () => true, credentials } as const;
  const asking = { caller, presenter: plainEntry, selection: { fields: [], populate: [] } };
  await documents.create(type, { name: `by a user ${Math.random()}` }, asking);
  const own = await records('&filters[kind][$eq]=user&filters[user][$eq]=4711');
  expect(own.map(({ name }) => name)).toEqual(['erased-user']);
  expect((await run('audit erase <user>', { user: '4711' })).rows).toEqual([{ records: 1 }]);
  expect(JSON.stringify(await collection().find().toArray())).not.toContain('erased-user');
  expect(await findings()).toEqual([]);
  expect((await run('audit expire')).rows).toEqual([{ removed: 0 }]);
});
