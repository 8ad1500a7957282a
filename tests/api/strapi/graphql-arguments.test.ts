import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { apiFiles, openProjectFolder, type RunningProject } from './project-folder.js';

const withDrafts = (files: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(files).map(([name, text]) => [
      name,
      text.replace('"draftAndPublish":false', '"draftAndPublish":true'),
    ]),
  );

const owned = {
  text: { type: 'string' },
  owner: { type: 'relation', relation: 'manyToOne', target: 'api::person.person' },
};
const files = {
  'package.json': JSON.stringify({ dependencies: { '@strapi/plugin-graphql': '4.26.2' } }),
  ...withDrafts(apiFiles('note', owned)),
  // Code observes its events, so that the entity service reads it.
  ...apiFiles('memo', owned),
  'src/api/memo/content-types/memo/lifecycles.js': 'module.exports = { beforeFindMany() {} };',
  ...apiFiles('person', {
    name: { type: 'string' },
    notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note', mappedBy: 'owner' },
  }),
  'src/api/note/content-types/note/schema.json': withDrafts(
    apiFiles('note', { ...owned, owner: { ...owned.owner, inversedBy: 'notes' } }),
  )['src/api/note/content-types/note/schema.json'] as string,
  'src/index.js': `module.exports = {
    register({ strapi }) {
      // The arguments that the request wants code to set.
      const set = async (next, parent, args, context, info) => {
        const wanted = JSON.parse(context.koaContext.get('x-args') || '{}');
        for (const [name, value] of Object.entries(wanted)) args[name] = value;
        return next(parent, args, context, info);
      };
      const graphql = (name) => strapi.plugin('graphql').service(name);
      strapi.plugin('graphql').service('extension').use({
        typeDefs: \`type Query { seen(publicationState: PublicationState = LIVE): String handed(publicationState: PublicationState, pagination: PaginationArg): NoteEntityResponseCollection
          transformed(filters: JSON): NoteEntityResponseCollection }\`,
        resolvers: { Query: {
          seen: (parent, args) => JSON.stringify(args),
          handed: async (parent, args) => {
            const params = graphql('builders').utils.transformArgs(args, { contentType: strapi.contentTypes['api::note.note'], usePagination: true });
            const found = await strapi.entityService.findMany('api::note.note', params);
            return graphql('format').returnTypes.toEntityResponseCollection(found, { args: params, resourceUID: 'api::note.note' });
          },
          transformed: async (parent, args) => {
            const params = graphql('builders').utils.transformArgs(args, { contentType: strapi.contentTypes['api::note.note'] });
            return graphql('format').returnTypes.toEntityResponseCollection(await strapi.entityService.findMany('api::note.note', params));
          },
        } },
        resolversConfig: {
          'Query.seen': { auth: false }, 'Query.handed': { auth: false }, 'Query.transformed': { auth: false },
          'Query.notes': { auth: false, middlewares: [set], policies: [(context) => context.args.publicationState !== 'preview' || context.http.get('x-args') !== ''] },
          'Query.memos': { auth: false, middlewares: [set] }, 'Query.persons': { auth: false },
          'Mutation.updateNote': { auth: false, middlewares: [set] }, 'Mutation.deleteNote': { auth: false, middlewares: [set] },
          'Person.notes': { middlewares: [set] },
        },
      });
    },
    async bootstrap({ strapi }) {
      const publishedAt = new Date();
      for (const name of ['Ada', 'Bob']) {
        const { id: owner } = await strapi.entityService.create('api::person.person', { data: { name } });
        await strapi.entityService.create('api::note.note', { data: { text: 'of ' + name, owner, publishedAt } });
        await strapi.entityService.create('api::memo.memo', { data: { text: 'of ' + name, owner } });
      }
      await strapi.entityService.create('api::note.note', { data: { text: 'a draft' } });
    },
  };`,
  'access.json': JSON.stringify({
    roles: {
      public: {
        permissions: ['note', 'memo', 'person'].flatMap((name) =>
          ['find', 'findOne', 'update', 'delete'].map((action) => `api::${name}.${name}.${action}`),
        ),
      },
    },
  }),
};

let running: RunningProject;
beforeAll(async () => {
  running = await openProjectFolder(files);
});
afterAll(async () => running.stop());

interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string }[];
}

async function ask(query: string, args?: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(args !== undefined && { 'x-args': JSON.stringify(args) }) };
  const response = await running.fetch('/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) });
  return (await response.json()) as Answer;
}

const texts = '{ data { attributes { text } } }';
const textsIn = ({ data }: Answer): readonly string[] =>
  [...JSON.stringify(data).matchAll(/"text":"([^"]*)"/g)].map(([, text = '']) => text);

describe.each(['notes', 'memos'])('what a middleware sets limits %s', (field) => {
  const ofAda = { owner: { name: { $eq: 'Ada' } } };
  test.each([
    { filters: ofAda },
    { filters: { $and: [{ owner: { id: { $in: [1] } } }] } },
    { filters: { owner: 1 } },
    { filters: { text: { $containsi: 'ADA' } } },
    { _q: 'Ada' },
    { pagination: { limit: 1 }, sort: { text: 'asc' } },
  ])('%j', async (args) => {
    expect(textsIn(await ask(`{ ${field} ${texts} }`, args))).toEqual(['of Ada']);
  });

  test('what is not understood is refused', async () => {
    const { errors } = await ask(`{ ${field} ${texts} }`, { filters: { owner: { nam: { $eq: 'Ada' } } } });
    expect(errors?.map(({ message }) => message)).toEqual(['Invalid parameter nam']);
  });
});

test('a middleware of a relation limits it, and transformArgs keeps names with a dollar sign', async () => {
  const limited = await ask(`{ persons { data { attributes { notes ${texts} } } } }`, {
    filters: { text: { $eq: 'of Bob' } },
  });
  expect(textsIn(limited)).toEqual(['of Bob']);
  const transformed = (filters: string): Promise<Answer> => ask(`{ transformed(filters: ${filters}) ${texts} }`);
  expect(textsIn(await transformed('{ not: { owner: { name: { eq: "Ada" } } } }'))).toEqual(['of Bob']);
  expect((await transformed('{ owner: { name: { equal: "Ada" } } }')).errors?.[0]?.message).toBe(
    'Invalid parameter equal',
  );
});

test('publicationState is live or preview for policies, resolvers and what they call', async () => {
  expect((await ask('{ seen }')).data).toEqual({ seen: '{"publicationState":"live"}' });
  expect((await ask(`{ notes(publicationState: PREVIEW) ${texts} }`)).errors).toHaveLength(1);
  expect(textsIn(await ask(`{ notes(publicationState: LIVE) ${texts} }`))).toHaveLength(2);
  expect(textsIn(await ask(`{ notes ${texts} }`, { publicationState: 'preview' }))).toHaveLength(3);
  const page = 'data { id } meta { pagination { total page pageSize pageCount } }';
  const pageOf = async (args: string): Promise<unknown> => (await ask(`{ handed${args} { ${page} } }`)).data;
  expect(await pageOf('(publicationState: PREVIEW, pagination: { page: 2, pageSize: 2 })')).toEqual({
    handed: { data: [{ id: '3' }], meta: { pagination: { total: 3, page: 2, pageSize: 2, pageCount: 2 } } },
  });
  expect(await pageOf('(publicationState: LIVE, pagination: { start: 1, limit: 1 })')).toEqual({
    handed: { data: [{ id: '2' }], meta: { pagination: { total: 2, page: 2, pageSize: 1, pageCount: 2 } } },
  });
});

test('a write refuses an id that code sets to what is none, and changes nothing', async () => {
  for (const id of [null, true, { $ne: 1 }, [1]]) {
    const { errors } = await ask(`mutation { deleteNote(id: 1) ${texts} }`, { id });
    expect(errors?.map(({ message }) => message)).toEqual(['The argument id must be a string or a number']);
  }
  expect(textsIn(await ask(`{ notes ${texts} }`))).toHaveLength(2);
});
