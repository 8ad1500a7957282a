import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { useService } from '../../support/service.js';

const relation = (kind: string, target: string, other: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...other,
});

/** A Strapi project whose definitions contradict each other in every way that Strapi v4 starts with. */
const types = {
  page: {
    title: { type: 'string' },
    sections: relation('manyToMany', 'section', { inversedBy: 'pages' }),
    cover: relation('oneToOne', 'section', { inversedBy: 'covered' }),
    tag: relation('manyToOne', 'tag'),
  },
  section: {
    title: { type: 'string' },
    pages: relation('manyToMany', 'page', { inversedBy: 'sections' }),
    covered: relation('oneToOne', 'page', { inversedBy: 'cover' }),
  },
  tag: {
    name: { type: 'string' },
    locale: { type: 'string' },
    pages: relation('oneToMany', 'page', { mappedBy: 'label' }),
  },
};

const project = mkdtempSync(path.join(os.tmpdir(), 'strapi-contradictions-'));
for (const [name, attributes] of Object.entries(types)) {
  const folder = path.join(project, 'src', 'api', name, 'content-types', name);
  mkdirSync(folder, { recursive: true });
  const definition = { info: { singularName: name, pluralName: `${name}s`, displayName: name }, attributes };
  writeFileSync(path.join(folder, 'schema.json'), JSON.stringify(definition));
}
afterAll(() => rmSync(project, { recursive: true }));

const client = useService({ contentTypes: project });

test('two attributes with inversedBy are both sides of one relation', async () => {
  const section = await client.create('sections', { title: 'Top' });
  const page = await client.create('pages', { title: 'Home', sections: [section], cover: section });
  const read = await client.get(`/api/sections/${section}?populate=*`);
  expect(read.body.data.attributes).toMatchObject({
    pages: { data: [{ id: page }] },
    covered: { data: { id: page } },
  });
  const other = await client.create('pages', { title: 'Other' });
  await client.put(`/api/sections/${section}`, { pages: [other], covered: other });
  const [first, second] = (await client.get('/api/pages?populate=*&sort=id')).body.data;
  expect(first.attributes).toMatchObject({ sections: { data: [] }, cover: { data: null } });
  expect(second.attributes).toMatchObject({ sections: { data: [{ id: section }] }, cover: { data: { id: section } } });
});

test('a relation whose mappedBy names no attribute is empty: writes change nothing, filters find nothing', async () => {
  const page = await client.create('pages', { title: 'Lonely' });
  const tag = await client.create('tags', { name: 'One', locale: 'free text', pages: [page] });
  const { body } = await client.get(`/api/tags/${tag}?populate=*`);
  expect(body.data.attributes).toMatchObject({ locale: 'free text', pages: { data: [] } });
  expect((await client.put(`/api/tags/${tag}`, { pages: [page] })).status).toBe(200);
  expect((await client.get(`/api/tags?filters[pages][id]=${page}`)).body.data).toEqual([]);
  expect((await client.get('/api/tags?sort=pages.title')).body.data).toHaveLength(1);
  expect((await client.put(`/api/tags/${tag}`, { pages: [page + 1000] })).status).toBe(400);
});
