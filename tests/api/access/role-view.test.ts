import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { publisher } from '../../support/access.js';
import { useService } from '../../support/service.js';

const article = 'api::article.article';
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'role-view-'));
fs.cpSync(publisher, folder, { recursive: true });
const permissions = [
  { action: `${article}.find`, fields: ['title', 'author', 'company', 'notes'] },
  { action: `${article}.update`, fields: ['-section'] },
  'api::author.author.find',
];
fs.writeFileSync(path.join(folder, 'access.json'), JSON.stringify({ roles: { reader: { permissions } } }));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const client = useService({ contentTypes: folder });
const get = (place: string, token: string | undefined = client.service.token) =>
  request(client.service.url).get(place).auth(token, { type: 'bearer' });

test('the types of a role have what it sees and writes', async () => {
  const { text } = await get('/api/content-type-builder/types?role=reader');
  const declared = text.slice(text.indexOf('export interface Article {'), text.indexOf('export interface Author {'));
  const section = (name: string): readonly string[] =>
    [...(new RegExp(` {2}${name}: {(.*?)};\n {2}\\w`, 's').exec(declared)?.[1] ?? '').matchAll(/^ {4}(\w+)\??:/gm)].map(
      ([, member = '']) => member,
    );
  expect([section('fields'), section('populate')]).toEqual([['title'], ['author', 'notes']]);
  expect(section('input')).toEqual(expect.arrayContaining(['title', 'fee', 'author']));
  expect(section('input')).not.toContain('section');
  expect(text).toContain('articles: Article;');
  expect(text).not.toMatch(/interface (?:Category|Company|Homepage)|: (?:Category|Company|Homepage);/);
  const { status, body } = await get('/api/content-type-builder/types?role=raeder');
  expect([status, body.error.message]).toEqual([400, 'access.json: unknown role "raeder"; did you mean "reader"?']);
});

test('types and the OpenAPI document of a role need the permissions to read types and components', async () => {
  const actions = ['content-types.getContentTypes', 'components.getComponents'].map(
    (name) => `plugin::content-type-builder.${name}`,
  );
  const token = { description: undefined, type: 'custom', expiresAt: undefined } as const;
  const tokens = [actions, actions.slice(0, 1), actions.slice(1)].map((permissions, index) => {
    return { ...token, name: `reader ${index}`, key: `key-of-reader-${index}`, permissions };
  });
  await client.service.applyAccess({ roles: [], locales: [], tokens });
  for (const place of ['/api/content-type-builder/types?role=reader', '/documentation/openapi.json?role=reader']) {
    const answers = await Promise.all(tokens.map(({ key }) => get(place, key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 403]);
  }
});

test('the OpenAPI document of a role has its operations and fields, for callers who may read all schemas', async () => {
  const { body } = await get('/documentation/openapi.json?role=reader');
  expect(Object.keys(body.paths['/articles'])).toEqual(['get']);
  expect(Object.keys(body.paths['/articles/{id}']).toSorted()).toEqual(['parameters', 'put']);
  expect(body.paths).not.toHaveProperty('/categories');
  expect(Object.keys(body.components.schemas.Article.properties)).toEqual(['title', 'author', 'notes']);
  const refused = await request(client.service.url).get('/documentation/openapi.json?role=reader');
  expect(refused.status).toBe(403);
  const all = (await request(client.service.url).get('/documentation/openapi.json')).body;
  expect(all.components.schemas.Article.properties).toHaveProperty('fee');
});
