import { afterEach, expect, test } from '@jest/globals';
import { openProjectFolder, type RunningProject } from './project-folder.js';

const note = 'src/api/note';
const attributes = {
  text: { type: 'string', required: true },
  weight: { type: 'integer' },
  pin: { type: 'password' },
  code: { type: 'string', unique: true },
};
const schema = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes,
};
const files = {
  [`${note}/content-types/note/schema.json`]: JSON.stringify(schema),
  [`${note}/content-types/note/lifecycles.js`]: `const told = []; module.exports = {
    told, beforeCreate: (event) => void told.push(['beforeCreate', event.params.data.text]),
    afterUpdate: (event) => void told.push(['afterUpdate', event.result.text]),
  };`,
  [`${note}/routes/note.js`]: `module.exports = { routes: [{ method: 'POST', path: '/call', handler: 'note.call', config: { auth: false } }] };`,
  [`${note}/controllers/note.js`]: `module.exports = ({ strapi }) => ({ async call(ctx) {
    const { on, method, args } = ctx.request.body;
    const uid = 'api::note.note';
    const call = on === 'query' ? () => strapi.db.query(uid)[method](...args) : () => strapi.entityService[method](uid, ...args);
    const told = require('../content-types/note/lifecycles.js').told;
    told.length = 0;
    ctx.body = await call().then((result) => ({ result, told }), (error) => ({ error: error.name }));
  } });`,
};

let running: RunningProject | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

test('db.query refuses what is unknown and stores what it is given, the entity service validates and leaves out', async () => {
  running = await openProjectFolder(files);
  const { send } = running;
  const call = async (on: string, method: string, ...args: readonly unknown[]): Promise<unknown> =>
    (await send('POST', '/api/call', { on, method, args })).body;
  expect(await call('query', 'create', { data: { weight: 1, pin: 'as it is' }, select: ['weight', 'pin'] })).toEqual({
    result: { weight: 1, pin: 'as it is' },
    told: [['beforeCreate', null]],
  });
  expect(await call('entityService', 'create', { data: { weight: 2 } })).toEqual({ error: 'ValidationError' });
  expect(await call('entityService', 'create', { data: { text: 'a', weight: 3 }, fields: ['text'] })).toMatchObject({
    result: { id: expect.any(Number), text: 'a' },
    told: [['beforeCreate', 'a']],
  });
  expect(await call('query', 'findMany', { where: { nope: 1 } })).toEqual({ error: 'Error' });
  expect(await call('entityService', 'count', { filters: { nope: 1, weight: { $gt: 2 } } })).toMatchObject({
    result: 1,
  });
  expect(await call('query', 'update', { where: { text: 'none' }, data: { weight: 4 } })).toEqual({
    result: null,
    told: [],
  });
  expect(await call('query', 'update', { where: { text: 'a' }, data: { text: 'b' }, select: ['text'] })).toEqual({
    result: { text: 'b' },
    told: [['afterUpdate', 'b']],
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
    told: [],
  });
  expect(await call('query', 'updateMany', { where: { text: 'more' }, data: { code: 'c3' } })).toEqual({
    error: 'Error',
  });
  expect(await call('query', 'count', { where: { text: 'more', code: { $ne: null } } })).toMatchObject({ result: 15 });
  expect(await call('query', 'updateMany', { where: { nope: 1 }, data: { weight: 1 } })).toEqual({ error: 'Error' });
});
