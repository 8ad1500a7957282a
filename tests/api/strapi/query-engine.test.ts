import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { apiFiles, openProjectFolder, type RunningProject } from './project-folder.js';

const note = 'src/api/note';
const attributes = {
  text: { type: 'string', required: true },
  weight: { type: 'integer' },
  pin: { type: 'password' },
  code: { type: 'string', unique: true },
  pinned: { type: 'boolean' },
  parts: { type: 'relation', relation: 'oneToMany', target: 'api::note.note', mappedBy: 'of' },
  of: { type: 'relation', relation: 'manyToOne', target: 'api::note.note', inversedBy: 'parts' },
  seo: { type: 'component', component: 'parts.seo' },
  links: { type: 'component', component: 'parts.link', repeatable: true },
  body: { type: 'dynamiczone', components: ['parts.link', 'parts.list'] },
};
const component = (attributes_: object): string =>
  JSON.stringify({ info: { displayName: 'Part' }, attributes: attributes_ });
const schema = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes,
};
const files = {
  ...apiFiles('memo', { text: { type: 'string' } }),
  'src/api/memo/routes/memo.js': `module.exports = require('@strapi/strapi').factories.createCoreRouter('api::memo.memo', {
    config: { create: { auth: false }, update: { auth: false } } });`,
  'src/api/memo/controllers/memo.js': `module.exports = require('@strapi/strapi').factories.createCoreController('api::memo.memo', () => ({
    async create(ctx) { return super.create(ctx); }, async update(ctx) { return super.update(ctx); } }));`,
  'src/components/parts/link.json': component({
    label: { type: 'string' },
    note: { type: 'relation', relation: 'oneToOne', target: 'api::note.note' },
  }),
  'src/components/parts/list.json': component({
    title: { type: 'string' },
    links: { type: 'component', component: 'parts.link', repeatable: true },
  }),
  'src/components/parts/seo.json': component({ link: { type: 'component', component: 'parts.link' } }),
  'src/components/parts/unused.json': component({ label: { type: 'string' } }),
  [`${note}/content-types/note/schema.json`]: JSON.stringify(schema),
  [`${note}/content-types/note/lifecycles.js`]: `const calls = []; module.exports = {
    calls, beforeCreate: ({ params: { data } }) => {
      calls.push(['beforeCreate', data.text]);
      if (data.reason) calls.push(['reason', data.reason]);
    },
    afterFindMany: ({ params }) => void (params.where?.text === 'a page' && calls.push('afterFindMany')),
    afterCount: ({ params }) => void (params.where?.text === 'a page' && calls.push('afterCount')),
    afterUpdate: (event) => void calls.push(['afterUpdate', event.result.text]),
  };`,
  [`${note}/routes/note.js`]: `module.exports = { routes: [{ method: 'POST', path: '/call', handler: 'note.call', config: { auth: false } }] };`,
  [`${note}/controllers/note.js`]: `module.exports = ({ strapi }) => ({ async call(ctx) {
    const { on, method, args, uid = 'api::note.note' } = ctx.request.body;
    const call = on === 'entityManager' ? () => strapi.db.entityManager[method](uid, ...args) : on === 'undone' ? () => strapi.db.transaction(async () => { await strapi.db.query(uid)[method](...args); throw new Error('undone'); })
      : on === 'query' ? () => strapi.db.query(uid)[method](...args) : () => strapi.entityService[method](uid, ...args);
    const calls = require('../content-types/note/lifecycles.js').calls;
    calls.length = 0;
    ctx.body = await call().then((result) => ({ result, calls }), (error) => ({ error: error.name, message: error.message }));
  } });`,
};

let running: RunningProject;
beforeAll(async () => {
  running = await openProjectFolder(files);
});
afterAll(async () => {
  await running.stop();
});

const answer = async (body: object): Promise<any> => (await running.send('POST', '/api/call', body)).body;
const call = async (on: string, method: string, ...args: readonly unknown[]): Promise<unknown> => {
  const { message: _message, ...calls } = await answer({ on, method, args });
  return calls;
};
const ask = async (uid: string, method: string, ...args: readonly unknown[]): Promise<any> => {
  const { result, message } = await answer({ on: 'query', uid, method, args });
  return message ?? result;
};

test('db.query refuses unknown attributes and stores data as passed, while the entity service validates and sanitizes', async () => {
  expect(await call('query', 'create', { data: { weight: 1, pin: 'as it is' }, select: ['weight', 'pin'] })).toEqual({
    result: { weight: 1, pin: 'as it is' },
    calls: [['beforeCreate', null]],
  });
  expect(await call('entityService', 'create', { data: { weight: 2 } })).toEqual({ error: 'ValidationError' });
  expect(await call('entityService', 'create', { data: { text: 'a', weight: 3 }, fields: ['text'] })).toMatchObject({
    result: { id: expect.any(Number), text: 'a' },
    calls: [['beforeCreate', 'a']],
  });
  expect(await call('query', 'findMany', { where: { nope: 1 } })).toEqual({ error: 'Error' });
  expect(await call('entityService', 'count', { filters: { nope: 1, weight: { $gt: 2 } } })).toMatchObject({
    result: 1,
  });
  expect(await call('query', 'update', { where: { text: 'none' }, data: { weight: 4 } })).toEqual({
    result: null,
    calls: [],
  });
  expect(await call('query', 'update', { where: { text: 'a' }, data: { text: 'b' }, select: ['text'] })).toEqual({
    result: { text: 'b' },
    calls: [['afterUpdate', 'b']],
  });
  expect(await call('query', 'delete', { where: {} })).toEqual({ error: 'Error' });
  expect(await call('query', 'deleteMany', { where: { weight: { $in: [1, 3] } } })).toMatchObject({
    result: { count: 2 },
  });
  const rows = Array.from({ length: 20 }, (_, index) => ({ text: 'many', code: `c${index}`, weight: index }));
  expect(await call('query', 'createMany', { data: [...rows, { code: 'c0' }] })).toEqual({ error: 'Error' });
  // The error of one comes when all others are stored.
  expect(await call('query', 'count', { where: { text: 'many' } })).toMatchObject({ result: 20 });
  expect(await call('query', 'updateMany', { where: { weight: { $gte: 5 } }, data: { text: 'more' } })).toEqual({
    result: { count: 15 },
    calls: [],
  });
  const codes = async (): Promise<unknown> => ask('api::note.note', 'findMany', { select: ['code'], orderBy: 'id' });
  const before = await codes();
  for (const code of ['c3', 'c7', 'new']) {
    expect(await call('query', 'updateMany', { where: { text: 'more' }, data: { code } })).toEqual({ error: 'Error' });
  }
  expect(await codes()).toEqual(before);
  expect(await call('query', 'updateMany', { where: { nope: 1 }, data: { weight: 1 } })).toEqual({ error: 'Error' });
  expect(await ask('api::note.note', 'create', { data: { code: 'c3' } })).toMatch(
    /^code: This attribute must be unique \(.*give each entry its own value, or remove "unique"/,
  );
  expect(await ask('api::note.note', 'create', { data: { code: 'yes', pinned: 'maybe' } })).toMatchObject({
    pinned: true,
  });
});

describe('an id that code chooses', () => {
  const used = (id: number) => expect.stringContaining(`the id ${id} is that of another entry, or was`);
  const created = async (on: string, data: object): Promise<unknown> => {
    const { result, message } = await answer({ on, method: 'create', args: [{ data: { text: 'own', ...data } }] });
    return message ?? result.id;
  };

  test('is that of the entry, and the next one is above it', async () => {
    expect(await created('query', { id: 500 })).toBe(500);
    expect(await created('entityService', { id: '510' })).toBe(510);
    expect(await created('query', {})).toBe(511);
    const rows = [{ id: 603 }, { id: 601 }, { id: 602 }];
    expect(await ask('api::note.note', 'createMany', { data: rows })).toEqual({ count: 3, ids: [603, 601, 602] });
  });

  test('can be below others if no entry ever had it', async () => {
    expect(await created('query', { id: 505 })).toBe(505);
    expect(await created('query', { id: 505 })).toEqual(used(505));
    expect(await created('entityService', { id: 505 })).toEqual(used(505));
    expect(await ask('api::note.note', 'delete', { where: { id: 505 } })).toMatchObject({ id: 505 });
    expect(await created('query', { id: 505 })).toEqual(used(505));
  });

  test('of an entry that is not stored is free again', async () => {
    await created('query', { code: 'one of its own' });
    const refused = await created('query', { id: 700, code: 'one of its own' });
    expect(refused).toEqual(expect.stringContaining('This attribute must be unique'));
    expect(await created('query', { id: 700 })).toBe(700);
  });

  test('of a transaction that was undone is free again', async () => {
    const undo = { on: 'undone', method: 'create', args: [{ data: { text: 'own', id: 710 } }] };
    expect(await answer(undo)).toMatchObject({ message: 'undone' });
    expect(await answer(undo)).toMatchObject({ message: 'undone' });
    expect(await created('query', { id: 710 })).toBe(710);
    expect(await answer(undo)).toMatchObject({ message: used(710) });
  });

  test('is not for clients, whose data the controllers of code hand over', async () => {
    const sent = (method: string, place: string, id: number): Promise<any> =>
      running.send(method, place, { data: { text: 'sent', id } });
    const { status, body } = await sent('POST', '/api/memos', 900);
    expect([status, body.data.attributes.text]).toEqual([200, 'sent']);
    expect(body.data.id).not.toBe(900);
    expect((await sent('PUT', `/api/memos/${body.data.id}`, 900)).body.data.id).toBe(body.data.id);
  });

  test('is a positive number, and stays', async () => {
    for (const id of ['x', -1, 0, 1.5, 2 ** 53, '9007199254740993', 2 ** 52 + 1])
      expect(await created('query', { id })).toBe(`an id is a positive integer up to 2^52, not ${id}`);
    const change = (method: string, id: number): Promise<unknown> =>
      ask('api::note.note', method, { where: { id: 500 }, data: { id, text: 'changed' } });
    expect(await change('update', 500)).toMatchObject({ id: 500, text: 'changed' });
    const refusal = 'the id of an entry of api::note.note cannot be changed to 501';
    expect(await change('update', 501)).toBe(refusal);
    expect(await change('updateMany', 501)).toBe(refusal);
  });
});

test('code sets the time of creation, and for a new entry that of the last change', async () => {
  const [created, changed] = ['2001-01-01T00:00:00.000Z', '2002-02-02T00:00:00.000Z'];
  const times = { createdAt: created, updatedAt: changed };
  for (const on of ['query', 'entityService']) {
    const { result } = await answer({ on, method: 'create', args: [{ data: { text: on, ...times } }] });
    expect(result).toMatchObject(times);
    const change = { data: { createdAt: changed, updatedAt: changed } };
    const args = on === 'query' ? [{ where: { id: result.id }, ...change }] : [result.id, change];
    const { result: updated } = await answer({ on, method: 'update', args });
    expect(updated.createdAt).toBe(changed);
    expect(Date.now() - Date.parse(updated.updatedAt)).toBeLessThan(60_000);
  }
  expect(await call('entityService', 'create', { data: { text: 'a', createdAt: 'never' } })).toEqual({
    error: 'ValidationError',
  });
  const where = { createdAt: { $lt: '2010-01-01' } };
  expect(await ask('api::note.note', 'deleteMany', { where })).toEqual({ count: 2 });
});

test('a list with its total runs the hooks after the count before those after the list', async () => {
  for (const method of ['findWithCount', 'findPage']) {
    expect(await call('query', method, { where: { text: 'a page' } })).toMatchObject({
      calls: ['afterCount', 'afterFindMany'],
    });
  }
});

test.each(['count', 'findMany'])(
  'the entity service refuses an invalid date, as a client sees it: %s',
  async (method) => {
    expect(await answer({ method, args: [{ filters: { createdAt: 'x' } }] })).toEqual({
      error: 'ValidationError',
      message: 'Invalid format, expected a timestamp or an ISO date',
    });
  },
);

test('db.entityManager has the methods of db.query, and the users of the admin panel are a content type without entries', async () => {
  const { result } = await answer({ on: 'entityManager', method: 'create', args: [{ data: { text: 'managed' } }] });
  const where = { id: result.id };
  expect(await call('entityManager', 'update', { where, data: { weight: 7 }, select: ['weight'] })).toMatchObject({
    result: { weight: 7 },
  });
  expect(await call('entityManager', 'deleteMany', { where })).toMatchObject({ result: { count: 1 } });
  expect(await call('entityManager', 'nothing')).toMatchObject({ error: { status: 500 } });
  expect(await ask('admin::user', 'findMany', { where: { email: 'ann@test.example' } })).toEqual([]);
});

test('values without an attribute reach the lifecycles of the entity service, and are not stored', async () => {
  const { result, calls } = await answer({
    on: 'entityService',
    method: 'create',
    args: [{ data: { text: 'quiet', reason: 'import' } }],
  });
  expect(calls).toEqual([
    ['beforeCreate', 'quiet'],
    ['reason', 'import'],
  ]);
  expect(result).not.toHaveProperty('reason');
});

test('limit and start of a populated relation hold for each entry', async () => {
  const parts = await Promise.all(
    ['p1', 'p2', 'p3', 'p4'].map(async (text) => (await ask('api::note.note', 'create', { data: { text } })).id),
  );
  await ask('api::note.note', 'create', { data: { text: 'sum', parts: parts.slice(0, 2) } });
  await ask('api::note.note', 'create', { data: { text: 'sum', parts: parts.slice(2) } });
  const sums = { text: 'sum' };
  const page = { select: ['text'], orderBy: 'text', offset: 1, limit: 1 };
  const second = [{ parts: [{ text: 'p2' }] }, { parts: [{ text: 'p4' }] }];
  expect(await ask('api::note.note', 'findMany', { where: sums, populate: { parts: page } })).toMatchObject(second);
  const { result } = await answer({
    on: 'entityService',
    method: 'findMany',
    args: [{ filters: sums, populate: { parts: { fields: ['text'], sort: 'text', start: 1, limit: 1 } } }],
  });
  expect(result).toMatchObject(second);
});

describe('components', () => {
  const labelled = (...labels: readonly string[]): object => labels.map((label) => ({ label }));

  beforeAll(async () => {
    const { id } = await ask('api::note.note', 'create', { data: { text: 'target' } });
    await ask('api::note.note', 'create', {
      data: {
        text: 'holder',
        seo: { link: { label: 'single', note: id } },
        links: labelled('first', 'second'),
        body: [
          { __component: 'parts.link', label: 'in zone' },
          { __component: 'parts.list', title: 'list', links: labelled('in list') },
        ],
      },
    });
    await ask('api::note.note', 'create', { data: { text: 'other holder', links: labelled('of another') } });
  });

  test('are found wherever entries hold them', async () => {
    const all = ['single', 'first', 'second', 'in zone', 'in list', 'of another'];
    const found = await ask('parts.link', 'findMany', { select: ['label'], orderBy: 'label' });
    expect(found).toEqual(all.toSorted().map((label) => ({ label })));
    expect(
      await ask('parts.link', 'findMany', { select: ['label'], orderBy: { label: 'desc' }, limit: 2, offset: 1 }),
    ).toEqual(labelled('second', 'of another'));
    expect(await ask('parts.link', 'count')).toBe(6);
    expect(await ask('parts.link', 'count', { where: { label: { $startsWith: 'in ' } } })).toBe(2);
    const first = await ask('parts.link', 'findOne', { where: { label: 'first' } });
    expect(first).toEqual({ id: expect.any(Number), label: 'first' });
    expect(await ask('parts.link', 'findOne', { where: { id: first.id } })).toEqual(first);
    expect(await ask('parts.unused', 'findMany')).toEqual([]);
    expect(await ask('parts.unused', 'count')).toBe(0);
  });

  test('are filtered, sorted and populated through relations and other components', async () => {
    const single = { label: 'single', note: { text: 'target' } };
    const params = { select: ['label'], populate: { note: { select: ['text'] } } };
    expect(await ask('parts.link', 'findOne', { ...params, where: { note: { text: 'target' } } })).toMatchObject(
      single,
    );
    expect((await ask('parts.link', 'findMany', { ...params, orderBy: { note: { text: 'desc' } } }))[0]).toMatchObject(
      single,
    );
    expect(
      await ask('parts.list', 'findMany', { where: { links: { label: 'in list' } }, populate: true }),
    ).toMatchObject([{ title: 'list', links: [{ label: 'in list' }] }]);
    const [list] = await ask('parts.list', 'findMany');
    expect(await ask('parts.list', 'loadPages', list, 'links', { page: 1, pageSize: 5 })).toMatchObject({
      results: [{ label: 'in list' }],
      pagination: { total: 1 },
    });
  });

  test('are counted in place of being populated', async () => {
    const populate = { links: { count: true, limit: 1 }, seo: { count: true } };
    expect(
      await ask('api::note.note', 'findMany', { where: { text: ['holder', 'other holder'] }, populate }),
    ).toMatchObject([
      { links: { count: 2 }, seo: { count: 1 } },
      { links: { count: 1 }, seo: { count: 0 } },
    ]);
  });

  test('are not written, and the message describes the alternative', async () => {
    const refused = await Promise.all(
      ['create', 'createMany', 'update', 'updateMany', 'delete', 'deleteMany'].map(async (method) =>
        ask('parts.link', method, { where: { label: 'first' }, data: { label: 'x' } }),
      ),
    );
    for (const message of refused)
      expect(message).toContain('components are stored within their entries; write the entry');
    expect(await ask('parts.link', 'count')).toBe(6);
  });
});
