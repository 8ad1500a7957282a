import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiFiles, openProjectFolder, type RunningProject } from './project-folder.js';

/** Tokens `reader-ann`; `revoked-…` are refused. The other strategies have no `verify`. */
const strategies = `module.exports = { register({ strapi }) {
  const auth = strapi.container.get('auth');
  auth.register('content-api', {
    name: 'firebase',
    authenticate(ctx) {
      const [, token = ''] = (ctx.request.header.authorization ?? '').split(' ');
      const [kind, name] = token.split('-');
      if (kind === 'revoked') return { error: 'Token revoked' };
      if (kind !== 'reader') return { authenticated: false };
      ctx.state.user = { id: 77, username: name };
      return { authenticated: true, credentials: { name }, ability: { can: (action) => /^api::note\\..*find/.test(action) } };
    },
    async verify(auth, { scope }) {
      const { ForbiddenError } = require('@strapi/utils').errors;
      if (scope && ![scope].flat().every((action) => auth.ability.can(action))) throw new ForbiddenError();
    },
  });
  auth.register('content-api', {
    name: 'machines',
    authenticate: async (ctx) => ({ authenticated: ctx.headers['x-machine'] === 'yes', credentials: { machine: true } }),
  });
  auth.register('content-api', {
    name: 'robots',
    authenticate(ctx) {
      const id = Number(ctx.headers['x-robot'] ?? 0);
      if (id > 0) ctx.state.user = { id };
      return { authenticated: id > 0 };
    },
  });
} };`;

const files = {
  ...apiFiles('tag', { name: { type: 'string' } }),
  ...apiFiles('note', {
    text: { type: 'string' },
    tag: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag' },
  }),
  'src/api/note/routes/own.js': `
    const who = (ctx) => { ctx.body = { strategy: ctx.state.auth.strategy.name, credentials: ctx.state.auth.credentials, user: ctx.state.user?.username }; };
    const route = (path, auth) => ({ method: 'GET', path, handler: who, config: { auth } });
    module.exports = { routes: [
      route('/who', {}), route('/only-firebase', { strategies: ['firebase'] }), route('/only-tokens', { strategies: ['api-token'] }),
      { method: 'GET', path: '/checked', config: { auth: { strategies: ['firebase'] } }, handler: async (ctx) => {
        const check = (scope) => strapi.auth.verify(ctx.state.auth, { scope }).then(() => 'yes', ({ name }) => name);
        ctx.body = { find: await check('api::note.note.find'), create: await check('api::note.note.create') };
      } },
    ] };`,
  'src/index.js': strategies,
  'config/plugins.js': 'module.exports = { graphql: { enabled: true } };',
  '.env': 'EVENTS=true',
  'access.json': JSON.stringify({ roles: { public: { permissions: [] } } }),
};

let running: RunningProject;
beforeAll(async () => {
  running = await openProjectFolder(files);
  const machine = { 'x-machine': 'yes', 'content-type': 'application/json' };
  const create = (place: string, data: object): Promise<Response> =>
    running.fetch(place, { method: 'POST', headers: machine, body: JSON.stringify({ data }) });
  await create('/api/tags', { name: 'red' });
  await create('/api/notes', { text: 'first', tag: 1 });
});
afterAll(async () => running.stop());

test('a strategy authenticates after those of the service, and decides what its callers may do', async () => {
  const read = await running.send('GET', '/api/notes?populate=*', undefined, 'reader-ann');
  // Tags are not for readers.
  expect(read).toMatchObject({ status: 200, body: { data: [{ attributes: { text: 'first' } }] } });
  expect(read.body.data[0].attributes).not.toHaveProperty('tag');
  expect((await running.send('POST', '/api/notes', { data: { text: 'x' } }, 'reader-ann')).status).toBe(403);
  expect(await running.send('GET', '/api/notes', undefined, 'revoked-ann')).toMatchObject({
    status: 401,
    body: { error: { message: 'Token revoked' } },
  });
  expect((await running.send('GET', '/api/notes', undefined, 'unknown')).status).toBe(401);
  expect((await running.send('GET', '/api/notes')).status).toBe(403);
});

test('code receives the strategy, its credentials and what it sets', async () => {
  const { body } = await running.send('GET', '/api/only-firebase', undefined, 'reader-ann');
  expect(body).toEqual({ strategy: 'firebase', credentials: { name: 'ann' }, user: 'ann' });
  expect((await running.send('GET', '/api/checked', undefined, 'reader-ann')).body).toEqual({
    find: 'yes',
    create: 'ForbiddenError',
  });
});

test('config.auth.strategies of a route limits who authenticates', async () => {
  expect((await running.send('GET', '/api/only-tokens', undefined, 'reader-ann')).status).toBe(401);
  expect((await running.send('GET', '/api/only-firebase')).status).toBe(401);
});

test('a strategy without verify allows every route, and its responses are not cached', async () => {
  const headers = { 'x-machine': 'yes' };
  const response = await running.fetch('/api/notes?populate=*', { headers });
  expect(await response.json()).toMatchObject({ data: [{ attributes: { tag: { data: { id: 1 } } } }] });
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  expect(await (await running.fetch('/api/who', { headers })).json()).toEqual({
    strategy: 'machines',
    credentials: { machine: true },
  });
  await running.printed('the authentication strategy \\"machines\\" has no verify');
});

test('strategies apply to GraphQL', async () => {
  const send = async (query: string, headers: Record<string, string>): Promise<unknown> => {
    const options = { method: 'POST', body: JSON.stringify({ query }) };
    return (
      await running.fetch('/graphql', { ...options, headers: { 'content-type': 'application/json', ...headers } })
    ).json();
  };
  const list = '{ notes { data { attributes { text } } } }';
  const ann = { authorization: 'Bearer reader-ann' };
  expect(await send(list, ann)).toEqual({ data: { notes: { data: [{ attributes: { text: 'first' } }] } } });
  expect(await send('mutation { createNote(data: { text: "x" }) { data { id } } }', ann)).toMatchObject({
    errors: [{ message: 'Forbidden access' }],
  });
  expect(await send(list, { authorization: 'Bearer unknown' })).toMatchObject({ error: { status: 401 } });
  expect(await send('mutation { createTag(data: { name: "x" }) { data { id } } }', { 'x-machine': 'yes' })).toEqual({
    data: { createTag: { data: { id: '2' } } },
  });
});

test('strategies apply to change feeds', async () => {
  const read = (headers: Record<string, string>): Promise<Response> =>
    running.fetch('/api/changes?types=notes&wait=0', { headers: { accept: 'application/json', ...headers } });
  const statuses = [
    { authorization: 'Bearer reader-ann' },
    { 'x-machine': 'yes' },
    { authorization: 'Bearer unknown' },
    {},
  ];
  const answers = await Promise.all(statuses.map(read));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 403]);
});

test('users of a strategy without credentials have Idempotency-Keys of their own', async () => {
  const create = (robot: string): Promise<Response> =>
    running.fetch('/api/tags', {
      method: 'POST',
      headers: { 'x-robot': robot, 'content-type': 'application/json', 'idempotency-key': 'key-of-two-robots' },
      body: JSON.stringify({ data: { name: 'blue' } }),
    });
  const responses = [await create('1'), await create('2'), await create('1')];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(responses.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, null, 'true']);
});

test('a start refuses a sanitizer of code, and the strategy and sanitizer of an extension that are not those of Strapi', async () => {
  const extension = (code: string) => ({
    'src/extensions/users-permissions/strapi-server.js': `module.exports = (plugin) => ({ ...plugin, register: ({ strapi }) => {\n  ${code}\n} });`,
  });
  const strategy = `strapi.container.get('auth').register('content-api', { name: 'users-permissions', authenticate: () => ({ authenticated: true }) });`;
  const sanitizer = `strapi.sanitizers.add('content-api.output', () => ({ secret, ...entity }) => entity);`;
  const place = /src\/extensions\/users-permissions\/strapi-server\.js:2: /;
  for (const [code, message] of [
    [strategy, /cannot replace that of the service/],
    [sanitizer, /strapi\.sanitizers\.add is not supported/],
  ] as const) {
    const starting = openProjectFolder({ ...files, ...extension(code) });
    await expect(starting).rejects.toThrow(message);
    await expect(starting).rejects.toThrow(place);
  }
});

test.each([
  [
    "{ name: 'users-permissions', authenticate() {} }",
    /src\/index\.js:1: a changed copy of Strapi's authentication strategy cannot replace that of the service/,
  ],
  ["{ name: 'own' }", /Invalid auth strategy/],
])('a start refuses the strategy %s', async (strategy, message) => {
  const code = `module.exports = { register: ({ strapi }) => { strapi.container.get('auth').register('content-api', ${strategy}); } };`;
  await expect(openProjectFolder({ ...files, 'src/index.js': code })).rejects.toThrow(message);
});
