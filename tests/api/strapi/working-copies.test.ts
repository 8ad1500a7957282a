import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProjectFolder, type Answered, type RunningProject } from './project-folder.js';

const factory = (name: string, what: string, options = ''): string =>
  `module.exports = require('@strapi/strapi').factories.createCore${what}('api::${name}.${name}'${options});`;

/** A content type with working copies, with the code of a new Strapi project unless some of it is replaced. */
const api = (name: string, code: { controller?: string; service?: string; lifecycles?: string } = {}) => ({
  [`src/api/${name}/content-types/${name}/schema.json`]: JSON.stringify({
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: true, workingCopies: true },
    attributes: { title: { type: 'string', required: true } },
  }),
  [`src/api/${name}/routes/${name}.js`]: factory(name, 'Router'),
  [`src/api/${name}/controllers/${name}.js`]: factory(name, 'Controller', code.controller),
  [`src/api/${name}/services/${name}.js`]: factory(name, 'Service', code.service),
  ...(code.lifecycles && {
    [`src/api/${name}/content-types/${name}/lifecycles.js`]: `module.exports = ${code.lifecycles};`,
  }),
});
const names = ['plain', 'called', 'observed', 'read', 'served'];
const permissions = names.flatMap((name) =>
  ['find', 'findOne', 'create', 'update', 'delete', 'find.drafts'].map((action) => `api::${name}.${name}.${action}`),
);
const files = {
  'package.json': JSON.stringify({ dependencies: { '@strapi/plugin-graphql': '4.26.2' } }),
  ...api('plain'),
  ...api('called', {
    controller: `, () => ({
      async findOne(ctx) { return super.findOne(ctx); },
      async update(ctx) { return super.update(ctx); },
      async delete(ctx) { return super.delete(ctx); },
    })`,
  }),
  ...api('observed', {
    lifecycles: `{ beforeUpdate({ params: { data } }) { if (data.title !== undefined) data.title += '!'; } }`,
  }),
  ...api('read', { lifecycles: `{ afterFindOne({ result }) { if (result) result.title = 'what code shows'; } }` }),
  ...api('served', { service: `, () => ({ async update(id, params) { return super.update(id, params); } })` }),
  'access.json': JSON.stringify({ roles: { public: { permissions } } }),
};

let project: RunningProject;
beforeAll(async () => {
  project = await openProjectFolder(files);
});
afterAll(() => project.stop());

const create = async (name: string): Promise<string> =>
  `/api/${name}s/${(await project.send('POST', `/api/${name}s`, { data: { title: 'Published' } })).body.data.id}`;
const titleOf = async (address: string): Promise<unknown> =>
  (await project.send('GET', address)).body.data?.attributes.title;
const put = (address: string, data: object): Promise<Answered> => project.send('PUT', address, { data });

test.each([
  ['plain', ''],
  ['called', ''],
  ['observed', '!'],
])('entries of the type %s have copies, and its code runs when one is published', async (name, added) => {
  const address = await create(name);
  expect((await put(`${address}?status=draft`, { title: 'Changed' })).body.data.attributes.title).toBe('Changed');
  expect(await titleOf(address)).toBe('Published');
  const preview = await project.fetch(`${address}?status=draft`);
  expect(await preview.clone().json()).toMatchObject({
    data: { attributes: { title: 'Changed' } },
    meta: { changes: { [address.split('/').at(-1) as string]: ['title'] } },
  });
  expect((await put(`${address}?status=published`, {})).status).toBe(200);
  expect(await titleOf(address)).toBe(`Changed${added}`);
  await put(`${address}?status=draft`, { title: 'Again' });
  expect((await project.send('DELETE', `${address}?status=draft`)).status).toBe(200);
  expect(await titleOf(address)).toBe(`Changed${added}`);
});

test.each(['read', 'served'])('code that the type %s has for its entries is not passed by', async (name) => {
  const address = await create(name);
  const shown = await titleOf(address);
  expect((await put(`${address}?status=draft`, { title: 'Changed' })).status).toBe(400);
  if (name === 'read') {
    expect((await project.send('DELETE', `${address}?status=draft`)).status).toBe(400);
    expect((await project.send('GET', `${address}?status=draft`)).status).toBe(400);
  }
  expect(await titleOf(address)).toBe(shown);
});

test('GraphQL saves in copies by the same rules', async () => {
  for (const [name, isSaved] of [
    ['plain', true],
    ['observed', true],
    ['read', false],
  ] as const) {
    const address = await create(name);
    const id = address.split('/').at(-1);
    const field = `${name[0]?.toUpperCase()}${name.slice(1)}`;
    const data = '{ data { attributes { title } } }';
    const shown = await titleOf(address);
    for (const mutation of [
      `update${field}(id: ${id}, status: DRAFT, data: { title: "Changed" }) ${data}`,
      `delete${field}(id: ${id}, status: DRAFT) ${data}`,
    ]) {
      const { body } = await project.send('POST', '/graphql', { query: `mutation { ${mutation} }` });
      expect([mutation, body.errors === undefined]).toEqual([mutation, isSaved]);
      expect(await titleOf(address)).toBe(shown);
    }
  }
});
