import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProjectFolder, type RunningProject } from './project-folder.js';

const schema = (kind: string, name: string): string =>
  JSON.stringify({
    kind,
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: true },
    attributes: { text: { type: 'string' } },
  });
const single = ['find', 'update', 'delete'].map((action) => `api::front.front.${action}`);
const collection = ['find', 'findOne', 'update', 'delete'].map((action) => `api::note.note.${action}`);
// Project code observes the events of all content types, so GraphQL reads and writes them with the entity service.
const files = {
  'package.json': JSON.stringify({ dependencies: { '@strapi/plugin-graphql': '4.26.2' } }),
  '.env': 'DRAFTS=restricted\n',
  'src/api/note/content-types/note/schema.json': schema('collectionType', 'note'),
  'src/api/front/content-types/front/schema.json': schema('singleType', 'front'),
  'src/index.js': `module.exports = { async bootstrap({ strapi }) {
    strapi.db.lifecycles.subscribe({ beforeFindMany() {}, afterUpdate() {} });
    await strapi.entityService.create('api::note.note', { data: { text: 'draft', publishedAt: null } });
    await strapi.entityService.create('api::front.front', { data: { text: 'draft', publishedAt: null } });
  } };`,
  'access.json': JSON.stringify({
    roles: { public: { permissions: [...single, ...collection] } },
  }),
};

let running: RunningProject;
beforeAll(async () => {
  running = await openProjectFolder(files);
});
afterAll(async () => running.stop());

test.each([
  ['{ notes(publicationState: PREVIEW) { data { id } meta { pagination { total } } } }', 'notes', []],
  ['{ note(id: 1) { data { id } } }', 'note', null],
  ['mutation { updateNote(id: 1, data: { publishedAt: "2024-01-01T00:00:00Z" }) { data { id } } }', 'updateNote', null],
  ['mutation { deleteNote(id: 1) { data { id } } }', 'deleteNote', null],
  ['{ front(publicationState: PREVIEW) { data { id } } }', 'front', null],
])('%s does not find a hidden draft', async (query, field, data) => {
  const { body } = await running.send('POST', '/graphql', { query });
  expect(body.data[field]).toMatchObject({ data });
});

test.each(['updateFront(data: { text: "mine" })', 'deleteFront'])('%s is refused', async (field) => {
  const { body } = await running.send('POST', '/graphql', { query: `mutation { ${field} { data { id } } }` });
  expect(body.errors).toHaveLength(1);
});
