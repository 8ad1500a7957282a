import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signPreview } from '../../../src/plugins/contract/access/preview-links.js';
import { openProjectFolder, type RunningProject } from './project-folder.js';

const schema = (kind: string, name: string, attributes: object = {}): string =>
  JSON.stringify({
    kind,
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: true },
    attributes: { text: { type: 'string' }, ...attributes },
  });
const single = ['find', 'update', 'delete'].map((action) => `api::front.front.${action}`);
const collections = ['note', 'author', 'page'].flatMap((name) =>
  ['find', 'findOne', 'create', 'update', 'delete'].map((action) => `api::${name}.${name}.${action}`),
);
const author = { author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' } };
/** Core actions of a type, the service of which the project replaces if `service` says so. */
const api = (name: string, attributes: object, service = ''): Readonly<Record<string, string>> => ({
  [`src/api/${name}/content-types/${name}/schema.json`]: schema('collectionType', name, attributes),
  ...Object.fromEntries(
    ['controller', 'router', 'service'].map((part) => {
      const factory = `require('@strapi/strapi').factories.createCore${part[0]?.toUpperCase()}${part.slice(1)}`;
      const more = part === 'service' && service !== '' ? `, ${service}` : '';
      return [
        `src/api/${name}/${part === 'router' ? 'route' : part}s/${name}.js`,
        `module.exports = ${factory}('api::${name}.${name}'${more});`,
      ];
    }),
  ),
});
// Project code observes the events of all content types, so GraphQL reads and writes them with the entity service.
const SECRET = 'a secret of this test that is long enough';
const files = {
  'package.json': JSON.stringify({ dependencies: { '@strapi/plugin-graphql': '4.26.2' } }),
  '.env': `DRAFTS=restricted\nJWT_SECRET=${SECRET}\n`,
  ...api('note', author),
  ...api('author', {}),
  ...api(
    'page',
    author,
    `() => ({
      async find(params) { return super.find({ ...params, sort: 'id' }); },
      async findOne(id, params) { return super.findOne(id, params); },
      async create(params) { return super.create(params); },
      async update(id, params) { return super.update(id, params); },
      async delete(id, params) { return super.delete(id, params); },
    })`,
  ),
  'src/api/front/content-types/front/schema.json': schema('singleType', 'front'),
  'src/index.js': `module.exports = { register({ strapi }) {
    // As resolvers of projects copy those of Strapi.
    const builders = () => strapi.plugin('graphql').service('builders').get('content-api');
    const queries = () => builders().buildQueriesResolvers({ contentType: strapi.contentTypes['api::note.note'] });
    const mutations = () => builders().buildMutationsResolvers({ contentType: strapi.contentTypes['api::note.note'] });
    strapi.plugin('graphql').service('extension').use(() => ({
      typeDefs: 'type Query { ownNotes: [NoteEntity] ownNote(id: ID!): NoteEntity } type Mutation { changeNote(id: ID!, data: NoteInput!): NoteEntity }',
      resolvers: {
        Query: { ownNotes: (...args) => queries().find(...args), ownNote: (...args) => queries().findOne(...args) },
        Mutation: { changeNote: (...args) => mutations().update(...args) },
      },
      resolversConfig: { 'Query.ownNotes': { auth: false }, 'Query.ownNote': { auth: false }, 'Mutation.changeNote': { auth: false } },
    }));
  }, async bootstrap({ strapi }) {
    strapi.db.lifecycles.subscribe({ beforeFindMany() {}, afterUpdate() {},
      afterFindOne({ result }) { if (result?.text === 'previewed') result.text = 'what code shows'; } });
    const publishedAt = new Date();
    const hidden = await strapi.entityService.create('api::author.author', { data: { text: 'secret', publishedAt: null } });
    for (const uid of ['api::note.note', 'api::page.page']) {
      await strapi.entityService.create(uid, { data: { text: 'draft', publishedAt: null } });
      await strapi.entityService.create(uid, { data: { text: 'public', author: hidden.id, publishedAt } });
    }
    await strapi.entityService.create('api::front.front', { data: { text: 'draft', publishedAt: null } });
  } };`,
  'access.json': JSON.stringify({
    roles: { public: { permissions: [...single, ...collections] } },
  }),
};

let running: RunningProject;
beforeAll(async () => {
  running = await openProjectFolder(files);
});
afterAll(async () => running.stop());

test.each([
  ['{ notes(publicationState: PREVIEW) { data { id } meta { pagination { total } } } }', 'notes', [{ id: '2' }]],
  ['{ notes(filters: { author: { text: { startsWith: "sec" } } }) { data { id } } }', 'notes', []],
  ['{ note(id: 1) { data { id } } }', 'note', null],
  ['mutation { updateNote(id: 1, data: { publishedAt: "2024-01-01T00:00:00Z" }) { data { id } } }', 'updateNote', null],
  ['mutation { deleteNote(id: 1) { data { id } } }', 'deleteNote', null],
  ['{ front(publicationState: PREVIEW) { data { id } } }', 'front', null],
])('%s does not find a hidden draft', async (query, field, data) => {
  const { body } = await running.send('POST', '/graphql', { query });
  expect(body.data[field]).toMatchObject({ data });
});

test.each([
  ['{ ownNotes { id } }', 'ownNotes', [{ id: '2' }]],
  ['{ ownNote(id: 1) { id } }', 'ownNote', null],
  ['mutation { changeNote(id: 1, data: { text: "mine" }) { id } }', 'changeNote', null],
])('%s, whose resolver copies that of Strapi, does not find a hidden draft', async (query, field, found) => {
  const { body } = await running.send('POST', '/graphql', { query });
  expect(body.data[field]).toEqual(found);
});

test.each(['updateFront(data: { text: "mine" })', 'deleteFront'])('%s is refused', async (field) => {
  const { body } = await running.send('POST', '/graphql', { query: `mutation { ${field} { data { id } } }` });
  expect(body.errors).toHaveLength(1);
});

describe.each(['notes', 'pages'])('over REST, %s that are drafts do not exist', (name) => {
  const path = `/api/${name}`;
  const ids = async (query: string): Promise<readonly number[]> => {
    const { body } = await running.send('GET', `${path}?publicationState=preview&${query}`);
    return (body.data as readonly { readonly id: number }[]).map(({ id }) => id);
  };

  test('in lists, and behind relations in filters and sorts', async () => {
    expect(await ids('')).toEqual([2]);
    const { body } = await running.send('GET', `${path}?publicationState=preview&pagination[withCount]=true`);
    expect(body.meta.pagination.total).toBe(1);
    expect(await ids('filters[author][text][$startsWith]=sec')).toEqual([]);
    expect(await ids('filters[$not][author][text][$startsWith]=tec')).toEqual([]);
    expect(await ids('filters[author][id][$null]=true')).toEqual([2]);
    expect(await ids('sort=author.text')).toEqual([2]);
  });

  test('by their id, and populated', async () => {
    expect((await running.send('GET', `${path}/1`)).status).toBe(404);
    for (const place of [`${path}/2?populate=author`, `${path}/2?populate[author][fields]=text`]) {
      const { body } = await running.send('GET', place);
      expect(body.data.attributes.author).toEqual({ data: null });
    }
    expect((await running.send('GET', `${path}?populate=*`)).body.data[0].attributes.author).toEqual({ data: null });
  });

  test('to writes, which cannot connect to them', async () => {
    expect((await running.send('PUT', `${path}/1`, { data: { text: 'mine' } })).status).toBe(404);
    expect((await running.send('DELETE', `${path}/1`)).status).toBe(404);
    expect((await running.send('PUT', `${path}/2`, { data: { author: 1 } })).status).toBe(400);
    expect((await running.send('POST', path, { data: { author: 1 } })).status).toBe(400);
    const { body } = await running.send('POST', `${path}?populate=author`, {
      data: { text: 'new', publishedAt: null },
    });
    expect(body.data.attributes).toMatchObject({ text: 'new', publishedAt: null });
  });
});

test('a preview link shows a draft of a type whose events project code observes', async () => {
  const sent = { data: { text: 'previewed', publishedAt: null } };
  const { id } = (await running.send('POST', '/api/notes', sent)).body.data;
  const preview = signPreview(SECRET, { uid: 'api::note.note', id }, 60);
  const { body } = await running.send('GET', `/api/notes/${id}?preview=${preview}`);
  expect(body).toMatchObject({ data: { id, attributes: { text: 'what code shows', publishedAt: null } } });
  expect((await running.send('GET', `/api/notes/2?preview=${preview}`)).status).toBe(401);
});
