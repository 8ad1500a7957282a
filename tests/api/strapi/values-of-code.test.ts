import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { apiFiles, openProjectFolder, type RunningProject } from './project-folder.js';

/**
 * What code puts into a body before a built-in action reads it, in every way times every action: relations that the
 * client may not set are those of the code, and the client's own are still left out.
 */

const user = 'plugin::users-permissions.user';
const upload = 'plugin::upload.content-api.upload';
const actions = [`${user}.create`, `${user}.update`, 'plugin::users-permissions.auth.register', upload];
const to = (target: string, relation = 'manyToOne'): object => ({ type: 'relation', relation, target });

const files = {
  'package.json': JSON.stringify({ dependencies: { '@strapi/plugin-graphql': '4.26.2' } }),
  // Registrations are many here.
  'config/plugins.js': `module.exports = { 'users-permissions': { config: { ratelimit: { enabled: false } } } };`,
  ...apiFiles('society', { name: { type: 'string' }, logo: { type: 'media', multiple: false } }),
  'src/components/own/address.json': JSON.stringify({
    collectionName: 'addresses',
    info: { displayName: 'Address' },
    attributes: { street: { type: 'string' }, first: to('api::society.society'), second: to('api::society.society') },
  }),
  'src/extensions/users-permissions/content-types/user/schema.json': JSON.stringify({
    kind: 'collectionType',
    collectionName: 'up_users',
    info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
    options: { draftAndPublish: false },
    attributes: {
      username: { type: 'string', required: true, unique: true },
      email: { type: 'email', required: true },
      password: { type: 'password', private: true },
      role: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.role', inversedBy: 'users' },
      society: to('api::society.society'),
      rivals: to('api::society.society', 'manyToMany'),
      address: { type: 'component', component: 'own.address' },
      places: { type: 'component', component: 'own.address', repeatable: true },
    },
  }),
  'src/index.js': `module.exports = {
    async bootstrap({ strapi }) {
      for (const name of ['one', 'two', 'three']) await strapi.entityService.create('api::society.society', { data: { name } });
    },
  };`,
  'src/api/look/routes/look.js': `module.exports = { routes: [{ method: 'GET', path: '/look/:name', config: { auth: false }, handler: async (ctx) => {
    ctx.body = await strapi.query('${user}').findOne({ where: { username: ctx.params.name }, populate: {
      society: true, rivals: true, address: { populate: ['first', 'second'] }, places: { populate: ['first', 'second'] } } });
  } }] };`,
  'access.json': JSON.stringify({ roles: { public: { permissions: actions } } }),
};

/** Code that sets values of a body, as its header asks: beside the client's, or in a copy. */
const set = `(ctx) => {
  const way = ctx.headers['x-set'] ?? '';
  const holder = ctx.request ?? ctx;
  if (way === 'copy') holder.body = JSON.parse(JSON.stringify(holder.body));
  if (way === '') return;
  Object.assign(holder.body, { society: 2, rivals: [1, 2] });
  if (holder.body.address) holder.body.address.second = 2;
  else holder.body.address = { street: 'of code', first: 1 };
  holder.body.places = [{ street: 'of code', first: 2 }, ...(holder.body.places ?? [])];
}`;

const wrapped = `module.exports = (plugin) => {
  const set = ${set};
  for (const [controller, action] of [['auth', 'register'], ['user', 'create'], ['user', 'update']]) {
    const own = plugin.controllers[controller][action];
    plugin.controllers[controller][action] = async (ctx, ...more) => { set(ctx); return own(ctx, ...more); };
  }
  return plugin;
};`;
const onFields = `const set = ${set};
module.exports = {
  ...require('./base'),
  register({ strapi }) {
    const around = (key) => (next, parent, args, context, info) => {
      const holder = { headers: context.koaContext.headers, body: args[key] };
      set(holder);
      return next(parent, { ...args, [key]: holder.body }, context, info);
    };
    strapi.plugin('graphql').service('extension').use({ resolversConfig: {
      'Mutation.register': { auth: false, middlewares: [around('input')] },
      'Mutation.createUsersPermissionsUser': { middlewares: [around('data')] },
      'Mutation.updateUsersPermissionsUser': { middlewares: [around('data')] },
    } });
  },
};`;
const onRoutes = `module.exports = (plugin) => {
  const set = ${set};
  for (const route of plugin.routes['content-api'].routes)
    route.config = { ...route.config, middlewares: [...(route.config?.middlewares ?? []), (ctx, next) => { set(ctx); return next(); }] };
  return plugin;
};`;
const middlewares = `module.exports = ['strapi::logger', 'strapi::errors', 'strapi::security', 'strapi::cors', 'strapi::query', 'strapi::body',
  (ctx, next) => { if (ctx.method !== 'GET') (${set})(ctx); return next(); }, 'strapi::favicon', 'strapi::public'];`;
const guards = `const set = ${set};
  const middlewares = [(request, response, next) => { set(request); next(); }];
  export const guards = Object.fromEntries(${JSON.stringify(actions)}.map((action) => [action, { middlewares }]));`;

/** Sends a user by this name; `set` is the header for the code. @returns whether it was stored */
type Send = (running: RunningProject, username: string, more: object, set: string) => Promise<boolean>;

const ask = async (running: RunningProject, method: string, place: string, body: object, set: string) => {
  const headers = { 'content-type': 'application/json', 'x-set': set };
  const response = await running.fetch(place, { method, headers, body: JSON.stringify(body) });
  const answered = (await response.json()) as { readonly errors?: unknown; readonly id: number };
  return { ...answered, isStored: response.ok && answered.errors === undefined };
};
const inputOf = (username: string): object => ({ username, email: `${username}@a.test`, password: 'Secret-1234' });
const create = (running: RunningProject, username: string, more: object, set: string) =>
  ask(running, 'POST', '/api/users', { ...inputOf(username), role: 1, ...more }, set);

const restDoors: Readonly<Record<string, Send>> = {
  'POST /api/auth/local/register': async (running, username, more, how) =>
    (await ask(running, 'POST', '/api/auth/local/register', { ...inputOf(username), ...more }, how)).isStored,
  'POST /api/users': async (...args) => (await create(...args)).isStored,
  'PUT /api/users/:id': async (running, username, more, how) => {
    const { id } = await create(running, username, {}, '');
    return (await ask(running, 'PUT', `/api/users/${id}`, more, how)).isStored;
  },
};

const graphqlDoors: Readonly<Record<string, Send>> = {
  'mutation register': async (running, username, _, how) => {
    const query = 'mutation ($input: UsersPermissionsRegisterInput!) { register(input: $input) { jwt } }';
    return (await ask(running, 'POST', '/graphql', { query, variables: { input: inputOf(username) } }, how)).isStored;
  },
  'mutation createUsersPermissionsUser': async (running, username, more, how) => {
    const query =
      'mutation ($data: UsersPermissionsUserInput!) { createUsersPermissionsUser(data: $data) { data { id } } }';
    const variables = { data: { ...inputOf(username), role: '1', ...more } };
    return (await ask(running, 'POST', '/graphql', { query, variables }, how)).isStored;
  },
  'mutation updateUsersPermissionsUser': async (running, username, data, how) => {
    const { id } = await create(running, username, {}, '');
    const query =
      'mutation ($id: ID!, $data: UsersPermissionsUserInput!) { updateUsersPermissionsUser(id: $id, data: $data) { data { id } } }';
    return (await ask(running, 'POST', '/graphql', { query, variables: { id, data } }, how)).isStored;
  },
};

const action = { 'src/extensions/users-permissions/strapi-server.js': wrapped };
const { 'src/index.js': index, ...others } = files;

test('an upload has the target that an extension sets, and not that of a client who may not write it', async () => {
  const code = `module.exports = (plugin) => {
    const own = plugin.controllers['content-api'].upload;
    plugin.controllers['content-api'].upload = (ctx) => {
      if (ctx.headers['x-set']) Object.assign(ctx.request.body, { ref: 'api::society.society', refId: 1, field: 'logo' });
      return own(ctx);
    };
    return plugin;
  };`;
  const look = `module.exports = { routes: [{ method: 'GET', path: '/logo', config: { auth: false }, handler: async (ctx) => {
    ctx.body = (await strapi.query('api::society.society').findOne({ where: { id: 1 }, populate: ['logo'] })).logo ?? {};
  } }] };`;
  const running = await openProjectFolder({
    ...files,
    'src/extensions/upload/strapi-server.js': code,
    'src/api/look/routes/logo.js': look,
  });
  try {
    const send = async (name: string, fields: Readonly<Record<string, string>>, set: string): Promise<number> => {
      const body = new FormData();
      body.append('files', new Blob(['text'], { type: 'text/plain' }), name);
      for (const [field, value] of Object.entries(fields)) body.append(field, value);
      return (await running.fetch('/api/upload', { method: 'POST', headers: { 'x-set': set }, body })).status;
    };
    const target = { ref: 'api::society.society', refId: '1', field: 'logo' };
    expect(await send('client.txt', target, '')).toBe(403);
    expect(await send('code.txt', {}, 'yes')).toBe(200);
    expect((await running.send('GET', '/api/logo')).body).toMatchObject({ name: 'code.txt' });
    // What is the client's stays so where code repeats it.
    expect(await send('both.txt', target, 'yes')).toBe(403);
  } finally {
    await running.stop();
  }
});

test('an upload over GraphQL has the target that a middleware of its field sets', async () => {
  const onUpload = `module.exports = {
    ...require('./base'),
    register({ strapi }) {
      const target = { ref: 'api::society.society', refId: '1', field: 'logo' };
      const middleware = (next, parent, args, context, info) =>
        next(parent, context.koaContext.headers['x-set'] ? { ...args, ...target } : args, context, info);
      const field = { middlewares: [middleware] };
      strapi.plugin('graphql').service('extension').use({
        resolversConfig: { 'Mutation.upload': field, 'Mutation.multipleUpload': field },
      });
    },
  };`;
  const running = await openProjectFolder({ ...others, 'src/base.js': index, 'src/index.js': onUpload });
  const send = async (mutation: string, set: string): Promise<unknown> => {
    const body = new FormData();
    body.append(
      'operations',
      JSON.stringify({ query: `mutation ($file: Upload!) { ${mutation} }`, variables: { file: null } }),
    );
    body.append('map', JSON.stringify({ 0: ['variables.file'] }));
    body.append('0', new Blob(['text'], { type: 'text/plain' }), 'file.txt');
    const headers = { 'x-set': set, 'apollo-require-preflight': 'yes' };
    const response = await running.fetch('/graphql', { method: 'POST', headers, body });
    return ((await response.json()) as { readonly errors?: readonly { readonly message: string }[] }).errors?.[0]
      ?.message;
  };
  const named = 'ref: "api::society.society", refId: 1, field: "logo"';
  try {
    for (const [field, files] of [
      ['upload', 'file: $file'],
      ['multipleUpload', 'files: [$file]'],
    ]) {
      expect(await send(`${field}(${named}, ${files}) { data { id } }`, '')).toBe('Forbidden');
      expect(await send(`${field}(${files}) { data { id } }`, 'yes')).toBeUndefined();
    }
  } finally {
    await running.stop();
  }
});

const ways: readonly (readonly [string, Readonly<Record<string, string>>, Readonly<Record<string, Send>>])[] = [
  ['an action of an extension', action, { ...restDoors, ...graphqlDoors }],
  ['a middleware of routes', { 'src/extensions/users-permissions/strapi-server.js': onRoutes }, restDoors],
  ['a middleware of config/middlewares', { 'config/middlewares.js': middlewares }, restDoors],
  ['a guard of the extension', { 'extensions/index.mjs': guards }, restDoors],
  ['a middleware of fields', { 'src/base.js': index, 'src/index.js': onFields }, graphqlDoors],
];

/** What is stored of a user: the names of components, and the ids of societies. */
async function stored(running: RunningProject, username: string): Promise<unknown> {
  const { body } = await running.send('GET', `/api/look/${username}`);
  const idOf = (entry: { readonly id: number } | null): number | undefined => entry?.id;
  const place = (part: any): unknown => part && [part.street, idOf(part.first), idOf(part.second)]; // oxlint-disable-line typescript/no-explicit-any
  return [idOf(body.society), body.rivals.map(idOf), place(body.address), body.places.map(place)];
}

/** Relations, and components with relations. */
const sent = {
  society: 1,
  rivals: [3],
  address: { street: 'of client', first: 3 },
  places: [{ street: 'x', first: 3 }],
};
const without = undefined;

describe.each(ways)('%s', (_, code, doors) => {
  let running: RunningProject;
  let users = 0;
  const nextName = (): string => `user${(users += 1)}`;
  beforeAll(async () => {
    running = await openProjectFolder({ ...others, 'src/index.js': index, ...code });
  });
  afterAll(async () => running.stop());

  test.each(Object.entries(doors))('%s stores what it sets, and of the client what it may set', async (door, send) => {
    const store = async (more: object, set: string): Promise<unknown> => {
      const name = nextName();
      expect(await send(running, name, more, set)).toBe(true);
      return stored(running, name);
    };
    // A registration stores plain values alone, and its mutation takes no others.
    const ofClient = door.endsWith('register')
      ? [null, []]
      : [['of client', without, without], [['x', without, without]]];
    const asSent = door === 'mutation register' ? [] : [sent];
    for (const more of asSent) expect(await store(more, '')).toEqual([without, [], ...ofClient]);
    for (const set of ['beside', 'copy']) {
      expect(await store({}, set)).toEqual([2, [1, 2], ['of code', 1, without], [['of code', 2, without]]]);
      for (const more of asSent)
        expect(await store(more, set)).toEqual([
          2,
          [1, 2],
          ['of client', without, 2],
          [
            ['of code', 2, without],
            ['x', without, without],
          ],
        ]);
    }
  });
});
