import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openProjectFolder, schemaFile, type RunningProject } from '../../../../tests/api/strapi/project-folder.js';

const types = ['note', 'plain', 'observed', 'routed', 'off', 'around', 'wide'];
const core = (name: string, what: string, options = ''): string =>
  `module.exports = require('@strapi/strapi').factories.createCore${what}('api::${name}.${name}'${options});`;
const actions = types.flatMap((name) =>
  ['find', 'findOne', 'create', 'update', 'delete'].map((action) => `api::${name}.${name}.${action}`),
);
const plainRelation = { type: 'relation', relation: 'manyToMany', target: 'api::plain.plain' };

const aroundRelation = { ...plainRelation, target: 'api::around.around' };

const files = {
  'package.json': JSON.stringify({ dependencies: { '@strapi/plugin-graphql': '4.26.2' } }),
  'config/plugins.js': `module.exports = { graphql: { enabled: true }, strapi5: { enabled: true } };`,
  'access.json': JSON.stringify({ roles: { public: { permissions: actions } } }),
  ...Object.fromEntries(
    types.flatMap((name) => [
      [
        `src/api/${name}/content-types/${name}/schema.json`,
        schemaFile(name, {
          text: { type: 'string' },
          secret: { type: 'string' },
          plains: plainRelation,
          arounds: aroundRelation,
        }),
      ],
      [`src/api/${name}/routes/${name}.js`, core(name, 'Router')],
      [`src/api/${name}/controllers/${name}.js`, core(name, 'Controller')],
      [`src/api/${name}/services/${name}.js`, core(name, 'Service')],
    ]),
  ),
  'src/api/routed/routes/routed.js': core(
    'routed',
    'Router',
    `, { config: { find: { policies: ['global::never'] }, create: { middlewares: [(ctx) => ctx.forbidden()] } } }`,
  ),
  'src/api/routed/controllers/routed.js': core(
    'routed',
    'Controller',
    ', () => ({ delete(ctx) { return ctx.forbidden(); } })',
  ),
  'src/policies/never.js': 'module.exports = () => false;',
  'src/api/observed/content-types/observed/lifecycles.js':
    'module.exports = { beforeFindMany(event) { event.params.where = { id: 0 }; } };',
  'src/index.js': `module.exports = {
    register({ strapi }) {
      const extension = strapi.plugin('graphql').service('extension');
      extension.shadowCRUD('api::off.off').disableActions(['find', 'delete']).field('secret').disable();
      extension.use(({ nexus }) => ({
        types: [nexus.extendType({ type: 'Query', definition(t) {
          t.field('wides', { type: 'WideEntityResponseCollection', resolve: () => ({ nodes: [] }) });
        } })],
        typeDefs: 'type Query { hello: String }',
        resolvers: { Query: { hello: () => 'hello' }, Plain: { secret: () => 'by code' } },
        resolversConfig: {
          'Query.notes': { policies: [() => false] },
          'Mutation.createNote': { middlewares: [(next, ...args) => next(...args)] },
          'Plain.plains': { policies: [() => false] },
          'Query.plain': { auth: false },
          'AroundEntity.attributes': { policies: [() => false] },
          'Mutation.login': { policies: [() => false] },
          'UsersPermissionsMe.email': { policies: [() => false] },
        },
      }));
    },
    async bootstrap({ strapi }) {
      const { id } = await strapi.entityService.create('api::plain.plain', { data: { text: 'plain' } });
      for (const name of ['note', 'observed', 'routed', 'off', 'around', 'wide'])
        await strapi.entityService.create('api::' + name + '.' + name, { data: { text: name, secret: 'secret', plains: [id] } });
    },
  };`,
};

let project: RunningProject;
beforeAll(async () => {
  project = await openProjectFolder(files);
});
afterAll(async () => project.stop());

const ask = async (query: string, path = '/v5/graphql') => (await project.send('POST', path, { query })).body;
const refused = { errors: [{ message: expect.stringMatching(/Forbidden|observes/) }] };

describe('what code of the project guards, changes or answers is refused', () => {
  test.each([
    '{ notes { text } }',
    '{ notes_connection { nodes { text } } }',
    'mutation { createNote(data: { text: "x" }) { text } }',
    '{ note(documentId: "x") { text } wides { text } }',
    '{ wides_connection { nodes { text } } }',
    '{ arounds { text } }',
    '{ around(documentId: "x") { text } }',
    'mutation { createAround(data: { text: "x" }) { text } }',
    '{ routeds { text } }',
    '{ routeds_connection { nodes { text } } }',
    'mutation { createRouted(data: { text: "x" }) { text } }',
    'mutation { deleteRouted(documentId: "x") { documentId } }',
    '{ observeds { text } }',
    'mutation { updateObserved(documentId: "x", data: { text: "x" }) { text } }',
    'mutation { login(input: { identifier: "a", password: "b" }) { jwt } }',
  ])('%s', async (query) => {
    expect(await ask(query)).toMatchObject(refused);
  });

  test.each(['secret', 'plains { text }', 'plains_connection { nodes { text } }', 'arounds { text }'])(
    'in entries: %s',
    async (field) => {
      const { data, errors } = await ask(`{ plains { text ${field} } }`);
      expect(errors).toMatchObject(refused.errors);
      expect(data?.plains ?? null).not.toMatchObject([{ secret: expect.anything() }]);
    },
  );
});

test('what the project takes out of the schema is absent', async () => {
  for (const query of [
    '{ offs { text } }',
    '{ off(documentId: "x") { secret } }',
    'mutation { deleteOff(documentId: "x") { documentId } }',
  ])
    expect(await ask(query)).toMatchObject({ errors: [{ message: expect.stringContaining('Cannot query field') }] });
});

test('all else is answered, and the permissions are those of the actions', async () => {
  expect(await ask('{ plains { text } }')).toEqual({ data: { plains: [{ text: 'plain' }] } });
  const created = await ask('mutation { createOff(data: { text: "created" }) { text plains { text } } }');
  expect(created).toEqual({ data: { createOff: { text: 'created', plains: [] } } });
  expect(await ask('{ hello }')).toMatchObject({ errors: [{ message: expect.stringContaining('hello') }] });
  expect(await ask('{ hello }', '/graphql')).toMatchObject(refused);
});

test('a plugin of nexus can wrap every field: all of them are refused, and the start says so', async () => {
  const wrapped = await openProjectFolder({
    ...files,
    'src/index.js': `module.exports = {
      register({ strapi }) {
        strapi.plugin('graphql').service('extension').use(({ nexus }) => ({
          plugins: [nexus.plugin({ name: 'hides', onCreateFieldResolver: ({ fieldConfig }) =>
            fieldConfig.name === 'plains' ? () => { throw new Error('hidden by a plugin'); } : undefined })],
        }));
      },
    };`,
  });
  const send = async (path: string, query: string) => (await wrapped.send('POST', path, { query })).body;
  for (const query of [
    '{ plains { text } }',
    '{ plains_connection { nodes { text } } }',
    '{ notes { text } }',
    'mutation { createPlain(data: { text: "x" }) { text } }',
    'mutation { login(input: { identifier: "a", password: "b" }) { jwt } }',
  ])
    expect(await send('/v5/graphql', query)).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
  expect((await send('/graphql', '{ plains { data { id } } }')).errors).toMatchObject([
    { message: 'hidden by a plugin' },
  ]);
  expect(await send('/graphql', '{ notes { data { id } } }')).toMatchObject({ data: { notes: { data: [] } } });
  expect(wrapped.output()).toContain('GraphQL at /v5/graphql refuses Query.plains');
  await wrapped.stop();
});

test('the start names what is refused', () => {
  expect(project.output()).toContain('GraphQL at /v5/graphql refuses Query.notes_connection');
});
