import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { apiFiles, openProjectFolder, type RunningProject } from './project-folder.js';

/** What code does inside of `strapi.db.transaction`, by the name of the scenario. */
const scenarios = {
  commits: `strapi.db.transaction(async ({ onCommit, onRollback }) => {
    onCommit(() => log.push('committed'));
    onRollback(() => log.push('rolled back'));
    const box = await create('crate', { name: 'a' });
    const note = await create('note', { text: 'in a', box: box.id });
    log.push(String((await strapi.db.query('api::note.note').count({ where: { box: box.id } }))));
    return note.box ?? note.text;
  })`,
  throws: `strapi.db.transaction(async ({ onCommit, onRollback }) => {
    onCommit(() => log.push('committed'));
    onRollback(() => log.push('rolled back'));
    await create('note', { text: 'lost' });
    await strapi.entityService.update('api::note.note', kept, { data: { text: 'changed', box: (await create('crate', { name: 'b' })).id } });
    await strapi.db.query('api::note.note').updateMany({ where: { id: kept }, data: { weight: 9 } });
    throw new Error('stopped');
  })`,
  'rolls back': `strapi.db.transaction(async ({ rollback }) => {
    await create('note', { text: 'lost' });
    await rollback();
    await create('note', { text: 'after the rollback' });
    return 'went on';
  })`,
  nested: `strapi.db.transaction(async () => {
    await strapi.db.transaction(async () => create('note', { text: 'inner' }));
    log.push(String(await count('inner')));
    throw new Error('the outer one');
  })`,
  manual: `(async () => {
    const trx = await strapi.db.transaction();
    await create('note', { text: 'by hand' });
    await trx.rollback();
    const next = await strapi.db.transaction();
    await create('note', { text: 'by hand, kept' });
    await next.commit();
    return [await count('by hand'), await count('by hand, kept')];
  })()`,
  deletes: `strapi.db.transaction(async () => {
    await strapi.entityService.delete('api::note.note', kept);
    const found = await strapi.entityService.findOne('api::note.note', kept);
    const update = await strapi.entityService.update('api::note.note', kept, { data: { text: 'x' } });
    const linked = await strapi.entityService.findMany('api::crate.crate', { populate: ['notes'], filters: { name: 'kept' } });
    const byNote = { filters: { notes: { id: kept } } };
    const filtered = await strapi.entityService.findMany('api::crate.crate', byNote);
    const counted = await strapi.entityService.count('api::crate.crate', byNote);
    log.push(JSON.stringify([found, update, linked[0].notes, filtered, counted]));
    throw new Error('stopped');
  })`,
  catches: `strapi.db.transaction(async () => {
    await create('crate', { name: 'once' });
    await create('crate', { name: 'once' }).catch((error) => log.push(error.name));
    await create('crate', { name: 'twice' });
    return strapi.db.query('api::crate.crate').count({ where: { name: { $in: ['once', 'twice'] } } });
  })`,
  'fails after the commit': `strapi.db.transaction(async ({ onCommit }) => {
    onCommit(() => { throw new Error('too late'); });
    onCommit(() => log.push('second'));
    await create('crate', { name: 'stays' });
  })`,
  together: `strapi.db.transaction(async () => {
    await Promise.all(['x', 'y', 'z'].map((text) => create('note', { text, box })));
    return (await strapi.entityService.findOne('api::crate.crate', box, { populate: ['notes'] })).notes.length;
  })`,
};

const controller = `
const log = [];
module.exports = ({ strapi }) => ({
  async run(ctx) {
    const { scenario, kept, box } = ctx.request.body;
    log.length = 0;
    const create = (name, data) => strapi.entityService.create('api::' + name + '.' + name, { data });
    const count = (text) => strapi.db.query('api::note.note').count({ where: { text } });
    const scenarios = { ${Object.entries(scenarios)
      .map(([name, code]) => `${JSON.stringify(name)}: () => ${code}`)
      .join(',\n')} };
    ctx.body = await scenarios[scenario]().then((result) => ({ result, log }), (error) => ({ error: error.message, log }));
  },
});
module.exports.log = log;`;

const files = {
  ...apiFiles('note', {
    text: { type: 'string' },
    weight: { type: 'integer' },
    box: { type: 'relation', relation: 'manyToOne', target: 'api::crate.crate', inversedBy: 'notes' },
  }),
  ...apiFiles('crate', {
    name: { type: 'string', unique: true },
    notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note', mappedBy: 'box' },
  }),
  'src/api/note/content-types/note/lifecycles.js': `const { log } = require('../../../runner/controllers/runner.js');
    module.exports = { afterCreate: ({ result }) => void log.push('created ' + result.text) };`,
  'src/api/runner/routes/runner.js': `module.exports = { routes: [{ method: 'POST', path: '/run', handler: 'runner.run', config: { auth: false } }] };`,
  'src/api/runner/controllers/runner.js': controller,
  'src/index.js': `module.exports = { bootstrap({ strapi }) {
    const { log } = require('./api/runner/controllers/runner.js');
    strapi.eventHub.on('entry.create', ({ entry }) => void log.push('event ' + (entry.text ?? entry.name)));
  } };`,
  'access.json': JSON.stringify({
    roles: {
      public: {
        permissions: [
          'api::note.note.find',
          'api::note.note.create',
          'api::crate.crate.create',
          'api::crate.crate.find',
        ],
      },
    },
  }),
};

let project: RunningProject;
beforeAll(async () => {
  project = await openProjectFolder(files);
});
afterAll(() => project.stop());

let [kept, box] = [0, 0];
let number = 0;
beforeEach(async () => {
  number += 1;
  const boxed = await project.send('POST', '/api/crates', { data: { name: number === 1 ? 'kept' : `kept ${number}` } });
  box = boxed.body.data.id;
  kept = (await project.send('POST', '/api/notes', { data: { text: `kept ${number}`, box } })).body.data.id;
});

const run = async (scenario: keyof typeof scenarios) =>
  (await project.send('POST', '/api/run', { scenario, kept, box })).body;
const texts = async (): Promise<readonly string[]> =>
  (await project.send('GET', '/api/notes?pagination[pageSize]=100&populate=box')).body.data.map(
    ({ attributes }: { attributes: { text: string } }) => attributes.text,
  );

test('what a transaction deletes is hidden from it, and there again after a rollback', async () => {
  expect(await run('deletes')).toEqual({ error: 'stopped', log: [JSON.stringify([null, null, [], [], 0])] });
  expect(await texts()).toContain(`kept ${number}`);
});

test('writes of a callback are stored together; events follow the commit, lifecycles do not', async () => {
  const { result, log } = await run('commits');
  expect(result).toBeDefined();
  expect(log.slice(0, 2)).toEqual(['created in a', '1']);
  expect(log.slice(2).toSorted()).toEqual(['committed', 'event a', 'event in a']);
});

test('an error undoes all writes, and there is no event', async () => {
  const before = await texts();
  expect(await run('throws')).toEqual({ error: 'stopped', log: ['created lost', 'rolled back'] });
  expect(await texts()).toEqual(before);
  const stored = await project.send('GET', `/api/notes?filters[id]=${kept}&populate=box`);
  expect(stored.body.data[0].attributes).toMatchObject({ weight: null, box: { data: { id: box } } });
});

test('after a rollback the callback goes on outside of the transaction', async () => {
  expect(await run('rolls back')).toMatchObject({ result: 'went on' });
  expect(await texts()).toContain('after the rollback');
  expect(await texts()).not.toContain('lost');
});

test('a nested transaction ends with the outer one', async () => {
  expect(await run('nested')).toEqual({ error: 'the outer one', log: ['created inner', '1'] });
  expect(await texts()).not.toContain('inner');
});

test('without a callback, code commits and rolls back by itself', async () => {
  expect(await run('manual')).toMatchObject({ result: [0, 1] });
});

test('a refused statement can be caught', async () => {
  expect(await run('catches')).toEqual({ result: 2, log: expect.arrayContaining(['ValidationError']) });
});

test('statements at the same time follow each other', async () => {
  expect(await run('together')).toMatchObject({ result: 4 });
});

test('an error of what follows the commit is thrown, after the rest of it; the writes stay', async () => {
  expect(await run('fails after the commit')).toEqual({ error: 'too late', log: expect.arrayContaining(['second']) });
  const { body } = await project.send('GET', '/api/crates?filters[name]=stays');
  expect(body.data).toHaveLength(1);
});
