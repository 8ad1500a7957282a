import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import request from 'supertest';
import type { Extension } from '../../../src/plugins/contract/extension.js';
import { declare, keyOf } from '../../support/access.js';
import { useService } from '../../support/service.js';

const calls: string[] = [];
let beforeUpdate: (() => Promise<unknown>) | undefined;
const extension: Extension = {
  lifecycles: {
    'api::tag.tag': {
      beforeCreate: ({ data }) => void calls.push(`beforeCreate ${String(data['name'])}`),
      afterCreate: async ({ id }) => {
        const entry = await client.service.database.db.collection('tags').findOne({ _id: id as never });
        calls.push(`afterCreate ${entry?.['name']}`);
      },
      beforeUpdate: async () => {
        const run = beforeUpdate;
        beforeUpdate = undefined;
        await run?.();
      },
      afterDelete: () => void calls.push('afterDelete'),
    },
  },
  guards: {
    'api::category.category.create': { policies: [() => true] },
    'api::article.article.createLocalization': { policies: [() => true] },
  },
};
const client = useService({
  extension,
  environment: { EVENTS: 'true' },
  configure: (config) => ({ ...config, limits: { ...config.limits, batch: 5, lockWait: 3000 } }),
  plugins: { i18n: { config: { locales: ['en', 'de'] } } },
});
const { get, create } = client;

const send = (operations: readonly object[], query = '', token = client.service.token) =>
  request(client.service.url).post(`/api/batch${query}`).auth(token, { type: 'bearer' }).send({ operations });

/** All entries, without the numbers that refused writes use up. */
const stored = async (): Promise<unknown> => {
  const { db } = client.service.database;
  const names = ['articles', 'authors', 'tags', 'categories'];
  const entries = names.map(async (name) => [name, await db.collection(name).find().sort({ _id: 1 }).toArray()]);
  const events = db.collection('_events').find({ action: { $exists: true } }, { projection: { floor: 0 } });
  return Promise.all([...entries, events.sort({ _id: 1 }).toArray()]);
};

let number = 0;
let author: number;
let tag: number;
beforeAll(async () => {
  author = await create('authors', { name: 'Ada', email: 'ada@example.org' });
});
beforeEach(async () => {
  number += 1;
  tag = await create('tags', { name: `tag ${number}`, color: 'red' });
  calls.length = 0;
});

test('all operations of a batch are executed, and later ones name the entries of earlier ones', async () => {
  const answer = await send([
    { create: 'articles', as: 'a', data: { title: 'Bread', tags: [tag] } },
    { create: 'articles', data: { title: 'Bread', meta: { text: '$a' } } },
    { update: 'authors', id: author, data: { bio: 'writes', articles: { connect: ['$a'] } } },
    { delete: 'tags', id: tag },
  ]);
  expect(answer.body.error).toBeUndefined();
  const [first, second, updated, deleted] = answer.body.data;
  expect(second.attributes.meta).toEqual({ text: '$a' });
  expect([updated.id, updated.attributes.bio, deleted.id, deleted.attributes.color]).toEqual([
    author,
    'writes',
    tag,
    'red',
  ]);
  const { body } = await get(`/api/authors/${author}?populate[articles][populate]=tags`);
  expect(body.data.attributes.articles.data).toMatchObject([{ id: first.id, attributes: { tags: { data: [] } } }]);
  expect((await get(`/api/tags/${tag}`)).status).toBe(404);
});

test('lifecycles run in the order of the operations, those after a write once all are written', async () => {
  await send([
    { create: 'tags', data: { name: `x ${number}` } },
    { create: 'tags', data: { name: `y ${number}` } },
    { delete: 'tags', id: tag },
  ]);
  const [x, y] = [`x ${number}`, `y ${number}`];
  expect(calls).toEqual([
    `beforeCreate ${x}`,
    `beforeCreate ${y}`,
    `afterCreate ${x}`,
    `afterCreate ${y}`,
    'afterDelete',
  ]);
});

const change = () => [
  { create: 'articles', as: 'new', data: { title: 'Not stored', links: [{ label: 'l' }], tags: [tag] } },
  { update: 'tags', id: tag, data: { color: 'green', articles: { connect: ['$new'] } } },
  { create: 'tags', data: { name: `another ${number}` } },
];

test.each([
  ['invalid data', () => ({ create: 'articles', data: {} }), 400, 'operations[3].data.title: title must be defined.'],
  [
    'a unique value of an entry',
    () => ({ create: 'authors', data: { name: 'Eve', email: 'ada@example.org' } }),
    400,
    'operations[3].data.email: This attribute must be unique',
  ],
  [
    'a unique value of the batch',
    () => ({ create: 'tags', data: { name: `another ${number}` } }),
    400,
    'operations[3].data.name: This attribute must be unique',
  ],
  ['a missing entry', () => ({ update: 'authors', id: 9999, data: { bio: 'x' } }), 404, 'operations[3]: Not Found'],
  ['a missing entry to delete', () => ({ delete: 'authors', id: 9999 }), 404, 'operations[3]: Not Found'],
  [
    'an entry that has changed',
    () => ({ update: 'authors', id: author, data: { bio: 'x' }, ifMatch: '"old"' }),
    412,
    'operations[3]: The entry has changed',
  ],
  [
    'an unknown name',
    () => ({ update: 'authors', id: author, data: { articles: ['$none'] } }),
    400,
    'operations[3].data.articles: $none names no entry that an earlier operation creates',
  ],
  [
    'a name of another type',
    () => ({ update: 'articles', id: 1, data: { author: '$new' } }),
    400,
    'operations[3].data.author: $new has another type',
  ],
  [
    'a target that the batch deletes',
    () => ({ update: 'authors', id: author, data: { articles: { connect: [9999] } } }),
    400,
    /^operations\[3\].*1 relation\(s\) of type api::article.article/,
  ],
  [
    'a type with code of the project',
    () => ({ create: 'categories', data: { name: 'c' } }),
    400,
    /^operations\[3\]: Code of the project/,
  ],
  [
    'a localization whose route has code of the project',
    () => ({ create: 'articles', localizationOf: 1, data: { title: 'c', locale: 'de' } }),
    400,
    /^operations\[3\]: Code of the project takes part in createLocalization/,
  ],
])('nothing is executed if an operation has %s', async (_, operation, status, message) => {
  const before = await stored();
  const answer = await send([...change(), operation()]);
  expect(answer.body.error.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  expect([answer.status, answer.body.data]).toEqual([status, null]);
  expect(await stored()).toEqual(before);
  expect(calls.filter((call) => call.startsWith('after'))).toEqual([]);
});

test('the details of an error have the path with the operation', async () => {
  const { body } = await send([
    { create: 'tags', data: { name: 'ok' } },
    { create: 'articles', data: { title: 5 } },
  ]);
  expect(body.error.details.errors).toMatchObject([{ path: ['operations', '1', 'data', 'title'] }]);
  const missing = await send([
    { create: 'tags', data: { name: 'ok' } },
    { delete: 'authors', id: 9999 },
  ]);
  expect(missing.body.error.details.errors).toMatchObject([
    { path: ['operations', '1', 'data'], message: 'Not Found', name: 'NotFoundError' },
  ]);
});

test('what was written is undone if the database refuses a later write, except what others have changed since', async () => {
  const other = await create('tags', { name: `other ${number}` });
  const article = await create('articles', { title: 'Undone', rating: 2, links: [{ label: 'a' }], tags: [tag] });
  const before = await stored();
  // After the checks of the first operation another request takes the name that the second one writes.
  beforeUpdate = async () => {
    await client.service.database.db.collection('tags').updateOne({ _id: tag as never }, { $set: { name: 'taken' } });
  };
  const answer = await send([
    { create: 'articles', data: { title: 'Not stored', links: [{ label: 'l' }] } },
    { update: 'articles', id: article, data: { rating: 5, links: [], tags: [], title: 'Changed' } },
    { update: 'tags', id: other, data: { color: 'blue', name: 'taken' } },
  ]);
  expect([answer.status, answer.body.error.message]).toEqual([
    400,
    'operations[2].data.name: This attribute must be unique',
  ]);
  await client.service.database.db
    .collection('tags')
    .updateOne({ _id: tag as never }, { $set: { name: `tag ${number}` } });
  expect(await stored()).toEqual(before);
});

describe('an entry that another transaction has locked:', () => {
  const collection = (name: string) => client.service.database.db.collection<Document & { _id: number | string }>(name);
  const record = (state: string, age = 0): Promise<unknown> =>
    collection('_transactions').insertOne({ _id: 'other', state, at: new Date(Date.now() - age) });
  const write = (method: 'put' | 'post' | 'delete', path: string, data?: object) =>
    request(client.service.url)[method](`/api/${path}`).auth(client.service.token, { type: 'bearer' }).send({ data });
  const entry = () => collection('tags').findOne({ _id: tag });
  beforeEach(() => collection('tags').updateOne({ _id: tag }, { $set: { _lock: { by: 'other' } } }));
  afterEach(async () => {
    await collection('_transactions').deleteMany({});
    await collection('tags').updateMany({}, { $unset: { _lock: '' } });
  });

  test('every kind of write is refused after a while', async () => {
    // However long that takes, its process is not dead.
    await record('open', -3_600_000);
    await collection('tags').updateOne({ _id: tag }, { $set: { '_lock.isNew': true } });
    const before = await stored();
    const answers = await Promise.all([
      write('put', `tags/${tag}`, { color: 'blue' }),
      write('put', `tags/${tag}`, { articles: [] }),
      write('put', `tags/by/name/tag ${number}?upsert=true`, { color: 'blue' }),
      write('delete', `tags/${tag}`),
      write('delete', `tags/by/name/tag ${number}`),
      write('post', 'articles', { title: 'Linked', tags: [tag] }),
      send([{ update: 'tags', id: tag, data: { color: 'blue' } }]),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 409));
    expect(answers.map(({ headers }) => headers['retry-after'])).toEqual(answers.map(() => '1'));
    expect(await stored()).toEqual(before);
    expect(await collection('_transactions').countDocuments()).toBe(1);
  });

  test.each<readonly [string, () => Promise<unknown>]>([
    ['is committed', () => record('committed')],
    ['is aborted', () => record('aborted')],
    ['is not recorded any more', async () => undefined],
    ['has a dead process', () => record('open', 11_000)],
  ])('others can write it if the transaction %s', async (_, prepare) => {
    await prepare();
    expect((await write('put', `tags/${tag}`, { color: 'blue' })).status).toBe(200);
    expect(await entry()).toMatchObject({ color: 'blue' });
    expect(await entry()).not.toHaveProperty('_lock');
  });

  test('what a dead process has changed is undone first', async () => {
    await record('open', 11_000);
    const { _lock, ...document }: Document = (await entry()) ?? {};
    await collection('_undo').insertOne({ _id: `other tags ${tag}`, collection: 'tags', id: tag, document });
    await collection('tags').updateOne({ _id: tag }, { $set: { name: 'changed', '_lock.changed': true } });
    expect((await write('put', `tags/${tag}`, { color: 'blue' })).body.data.attributes).toMatchObject({
      name: `tag ${number}`,
      color: 'blue',
    });
  });
});

test('several operations can change unique values that entries have', async () => {
  const other = await create('tags', { name: `other ${number}` });
  const rename = (id: number) => ({ update: 'tags', id, data: { name: `renamed ${id}` } });
  expect((await send([rename(tag), rename(other)])).status).toBe(200);
});

test('creations that share a command are refused one by one', async () => {
  const author = (name: string) => ({ create: 'authors', data: { name, email: `${name}@example.org` } });
  const before = await stored();
  const refused = await send([author('Bob'), author('Cleo'), author('Bob'), author('Cleo')]);
  expect(refused.body.error.message).toBe('operations[2].data.email: This attribute must be unique');
  expect(await stored()).toEqual(before);
  const { body } = await send([author('Bob'), author('Cleo'), author('Dan')]);
  const [bob, cleo, dan] = body.data;
  expect([cleo.id - bob.id, dan.id - bob.id, dan.attributes.name]).toEqual([1, 2, 'Dan']);
});

test('creations and updates that share commands are in the order of the batch in the lists of what they link to', async () => {
  const [one, two] = [await create('tags', { name: `one ${number}` }), await create('tags', { name: `two ${number}` })];
  const link = (title: string, ...tags: readonly (number | string)[]) => ({
    create: 'articles',
    data: { title, tags },
  });
  const tagging = { update: 'tags', id: one, data: { articles: { connect: ['$b'] } } };
  const { body } = await send([
    { ...link('a', two, one), as: 'a' },
    { ...link('b', two), as: 'b' },
    tagging,
    link('c', one, two),
    link('d', two, one),
  ]);
  expect(body.error).toBeUndefined();
  const titlesOf = async (id: number): Promise<readonly string[]> => {
    const { body: found } = await get(`/api/tags/${id}?populate[articles][fields]=title`);
    return found.data.attributes.articles.data.map((article: Document) => article['attributes'].title);
  };
  expect([await titlesOf(one), await titlesOf(two)]).toEqual([
    ['a', 'b', 'c', 'd'],
    ['a', 'b', 'c', 'd'],
  ]);
  const tagged = [3, 0, 1].map((index) => ({ update: 'articles', id: body.data[index].id, data: { tags: [tag] } }));
  expect((await send(tagged)).status).toBe(200);
  expect(await titlesOf(tag)).toEqual([3, 0, 1].map((index) => body.data[index].attributes.title));
});

test('a dry run answers as the batch and stores nothing', async () => {
  const operations = [
    { create: 'articles', as: 'new', data: { title: 'Not stored', code: 'one' } },
    { update: 'authors', id: author, data: { bio: 'dry', articles: ['$new'] } },
  ];
  const before = await stored();
  const dry = await send(operations, '?dryRun=true');
  expect([dry.status, dry.body.data]).toMatchObject([
    200,
    [
      { id: null, attributes: { title: 'Not stored' } },
      { id: author, attributes: { bio: 'dry' } },
    ],
  ]);
  const repeated = { create: 'articles', data: { title: 'Another', code: 'one' } };
  const refused = await send([...operations, repeated], '?dryRun=true');
  expect(refused.body.error.message).toBe('operations[2].data.code: This attribute must be unique');
  expect(await stored()).toEqual(before);
});

test('each operation needs its right', async () => {
  await declare(
    client.service,
    {},
    { writer: ['api::tag.tag.create', { action: 'api::tag.tag.update', where: { color: 'red' } }] },
  );
  const writer = keyOf('writer');
  const red = { update: 'tags', id: tag, data: { color: 'blue' } };
  const before = await stored();
  const forbidden = await send([red, { delete: 'tags', id: tag + 1 }], '', writer);
  expect([forbidden.status, forbidden.body.error.message]).toEqual([403, 'operations[1]: Forbidden']);
  const blue = await create('tags', { name: `blue ${number}`, color: 'blue' });
  const hidden = await send([red, { update: 'tags', id: blue, data: { color: 'red' } }], '', writer);
  expect([hidden.status, hidden.body.error.message]).toEqual([404, 'operations[1]: Not Found']);
  await client.delete(`/api/tags/${blue}`);
  expect((await stored()) as unknown[]).toHaveLength((before as unknown[]).length);
  expect((await get(`/api/tags/${tag}`)).body.data.attributes.color).toBe('red');
  expect((await send([red], '', writer)).status).toBe(200);
});

test('a caller who may not write anything is refused before the body is read', async () => {
  const sending = request(client.service.url).post('/api/batch').set('Content-Type', 'application/json').send('{');
  expect((await sending).status).toBe(403);
});

test.each<readonly [unknown, string]>([
  [{}, 'operations must be a list of operations'],
  [{ operations: [] }, 'operations must be a list of operations'],
  [{ operations: [], more: 1 }, 'The body must not have more'],
  [{ operations: [1] }, 'operations[0] must be an object'],
  [{ operations: [{}] }, 'operations[0] must have one of create, update, delete'],
  [{ operations: [{ create: 'tags', delete: 'tags' }] }, 'operations[0] must have one of create, update, delete'],
  [{ operations: [{ create: 'nothing', data: {} }] }, 'operations[0].create must be the path of a content type'],
  [{ operations: [{ update: 'homepage', data: {} }] }, 'operations[0].id is required'],
  [{ operations: [{ create: 'tags' }] }, 'operations[0].data is required'],
  [{ operations: [{ create: 'tags', data: {}, id: 1 }] }, 'operations[0] must not have id'],
  [{ operations: [{ update: 'tags', id: '1', data: {} }] }, 'operations[0].id must be an integer'],
  [
    { operations: [{ create: 'tags', as: '$a', data: {} }] },
    'operations[0].as must be a letter, then letters, digits and underscores',
  ],
  [
    { operations: Array.from({ length: 2 }, () => ({ create: 'tags', as: 'a', data: {} })) },
    'operations[1].as: another operation has this name',
  ],
  [
    { operations: Array.from({ length: 2 }, () => ({ delete: 'tags', id: 1 })) },
    'operations[1].id: another operation writes this entry',
  ],
  [
    { operations: Array.from({ length: 6 }, () => ({ create: 'tags', data: {} })) },
    'operations has 6 elements: at most 5',
  ],
])('%j is refused', async (body, message) => {
  const sent = request(client.service.url).post('/api/batch').auth(client.service.token, { type: 'bearer' });
  const answer = await sent.send(body as object);
  expect([answer.status, answer.body.error.message]).toEqual([400, message]);
});

describe('the entry of a single type', () => {
  const german = '/api/homepage?locale=de&publicationState=preview';
  const home = { title: 'Home', publishedAt: null };
  const dataOf = async (path: string) => (await get(path)).body.data;
  afterEach(async () => {
    const { entries } = client.service;
    for (const { id } of await entries.findMany('api::homepage.homepage', { locale: 'all' }))
      await entries.delete('api::homepage.homepage', id);
  });

  test('is created with others, localized, changed and deleted by its id; also a draft', async () => {
    const answer = await send([
      { create: 'homepage', as: 'home', data: home },
      { create: 'homepage', localizationOf: '$home', data: { title: 'Haus', locale: 'de' } },
      { update: 'tags', id: tag, data: { color: 'green' } },
    ]);
    const [english, translated] = answer.body.data;
    const { headers } = await get(german);
    expect((await dataOf(`${german}&populate=localizations`)).attributes).toMatchObject({
      title: 'Haus',
      publishedAt: null,
      localizations: { data: [{ id: english.id }] },
    });
    const { body } = await send([
      { update: 'homepage', id: translated.id, data: { title: 'Daheim' }, ifMatch: headers['etag'] },
      { delete: 'homepage', id: english.id },
    ]);
    expect(body.data).toMatchObject([{ attributes: { title: 'Daheim' } }, { attributes: { title: 'Home' } }]);
    expect(await dataOf('/api/homepage?publicationState=preview')).toBeNull();
    await send([{ delete: 'homepage', id: translated.id }]);
    expect(await dataOf(german)).toBeNull();
  });

  test('is localized once by a key, and not by a dry run', async () => {
    const [english] = (await send([{ create: 'homepage', data: home }])).body.data;
    const localize = { create: 'homepage', localizationOf: english.id, data: { title: 'Haus', locale: 'de' } };
    const tried = await send([localize], '?dryRun=true');
    expect(tried.body.data).toMatchObject([{ id: null, attributes: { title: 'Haus', locale: 'de' } }]);
    expect(await dataOf(german)).toBeNull();
    const answers = [];
    for (let times = 0; times < 2; times += 1)
      answers.push((await send([localize]).set('Idempotency-Key', 'localize')).body.data[0].id);
    expect(answers).toEqual([expect.any(Number), answers[0]]);
    const refused = await send([{ delete: 'homepage', id: english.id }, localize]);
    expect(refused.body.error.message).toBe('operations[1]: Entity not found');
    const again = await send([{ create: 'homepage', data: home }]);
    expect([again.status, again.body.error.message]).toEqual([412, 'operations[0]: The entry exists']);
  });

  test('is answered as it is after the batch, with the localization that a later operation creates', async () => {
    const { body } = await send([
      { create: 'homepage', as: 'home', data: home },
      { create: 'homepage', localizationOf: '$home', data: { title: 'Haus', locale: 'de' } },
    ]);
    const [english, german] = body.data;
    expect(english).toEqual((await get('/api/homepage?publicationState=preview')).body.data);
    expect(english.meta.availableLocales).toEqual([{ id: german.id, locale: 'de' }]);
  });

  test('needs the permissions of its routes', async () => {
    await declare(client.service, {}, { translator: ['api::homepage.homepage.createLocalization'] });
    const [english] = (await send([{ create: 'homepage', data: { ...home, publishedAt: undefined } }])).body.data;
    const localize = { create: 'homepage', localizationOf: english.id, data: { title: 'Haus', locale: 'de' } };
    const statuses = [];
    for (const operation of [localize, { create: 'homepage', data: home }, { delete: 'homepage', id: english.id }])
      statuses.push((await send([operation], '', keyOf('translator'))).status);
    expect(statuses).toEqual([200, 403, 403]);
  });
});

test('parameters and headers without an effect are refused', async () => {
  expect((await send([{ delete: 'tags', id: tag }], '?populate=*')).body.error.message).toBe(
    'Invalid parameter populate',
  );
  const sent = request(client.service.url).post('/api/batch').auth(client.service.token, { type: 'bearer' });
  expect((await sent.set('If-Match', '*').send({ operations: [] })).status).toBe(400);
  expect((await get('/api/batch')).status).toBe(404);
});

test('a batch has one event for each operation', async () => {
  const events = client.service.database.db.collection('_events');
  const { body } = await send([
    { create: 'tags', data: { name: `event ${number}` } },
    { update: 'tags', id: tag, data: { color: 'green' } },
  ]);
  const ids = body.data.map(({ id }: { id: number }) => id);
  const [created, updated] = await Promise.all(
    ids.map((id: number) => events.find({ uid: 'api::tag.tag', id }).sort({ _id: -1 }).limit(1).toArray()),
  );
  expect([created, updated]).toMatchObject([[{ action: 'create' }], [{ action: 'update' }]]);
});
