import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProjectFolder, type RunningProject } from './project-folder.js';

const actions = ['find', 'findOne', 'create', 'update', 'delete'].map((action) => `api::note.note.${action}`);
const files = {
  'src/api/note/content-types/note/schema.json': JSON.stringify({
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { text: { type: 'string' } },
  }),
  'src/api/note/controllers/note.js': `
    module.exports = require('@strapi/strapi').factories.createCoreController('api::note.note', () => ({
      create(ctx) { ctx.request.body.data.text = 'by code'; return super.create(ctx); },
    }));`,
  'src/api/note/services/note.js': `
    module.exports = require('@strapi/strapi').factories.createCoreService('api::note.note', () => ({
      findOne(id) { return super.findOne(id); },
    }));`,
  'src/api/note/routes/note.js': `module.exports = require('@strapi/strapi').factories.createCoreRouter('api::note.note', {
    config: { update: { policies: ['global::is-owner'] }, delete: { middlewares: [(ctx) => ctx.forbidden()] } } });`,
  'src/policies/is-owner.js': 'module.exports = () => false;',
  'src/extensions/users-permissions/strapi-server.js': `module.exports = (plugin) => {
    plugin.controllers.user.find = (ctx) => ctx.forbidden();
    return plugin;
  };`,
  'access.json': JSON.stringify({ roles: { public: { permissions: actions } } }),
};
const query = { query: 'mutation { updateNote(id: 1, data: { text: "past the policy" }) { data { id } } }' };

let plain: RunningProject;
let extended: RunningProject;
beforeAll(async () => {
  plain = await openProjectFolder(files);
  extended = await openProjectFolder({ ...files, 'config/plugins.js': 'module.exports = { graphql: true };' });
});
afterAll(async () => {
  await plain.stop();
  await extended.stop();
});

test('the code of a project that does not use GraphQL is not bypassed by it', async () => {
  expect((await plain.send('POST', '/api/notes', { data: { text: 'x' } })).body.data.attributes.text).toBe('by code');
  expect((await plain.send('PUT', '/api/notes/1', { data: { text: 'x' } })).status).toBe(403);
  // As for every unknown path.
  expect((await plain.fetch('/graphql')).status).toBe(404);
  expect((await plain.send('POST', '/graphql', query)).status).toBe(405);
  expect((await plain.send('GET', '/api/notes/1')).body.data.attributes.text).toBe('by code');
  expect(plain.output()).toContain('there is no GraphQL API: @strapi/plugin-graphql is not in the dependencies');
});

test('a start names the code that guards actions over REST only', async () => {
  expect((await extended.send('POST', '/graphql', query)).status).toBe(200);
  const api = 'src/api/note';
  for (const line of [
    `api::note.note.create: GraphQL Mutation.createNote does not run the controller \\"note\\" in ${api}/controllers/note.js`,
    `api::note.note.findOne: GraphQL Query.note does not run the service \\"note\\" in ${api}/services/note.js`,
    `api::note.note.update: GraphQL Mutation.updateNote does not run the policies of PUT /notes/:id in ${api}/routes/note.js`,
    `api::note.note.delete: GraphQL Mutation.deleteNote does not run the middlewares of DELETE /notes/:id in ${api}/routes/note.js`,
    'plugin::users-permissions.user.find: GraphQL Query.usersPermissionsUsers does not run the controller \\"user\\" in src/extensions/users-permissions/strapi-server.js',
  ]) {
    expect(extended.output()).toContain(line);
  }
  expect(extended.output()).not.toContain('GraphQL Query.notes does not run');
});
