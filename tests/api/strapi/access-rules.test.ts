import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProjectFolder, type RunningProject } from './project-folder.js';
import { minutes } from '../../support/scaled.js';

const [note, folder] = ['api::note.note', 'api::folder.folder'];
const core = (kind: string, name: string, configuration = ''): string =>
  `module.exports = require('@strapi/strapi').factories.createCore${kind}('api::${name}.${name}'${configuration});`;
const type = (name: string, attributes: object): Readonly<Record<string, string>> => ({
  [`src/api/${name}/content-types/${name}/schema.json`]: JSON.stringify({
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes,
  }),
  [`src/api/${name}/controllers/${name}.js`]: core('Controller', name),
  [`src/api/${name}/services/${name}.js`]: core('Service', name),
  [`src/api/${name}/routes/${name}.js`]: core('Router', name, ', { config: { find: { policies: [() => true] } } }'),
});
const own = { text: 'open' };
const permissions = [
  { action: `${note}.find`, where: own, fields: ['-secret'] },
  { action: `${note}.findOne`, where: own, fields: ['-secret'] },
  { action: `${note}.update`, where: own },
  `${folder}.find`,
];
const files = {
  'package.json': JSON.stringify({ dependencies: { '@strapi/plugin-graphql': '4.26.2' } }),
  ...type('note', {
    text: { type: 'string' },
    secret: { type: 'string' },
    folder: { type: 'relation', relation: 'manyToOne', target: folder, inversedBy: 'notes' },
  }),
  ...type('folder', { notes: { type: 'relation', relation: 'oneToMany', target: note, mappedBy: 'folder' } }),
  // Project code observes the events of all content types, and writes with all permissions.
  'src/index.js': `module.exports = { async bootstrap({ strapi }) {
    strapi.db.lifecycles.subscribe({
      beforeFindMany() {},
      beforeUpdate({ params }) { params.data.secret = 'by code'; },
    });
    const { id } = await strapi.entityService.create('${folder}', { data: {} });
    for (const text of ['open', 'shut'])
      await strapi.entityService.create('${note}', { data: { text, secret: 'secret', folder: id } });
  } };`,
  'access.json': JSON.stringify({ roles: { public: { permissions } } }),
};

let running: RunningProject;
beforeAll(async () => {
  running = await openProjectFolder(files);
});
afterAll(async () => running.stop());

test('core controllers of a project with code follow the rules', async () => {
  const get = async (place: string) => (await running.send('GET', place)).body;
  const visible = { text: 'open' };
  const listed = await get('/api/notes');
  expect([listed.data.length, listed.data[0].attributes, listed.meta.pagination.total]).toMatchObject([1, visible, 1]);
  expect(JSON.stringify(listed)).not.toContain('secret');
  expect((await get('/api/notes/2')).error.status).toBe(404);
  expect((await get('/api/folders?populate=notes')).data[0].attributes.notes.data).toMatchObject([
    { attributes: visible },
  ]);
  expect((await get('/api/notes?filters[secret]=secret')).error.status).toBe(400);
  expect((await get('/api/folders?filters[notes][text]=shut')).data).toEqual([]);
  const put = async (id: number) => (await running.send('PUT', `/api/notes/${id}`, { data: { text: 'open' } })).status;
  expect([await put(1), await put(2)]).toEqual([200, 404]);
});

test('the GraphQL API of a project with code follows the rules', async () => {
  const query = `{ notes { data { attributes { text secret } } meta { pagination { total } } }
    folders { data { attributes { notes { data { id } } } } } note(id: 2) { data { id } } }`;
  const { body } = await running.send('POST', '/graphql', { query });
  expect(body.data).toEqual({
    notes: { data: [{ attributes: { text: 'open', secret: null } }], meta: { pagination: { total: 1 } } },
    folders: { data: [{ attributes: { notes: { data: [{ id: '1' }] } } }] },
    note: { data: null },
  });
});

// It starts a project in a process.
test(
  'a project whose code answers what a rule limits does not start',
  async () => {
    const overridden = core('Controller', 'folder', `, { find() { return {}; } }`);
    const starting = openProjectFolder({ ...files, 'src/api/folder/controllers/folder.js': overridden });
    await expect(starting).rejects.toThrow(
      `roles.public: src/api/folder: the controller or the service "folder" answers ${folder}.find with all permissions`,
    );
  },
  minutes(2),
);
