import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProjectFolder, type RunningProject } from './project-folder.js';

const factory = (name: string, what: string, options = ''): string =>
  `module.exports = require('@strapi/strapi').factories.createCore${what}('api::${name}.${name}'${options});`;

const api = (
  name: string,
  code: { controller?: string; service?: string; policy?: string } = {},
  kind = 'collectionType',
) => ({
  [`src/api/${name}/content-types/${name}/schema.json`]: JSON.stringify({
    kind,
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes: { title: { type: 'string' } },
  }),
  // The policy keeps the requests in the code of the project.
  [`src/api/${name}/routes/${name}.js`]: factory(
    name,
    'Router',
    `, { config: { ${actionsOf(kind)
      .map((action) => `${action}: { policies: ['global::${code.policy ?? 'any'}'] }`)
      .join(', ')} } }`,
  ),
  [`src/api/${name}/controllers/${name}.js`]: factory(name, 'Controller', code.controller),
  [`src/api/${name}/services/${name}.js`]: factory(name, 'Service', code.service),
});

const names = ['guarded', 'stamped', 'watched', 'hidden', 'wrapped', 'served', 'cleaned', 'own', 'sole', 'solehidden'];
const actionsOf = (kind: string): readonly string[] =>
  kind === 'singleType' ? ['find', 'update', 'delete'] : ['find', 'findOne', 'create', 'update', 'delete'];
const permissions = names.flatMap((name) =>
  actionsOf(name.startsWith('sole') ? 'singleType' : '').map((action) => `api::${name}.${name}.${action}`),
);
const writes = ['create', 'update', 'delete'];
const files = {
  ...api('guarded'),
  ...api('stamped', { policy: 'stamp' }),
  'src/policies/stamp.js': `let times = 0;
    module.exports = ({ request }) => { if (request.body?.data) request.body.data.title += (times += 1); };`,
  ...api('watched'),
  'src/api/watched/content-types/watched/lifecycles.js': `module.exports = {
    beforeCreate: ({ params }) => { params.data.title += '!'; } };`,
  ...api('hidden'),
  'src/api/hidden/content-types/hidden/lifecycles.js': `const hide = ({ result }) => { if (result) result.title = result.title.length + ' letters'; };
    module.exports = { afterFindOne: hide, afterFindMany: ({ result }) => result.forEach((one) => hide({ result: one })) };`,
  ...api('solehidden', {}, 'singleType'),
  'src/api/solehidden/content-types/solehidden/lifecycles.js': `module.exports = {
    afterCreate: ({ result }) => { result.title = 'created'; }, afterUpdate: ({ result }) => { result.title = 'updated'; } };`,
  ...api('wrapped', {
    controller: `, () => ({ ${writes.map((action) => `${action}(ctx) { return super.${action}(ctx); }`).join(', ')},
      again(ctx) { return super.create(ctx); } })`,
  }),
  'src/api/wrapped/routes/01-again.js': `module.exports = { routes: [
    { method: 'POST', path: '/wrappeds/again', handler: 'wrapped.again', config: { auth: { scope: ['api::wrapped.wrapped.create'] } } },
  ] };`,
  ...api('served', {
    service: `, () => ({ ${writes.map((action) => `${action}: async () => ({ id: 1 })`).join(', ')} })`,
  }),
  ...api('cleaned', { controller: `, () => ({ sanitizeInput: async (data) => data })` }),
  ...api('own'),
  'src/api/own/controllers/own.js': `module.exports = { ${writes.map((action) => `${action}: async () => ({ own: true })`).join(', ')},
    find: async () => [], findOne: async () => null };`,
  ...api('sole', {}, 'singleType'),
  'src/policies/any.js': 'module.exports = () => true;',
  'access.json': JSON.stringify({ roles: { public: { permissions } } }),
};

let project: RunningProject;
beforeAll(async () => {
  project = await openProjectFolder(files);
});
afterAll(() => project.stop());

const send = async (method: string, path: string, headers: Record<string, string>, data?: object) => {
  const response = await project.fetch(path, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(data !== undefined && { body: JSON.stringify({ data }) }),
  });
  const text = await response.text();
  const body = text.startsWith('{') ? JSON.parse(text) : text;
  return { status: response.status, body, text, headers: response.headers };
};
const tagOf = async (path: string): Promise<string> => String((await send('GET', path, {})).headers.get('ETag'));

test.each([
  ['guardeds', '/api/guardeds', 'a'],
  // What a policy makes of the body is no other request.
  ['stampeds', '/api/stampeds', 'a1'],
  ['watcheds', '/api/watcheds', 'a!'],
  ['wrappeds', '/api/wrappeds/again', 'a'],
])('a core action of %s creates an entry once for each Idempotency-Key', async (plural, path, title) => {
  const first = await send('POST', path, { 'Idempotency-Key': plural }, { title: 'a' });
  expect([first.status, first.body.data.attributes.title]).toEqual([200, title]);
  const second = await send('POST', path, { 'Idempotency-Key': plural }, { title: 'a' });
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('Idempotent-Replayed')).toBe('true');
  expect((await send('GET', `/api/${plural}`, {})).body.meta.pagination.total).toBe(1);
  // Nobody owns the keys of callers without credentials, so another request is executed.
  const other = await send('POST', path, { 'Idempotency-Key': plural }, { title: 'b' });
  expect([other.status, other.headers.get('Idempotent-Replayed')]).toEqual([200, null]);
});

test.each([
  ['/api/guardeds', true],
  ['/api/watcheds', true],
  ['/api/sole', false],
])('a core action of %s executes a write only if the entry is as it was read', async (base, hasId) => {
  const path = hasId ? `${base}/${(await send('POST', base, {}, { title: 'b' })).body.data.id}` : base;
  if (!hasId) await send('PUT', base, {}, { title: 'b' });
  const tag = await tagOf(path);
  expect((await send('PUT', path, { 'If-Match': tag }, { title: 'c' })).status).toBe(200);
  expect((await send('PUT', path, { 'If-Match': tag }, { title: 'd' })).status).toBe(412);
  expect((await send('DELETE', path, { 'If-Match': tag })).status).toBe(412);
  // A PUT of a single type can be asked to create only.
  expect((await send('PUT', path, { 'If-None-Match': '*' }, { title: 'd' })).status).toBe(hasId ? 400 : 412);
  expect((await send('GET', path, {})).body.data.attributes.title).toBe('c');
  expect((await send('DELETE', path, { 'If-Match': await tagOf(path) })).status).toBe(200);
});

test.each(['wrappeds', 'serveds', 'cleaneds', 'owns'])('the own code of %s receives no condition', async (plural) => {
  for (const [method, path, header] of [
    ['POST', `/api/${plural}`, 'Idempotency-Key'],
    ['PUT', `/api/${plural}/1`, 'If-Match'],
    ['PUT', `/api/${plural}/1`, 'If-None-Match'],
    ['DELETE', `/api/${plural}/1`, 'If-Match'],
  ] as const) {
    const { status, body } = await send(method, path, { [header]: '*' }, { title: 'a' });
    const message = `${header} is not supported here: code of the project executes this write`;
    expect([status, body.error?.message]).toEqual([400, message]);
  }
});

test('a dry run of a core action stores nothing, and one through own code is refused', async () => {
  const total = async (): Promise<number> => (await send('GET', '/api/guardeds', {})).body.meta.pagination.total;
  const before = await total();
  const dry = await send('POST', '/api/guardeds?dryRun=true', {}, { title: 'dry' });
  expect([dry.status, dry.body.data]).toMatchObject([200, { id: null, attributes: { title: 'dry' } }]);
  expect(await total()).toBe(before);
  for (const plural of ['watcheds', 'wrappeds', 'serveds', 'cleaneds', 'owns']) {
    const { status, body } = await send('POST', `/api/${plural}?dryRun=true`, {}, { title: 'dry' });
    expect([status, body.error.message]).toEqual([400, expect.stringMatching('^dryRun is not supported here')]);
  }
});

test.each([
  ['no condition', '', {}],
  ['If-Match: *', '', { 'If-Match': '*' }],
  ['an Idempotency-Key', '', { 'Idempotency-Key': 'hidden' }],
  ['dryRun=false', '?dryRun=false', {}],
])(
  'with %s, the response to a write shows what the lifecycles of the project leave of it',
  async (_, query, headers) => {
    const { 'If-Match': _match, ...created } = headers as Record<string, string>;
    const first = await send('POST', `/api/hiddens${query}`, created, { title: 'secret' });
    expect([first.status, first.body.data.attributes.title]).toEqual([200, '6 letters']);
    const path = `/api/hiddens/${first.body.data.id}`;
    const second = await send('PUT', path + query, headers, { title: 'secrets' });
    expect([second.status, second.body.data.attributes.title]).toEqual([200, '7 letters']);
    const sole = await send('PUT', `/api/solehidden${query}`, {}, { title: 'secret' });
    expect(sole.body.data.attributes.title).toMatch(/^(created|updated)$/);
    const changed = await send('PUT', `/api/solehidden${query}`, headers, { title: 'secrets' });
    expect([changed.status, changed.body.data.attributes.title]).toEqual([200, 'updated']);
    const deleted = await send('DELETE', path + query, headers);
    expect([deleted.status, deleted.body.data.attributes.title]).toEqual([200, '7 letters']);
  },
);

test('the ETag of what lifecycles leave of an entry is that of If-Match, and nothing else is written', async () => {
  const { body } = await send('POST', '/api/hiddens', {}, { title: 'one' });
  const path = `/api/hiddens/${body.data.id}`;
  const tag = await tagOf(path);
  expect((await send('PUT', path, { 'If-Match': tag }, { title: 'three' })).status).toBe(200);
  expect((await send('PUT', path, { 'If-Match': tag }, { title: 'a later one' })).status).toBe(412);
  expect((await send('DELETE', path, { 'If-Match': tag })).status).toBe(412);
  expect((await send('GET', path, {})).body.data.attributes.title).toBe('5 letters');
  expect((await send('PUT', '/api/hiddens/999', { 'If-Match': '*' }, { title: 'a' })).status).toBe(404);
  expect((await send('PUT', '/api/hiddens/999', { 'Idempotency-Key': 'none' }, { title: 'a' })).status).toBe(404);
});

test.each([
  ['If-None-Match', '', { 'If-None-Match': '*' }, 'code of the project executes this write'],
  ['dryRun', '?dryRun=true', {}, 'lifecycles of the project run for api::solehidden.solehidden'],
])('%s, which lifecycles would not know of, is refused', async (name, query, headers, reason) => {
  const { status, body } = await send('PUT', `/api/solehidden${query}`, headers, { title: 'a' });
  const message = `${name} is not supported here: ${reason}`;
  expect([status, body.error?.message]).toEqual([400, message]);
});
