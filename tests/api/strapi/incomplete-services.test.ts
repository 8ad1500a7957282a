import { expect, test } from '@jest/globals';
import { apiFiles, useProjects } from './project-folder.js';

const actions = ['find', 'findOne', 'create', 'update', 'delete'];
const attributes = { title: { type: 'string' } };
const withoutService = (name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(apiFiles(name, attributes)).filter(([file]) => !file.includes('/services/')));

const run = useProjects({
  ...withoutService('note'),
  ...withoutService('memo'),
  'src/api/memo/services/memo.js': 'module.exports = () => ({ count: () => 3, find: undefined });',
  'src/api/memo/content-types/memo/lifecycles.js': 'module.exports = { beforeCreate() {}, beforeFindMany() {} };',
  ...withoutService('front'),
  'src/api/front/content-types/front/schema.json': JSON.stringify({
    kind: 'singleType',
    collectionName: 'fronts',
    info: { singularName: 'front', pluralName: 'fronts', displayName: 'front' },
    options: { draftAndPublish: false },
    attributes,
  }),
  'access.json': JSON.stringify({
    roles: {
      public: {
        permissions: [
          ...['note', 'memo'].flatMap((name) => actions.map((action) => `api::${name}.${name}.${action}`)),
          ...['find', 'update'].map((action) => `api::front.front.${action}`),
        ],
      },
    },
  }),
});

test.each(['4.26.2', '5.54.0'])(
  'of Strapi %s, core actions whose service lacks their methods are those of the core',
  async (version) => {
    const project = await run({ 'package.json': JSON.stringify({ dependencies: { '@strapi/strapi': version } }) });
    const titled = (title: string): unknown =>
      version.startsWith('4') ? { attributes: { title } } : { documentId: expect.any(String), title };
    for (const name of ['note', 'memo']) {
      const created = await project.send('POST', `/api/${name}s`, { data: { title: 'One' } });
      expect(created.body).toMatchObject({ data: titled('One') });
      const place = `/api/${name}s/${created.body.data.documentId ?? created.body.data.id}`;
      expect(await project.send('GET', `/api/${name}s`)).toMatchObject({
        status: 200,
        body: { data: [titled('One')] },
      });
      expect(await project.send('GET', place)).toMatchObject({ status: 200, body: { data: titled('One') } });
      expect(await project.send('PUT', place, { data: { title: 'Two' } })).toMatchObject({
        status: 200,
        body: { data: titled('Two') },
      });
      expect((await project.send('DELETE', place)).status).toBe(version.startsWith('4') ? 200 : 204);
      expect(await project.send('GET', `/api/${name}s`)).toMatchObject({ status: 200, body: { data: [] } });
    }
    expect(await project.send('PUT', '/api/front', { data: { title: 'Home' } })).toMatchObject({ status: 200 });
    expect(await project.send('GET', '/api/front')).toMatchObject({ status: 200, body: { data: titled('Home') } });
  },
);
