import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProjectFolder, schemaFile, type RunningProject } from './project-folder.js';

const files = {
  'package.json': JSON.stringify({ dependencies: { '@strapi/plugin-graphql': '4.26.2' } }),
  'src/api/note/content-types/note/schema.json': schemaFile('note', {
    text: { type: 'string', required: true },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    blocks: { type: 'dynamiczone', components: ['page.quote'] },
  }),
  'src/components/page/quote.json': JSON.stringify({ attributes: { text: { type: 'string' } } }),
  'config/plugins.js': 'module.exports = { graphql: { config: { zoneFilters: true } } };',
  'src/api/tag/content-types/tag/schema.json': schemaFile('tag', { name: { type: 'string' } }),
  'src/api/note/content-types/note/lifecycles.js': `
    const { errors } = require('@strapi/utils');
    const record = ({ action }) => void (strapi.seen ??= []).push(action + ' of ' + (strapi.requestContext.get()?.method ?? 'nobody'));
    module.exports = {
      beforeFindMany: record, afterFindMany: record, beforeCount: record, beforeFindOne: record, afterDelete: record,
      beforeCreate(event) {
        record(event);
        if (event.params.data.text === 'no') throw new errors.ApplicationError('Not this', { text: 'no' });
        event.params.data.text += '!';
      },
      afterUpdate: record,
    };`,
  ...Object.fromEntries(
    ['Router', 'Controller', 'Service'].map((part) => [
      `src/api/note/${part === 'Router' ? 'route' : part.toLowerCase()}s/note.js`,
      `module.exports = require('@strapi/strapi').factories.createCore${part}('api::note.note');`,
    ]),
  ),
  'src/policies/strict.js':
    "module.exports = (context, config) => context.type === 'graphql' && context.http.method === 'POST' && context.args.key === config.key;",
  'src/extensions/users-permissions/strapi-server.js': `
    const { errors } = require('@strapi/utils');
    module.exports = (plugin) => {
      const { register } = plugin.controllers.auth;
      plugin.controllers.auth.register = async (ctx) => {
        if (ctx.request.body.username === 'root') return ctx.badRequest('Reserved', { username: 'root' });
        ctx.request.body.username += '-checked';
        return register(ctx);
      };
      const { auth, role } = plugin.controllers;
      const { emailConfirmation } = auth;
      auth.emailConfirmation = async (ctx, next, returnUser) => {
        if (ctx.query.confirmation === 'old') return ctx.badRequest('An old link');
        return emailConfirmation(ctx, next, returnUser);
      };
      for (const action of ['createRole', 'updateRole', 'deleteRole']) {
        const original = role[action];
        role[action] = (ctx) => ctx.request.body?.name === 'Members' ? original(ctx) : ctx.badRequest([action, ctx.params.role, ctx.request.body?.name].join(' '));
      }
      return plugin;
    };`,
  'src/index.js': `module.exports = { register({ strapi }) {
    // As resolvers of projects copy those of Strapi.
    const builders = () => strapi.plugin('graphql').service('builders');
    const contentType = strapi.contentTypes['api::note.note'];
    const copy = {
      transform: (args) => builders().utils.transformArgs(args, { contentType, usePagination: args.pagination !== undefined }),
      queries: () => builders().get('content-api').buildQueriesResolvers({ contentType }),
      mutations: () => builders().get('content-api').buildMutationsResolvers({ contentType }),
    };
    strapi.plugin('graphql').service('extension').use(({ strapi }) => ({
      typeDefs: \`type Query { seen: [String] guarded(key: String): String failing: String plain(how: String): String latest: NoteEntityResponseCollection
          place: JSON
          found(filters: NoteFiltersInput, pagination: PaginationArg): NoteEntityResponseCollection one(id: ID!): NoteEntityResponse
          entity: NoteEntity entities: [NoteEntity] }
        type Mutation { act(action: String!, params: JSON, body: JSON): JSON write(data: NoteInput!): NoteEntityResponse rewrite(id: ID!, data: NoteInput!): NoteEntityResponse remove(id: ID!): NoteEntityResponse }\`,
      resolvers: { Query: {
        seen: () => (strapi.seen ?? []).splice(0),
        guarded: (parent, args, context) => [context.koaContext.method, context.koaContext.state.auth.strategy.name, Object.keys(context.koaContext.request.body)].join(' '),
        failing: () => { const { yup, validateYupSchemaSync } = require('@strapi/utils'); return validateYupSchemaSync(yup.number())('x'); },
        plain: (parent, { how }) => { throw how === 'code' ? Object.assign(new Error('with a code'), { extensions: { code: 'MINE' } }) : how === 'bug' ? new TypeError('a bug') : new Error('for the client'); },
        place: (parent, args, { koaContext: { path, url, originalUrl, request, state } }) => {
          const current = strapi.requestContext.get();
          return [path, url, originalUrl, request.path, request.url, current.path, current.request.url, state.route];
        },
        latest: async () => {
          const { toEntityResponseCollection } = strapi.plugin('graphql').service('format').returnTypes;
          const args = { start: 0, limit: 1 };
          const found = await strapi.entityService.findMany('api::note.note', args);
          return toEntityResponseCollection(found, { args, resourceUID: 'api::note.note' });
        },
        found: async (parent, args, context) => {
          const { toEntityResponseCollection } = strapi.plugin('graphql').service('format').returnTypes;
          const params = copy.transform(args);
          const nodes = await copy.queries().find(parent, params, context);
          return toEntityResponseCollection(nodes, { args: params, resourceUID: 'api::note.note' });
        },
        one: async (parent, args, context) =>
          strapi.plugin('graphql').service('format').returnTypes.toEntityResponse(await copy.queries().findOne(parent, copy.transform(args), context)),
        entity: () => strapi.entityService.findOne('api::note.note', copy.last, { populate: ['tags'] }),
        entities: () => strapi.entityService.findMany('api::note.note', { filters: { id: copy.last } }),
      }, Mutation: Object.fromEntries([['act', async (parent, { action, params, body }, { koaContext }) => {
        // As the mutations of Strapi call the actions of its plugins.
        const [plugin, controller, name] = action.split('.');
        if (params?.user !== undefined) koaContext.state.user = { id: params.user };
        koaContext.params = params;
        koaContext.request.body = body;
        await strapi.plugin(plugin).controller(controller)[name](koaContext);
        return koaContext.body;
      }], ...[['write', 'create'], ['rewrite', 'update'], ['remove', 'delete']].map(([name, action]) => [name, async (parent, args) => {
        const { toEntityResponse } = strapi.plugin('graphql').service('format').returnTypes;
        const value = await copy.mutations()[action](parent, copy.transform(args));
        copy.last = value.id;
        return toEntityResponse(value, { args, resourceUID: 'api::note.note' });
      }])]) },
      resolversConfig: {
        'Query.noted': { auth: false }, 'Query.absent.x': { policies: ['not-looked-up'] },
        ...Object.fromEntries(['Query.found', 'Query.one', 'Query.place', 'Mutation.act', 'Query.entity', 'Query.entities', 'Mutation.write', 'Mutation.rewrite', 'Mutation.remove'].map((path) => [path, { auth: false }])),
        'Query.seen': { auth: false }, 'Query.failing': { auth: false }, 'Query.plain': { auth: false, policies: [(context, config) => Object.keys(config).length === 0] }, 'Query.latest': { auth: false },
        'Query.guarded': { auth: false, policies: [{ name: 'global::strict', config: { key: 'open' } }] },
      },
    }));
  } };`,
  'access.json': JSON.stringify({
    roles: {
      public: {
        permissions: [
          ...['auth.register', 'auth.emailConfirmation', 'role.createRole', 'role.updateRole', 'role.deleteRole'].map(
            (action) => `plugin::users-permissions.${action}`,
          ),
          ...['find', 'findOne', 'create', 'update', 'delete'].flatMap((action) => [
            `api::note.note.${action}`,
            `api::tag.tag.${action}`,
          ]),
        ],
      },
    },
  }),
};

let running: RunningProject;
beforeAll(async () => {
  running = await openProjectFolder(files);
});
afterAll(async () => running.stop());

const ask = async (query: string): Promise<unknown> => (await running.send('POST', '/graphql', { query })).body;
const seen = async (): Promise<unknown> => ((await ask('{ seen }')) as { data: { seen: unknown } }).data.seen;

test("queries and mutations run lifecycle events within the client's request", async () => {
  await ask('mutation { createTag(data: { name: "red" }) { data { id } } }');
  await seen();
  expect(
    await ask('mutation { createNote(data: { text: "one", tags: [1] }) { data { attributes { text } } } }'),
  ).toEqual({ data: { createNote: { data: { attributes: { text: 'one!' } } } } });
  expect(await seen()).toEqual(['beforeCreate of POST', 'beforeFindOne of POST']);
  expect(
    await ask(`{ notes(filters: { tags: { name: { eq: "red" } } }) {
      data { attributes { text tags { data { attributes { name } } } } } meta { pagination { total } } } }`),
  ).toEqual({
    data: {
      notes: {
        data: [{ attributes: { text: 'one!', tags: { data: [{ attributes: { name: 'red' } }] } } }],
        meta: { pagination: { total: 1 } },
      },
    },
  });
  expect(await seen()).toEqual(['beforeFindMany of POST', 'afterFindMany of POST', 'beforeCount of POST']);
  expect(await ask('mutation { deleteNote(id: 1) { data { attributes { text } } } }')).toEqual({
    data: { deleteNote: { data: { attributes: { text: 'one!' } } } },
  });
  expect(await seen()).toContain('afterDelete of POST');
  expect(await ask('mutation { updateNote(id: 1, data: { text: "two" }) { data { id } } }')).toEqual({
    data: { updateNote: { data: null } },
  });
});

test.each([
  [
    'mutation { createNote(data: { text: "no" }) { data { id } } }',
    { name: 'ApplicationError', message: 'Not this', details: { text: 'no' } },
    'STRAPI_APPLICATION_ERROR',
  ],
  [
    '{ failing }',
    {
      name: 'ValidationError',
      message: 'this must be a `number` type, but the final value was: `"x"`.',
      details: {
        errors: [
          {
            path: [],
            message: 'this must be a `number` type, but the final value was: `"x"`.',
            name: 'ValidationError',
          },
        ],
      },
    },
    'BAD_USER_INPUT',
  ],
  [
    'mutation { register(input: { username: "root", email: "a@b.test", password: "secret-1" }) { jwt } }',
    { name: 'BadRequestError', message: 'Reserved', details: { username: 'root' } },
    'STRAPI_BAD_REQUEST_ERROR',
  ],
])('errors of project code are returned to the client: %s', async (query, error, code) => {
  expect(await ask(query)).toMatchObject({ errors: [{ message: error.message, extensions: { error, code } }] });
});

test('a query of a client that the query engine refuses is a ValidationError, and writes nothing', async () => {
  const refusal = { name: 'ValidationError', message: 'Undefined attribute level operator $and' };
  expect(await ask('{ notes(filters: { text: { and: ["a"] } }) { data { id } } }')).toMatchObject({
    errors: [{ extensions: { code: 'BAD_USER_INPUT', error: refusal } }],
  });
  const total = async (): Promise<unknown> =>
    (await running.send('GET', '/api/notes?fields=id')).body.meta.pagination.total;
  const before = await total();
  const [list, created] = [
    await running.send('GET', '/api/notes?filters[text][$and][0]=a'),
    await running.send('POST', '/api/notes?populate[tags][filters][name][$and][0]=a', { data: { text: 'a' } }),
  ];
  expect([list.body.error, created.body.error]).toMatchObject([refusal, refusal]);
  expect(await total()).toBe(before);
});

test('a filter on a dynamic zone is refused where code observes the entries', async () => {
  const filters = '{ or: [{ blocks: { ComponentPageQuote: { text: { eq: "x" } } } }] }';
  expect(await ask(`{ notes(filters: ${filters}) { data { id } } }`)).toMatchObject({
    errors: [{ message: expect.stringContaining('code of the project observes api::note.note') as unknown }],
  });
});

test('mutations of users go through actions that the project replaced', async () => {
  const query = `mutation { register(input: { username: "ann", email: "ann@b.test", password: "secret-1" }) {
    jwt user { username } } }`;
  expect(await ask(query)).toMatchObject({
    data: { register: { jwt: expect.any(String), user: { username: 'ann-checked' } } },
  });
});

test.each([
  ['emailConfirmation(confirmation: "old") { jwt }', 'An old link'],
  // The action of the service, which the project's calls.
  ['emailConfirmation(confirmation: "unknown") { jwt }', 'Invalid token'],
  ['createUsersPermissionsRole(data: { name: "new" }) { ok }', 'createRole  new'],
  ['updateUsersPermissionsRole(id: 2, data: { name: "new" }) { ok }', 'updateRole 2 new'],
  ['deleteUsersPermissionsRole(id: 2) { ok }', 'deleteRole 2 '],
])('a mutation runs the action that the project replaced: %s', async (field, message) => {
  expect(await ask(`mutation { ${field} }`)).toMatchObject({ errors: [{ message }] });
});

test('policies and resolvers get the Koa context of the request', async () => {
  expect(await ask('{ guarded(key: "open") }')).toEqual({ data: { guarded: 'POST users-permissions query' } });
  expect(await ask('{ guarded(key: "shut") }')).toMatchObject({ errors: [{ message: 'Policy Failed' }] });
});

test('the Koa context has the path of the request', async () => {
  const [whole, withQuery] = ['/graphql', '/graphql?query={place}'];
  const route = { info: { type: 'content-api' } };
  expect(await ask('{ place }')).toEqual({ data: { place: [whole, whole, whole, whole, whole, whole, whole, route] } });
  const asked = await running.send('GET', encodeURI(withQuery));
  expect(asked.body.data.place.slice(0, 3).map(decodeURI)).toEqual([whole, withQuery, withQuery]);
});

/** Runs an action of a plugin in a resolver. */
const act = async (action: string, input: { readonly params?: object; readonly body?: object }, token?: string) => {
  const query =
    'mutation ($action: String!, $params: JSON, $body: JSON) { act(action: $action, params: $params, body: $body) }';
  const { status, body } = await running.send('POST', '/graphql', { query, variables: { action, ...input } }, token);
  expect(status).toBe(200);
  return body.errors ?? body.data.act;
};

test('resolvers call the actions of plugins with the Koa context', async () => {
  const body = { username: 'bea', email: 'bea@b.test', password: 'secret-1' };
  const { jwt, user } = await act('users-permissions.auth.register', { body });
  expect(user).toMatchObject({ username: 'bea-checked' });
  const credentials = { identifier: 'bea@b.test', password: 'secret-1' };
  const params = { provider: 'local' };
  expect(await act('users-permissions.auth.callback', { params, body: credentials })).toMatchObject({ user });
  expect(await act('users-permissions.user.me', {}, jwt)).toMatchObject({ id: user.id, email: 'bea@b.test' });
  expect(await act('users-permissions.user.me', {})).toMatchObject([{ message: 'Unauthorized' }]);
  expect(await act('users-permissions.user.me', { params: { user: user.id } })).toMatchObject({ id: user.id });
  const changed = { params: { id: String(user.id) }, body: { username: 'beatrix' } };
  expect(await act('users-permissions.user.update', changed)).toMatchObject({ username: 'beatrix' });
  expect(await act('users-permissions.user.findOne', { params: { id: String(user.id) } })).toMatchObject({
    username: 'beatrix',
  });
  const passwords = { currentPassword: 'secret-1', password: 'secret-2', passwordConfirmation: 'secret-2' };
  expect(await act('users-permissions.auth.changePassword', { body: passwords }, jwt)).toHaveProperty('jwt');
  expect(await act('users-permissions.user.destroy', { params: { id: String(user.id) } })).toMatchObject({
    id: user.id,
  });
  expect(await act('users-permissions.role.updateRole', { params: { role: '2' }, body: { name: 'Everyone' } })).toEqual(
    {
      error: expect.objectContaining({ message: 'updateRole 2 Everyone' }) as unknown,
      data: null,
    },
  );
  const role = { params: { role: '1' }, body: { name: 'Members', description: 'All of them' } };
  expect(await act('users-permissions.role.updateRole', role)).toEqual({ ok: true });
  expect(await act('upload.content-api.find', {})).toEqual([]);
});

test.each([
  ['plain', 'for the client', 'INTERNAL_SERVER_ERROR'],
  ['code', 'with a code', 'MINE'],
  ['bug', 'Internal Server Error', 'INTERNAL_SERVER_ERROR'],
])('the message of an error that a resolver throws: %s', async (how, message, code) => {
  expect(await ask(`{ plain(how: "${how}") }`)).toMatchObject({ errors: [{ message, extensions: { code } }] });
});

test('a collection returned by a resolver has the total of its type', async () => {
  for (const text of ['a', 'b', 'c']) await ask(`mutation { createNote(data: { text: "${text}" }) { data { id } } }`);
  expect(
    await ask('{ latest { data { attributes { text } } meta { pagination { total pageSize pageCount } } } }'),
  ).toEqual({
    data: {
      latest: {
        data: [{ attributes: { text: 'a!' } }],
        meta: { pagination: { total: 3, pageSize: 1, pageCount: 3 } },
      },
    },
  });
});

test('resolvers that a project copies from Strapi read and write entries', async () => {
  const attributes = { data: { attributes: { text: 'copied!' } } };
  expect(await ask('mutation { write(data: { text: "copied", tags: [1] }) { data { attributes { text } } } }')).toEqual(
    {
      data: { write: attributes },
    },
  );
  const { data } = (await ask(`{
    found(filters: { text: { eq: "copied!" } }, pagination: { limit: 1 }) { data { id attributes { text } } meta { pagination { total } } }
  }`)) as { data: { found: { data: readonly { readonly id: string }[] } } };
  expect(data.found).toMatchObject({ data: [attributes.data], meta: { pagination: { total: 1 } } });
  const id = data.found.data[0]?.id;
  expect(await ask(`{ one(id: ${id}) { data { attributes { text } } } }`)).toEqual({ data: { one: attributes } });
  const entity = { id, attributes: { text: 'copied!', tags: { data: [{ attributes: { name: 'red' } }] } } };
  expect(await ask('{ entity { id attributes { text tags { data { attributes { name } } } } } }')).toEqual({
    data: { entity },
  });
  expect(await ask('{ entities { id attributes { text tags { data { attributes { name } } } } } }')).toEqual({
    data: { entities: [entity] },
  });
  expect(await ask(`{ found(filters: { secret: { eq: "x" } }) { data { id } } }`)).toHaveProperty('errors');
  const rewrite = `mutation { rewrite(id: ${id}, data: { text: "again" }) { data { attributes { text } } } }`;
  expect(await ask(rewrite)).toEqual({ data: { rewrite: { data: { attributes: { text: 'again' } } } } });
  expect(await ask(`mutation { remove(id: ${id}) { data { id } } }`)).toEqual({ data: { remove: { data: { id } } } });
  expect(await ask(`{ one(id: ${id}) { data { id } } }`)).toEqual({ data: { one: { data: null } } });
});

test('configuration of a field that the schema lacks is a warning', () => {
  const line = 'resolversConfig: the schema has no field';
  expect(running.output()).toContain(
    `${line} Query.noted, so this configures and guards nothing; did you mean Query.note?`,
  );
  expect(running.output()).toContain(`${line} Query.absent.x, so this configures and guards nothing`);
});
