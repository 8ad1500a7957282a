import { expect, test } from '@jest/globals';
import { askGraphql } from '../../../support/send-graphql.js';
import { useService } from '../../../support/service.js';

const client = useService({ plugins: { i18n: { config: { locales: ['en', 'fr', 'de'] } } } });
const ask = (query: string) => askGraphql(client, query);

test('createLocalization copies the shared values and creates a draft', async () => {
  const id = await client.create('articles', { title: 'Bread', views: 7 });
  const { data } = await ask(
    `mutation { createArticleLocalization(id: ${id}, locale: "fr", data: { title: "Pain" }) {
      data { attributes { title views locale publishedAt localizations(publicationState: PREVIEW) { data { id } } } } } }`,
  );
  expect(data.createArticleLocalization.data.attributes).toEqual({
    title: 'Pain',
    views: 7,
    locale: 'fr',
    publishedAt: null,
    localizations: { data: [{ id: String(id) }] },
  });
});

test('a localization can refer to the entry that it translates, in both directions', async () => {
  const id = await client.create('categories', { name: 'Tree' });
  const selection = 'id attributes { parent { data { id } } children { data { id } } localizations { data { id } } }';
  const { data } = await ask(
    `mutation { createCategoryLocalization(id: ${id}, locale: "fr", data: { name: "Arbre", parent: ${id}, children: [${id}] }) {
      data { ${selection} } } }`,
  );
  const one = (other: number | string): object => ({ data: { id: String(other) } });
  const many = (other: number | string): object => ({ data: [{ id: String(other) }] });
  const { id: french, attributes } = data.createCategoryLocalization.data;
  expect(attributes).toEqual({ parent: one(id), children: many(id), localizations: many(id) });
  const { data: read } = await ask(`{ category(id: ${id}) { data { ${selection} } } }`);
  expect(read.category.data.attributes).toEqual({
    parent: one(french),
    children: many(french),
    localizations: many(french),
  });
});

test('createLocalization requires the id of an existing entry', async () => {
  await client.create('articles', { title: 'Soup' });
  for (const named of ['', 'id: "nonsense", ', 'id: 999, ']) {
    const mutation = `mutation { createArticleLocalization(${named}locale: "de", data: { title: "x" }) { data { id } } }`;
    expect((await ask(mutation)).errors?.map(({ message }) => message)).toEqual(['Entity not found']);
  }
});

test('relations of a localization are returned only with permission', async () => {
  const id = await client.create('articles', { title: 'Salt', tags: [await client.create('tags', { name: 'T' })] });
  const token = 'localizes-articles-only';
  const permissions = ['api::article.article.createLocalization'];
  await client.service.applyAccess({
    roles: [],
    locales: [],
    tokens: [{ name: token, key: token, type: 'custom', description: undefined, expiresAt: undefined, permissions }],
  });
  const { data, errors } = await askGraphql(
    client,
    `mutation { createArticleLocalization(id: ${id}, locale: "de", data: { title: "Salz" }) {
      data { attributes { title tags { data { id } } } } } }`,
    { token },
  );
  expect(data.createArticleLocalization.data.attributes).toEqual({ title: 'Salz', tags: null });
  expect(errors?.map(({ message }) => message)).toEqual(['Forbidden access']);
});

test('locales can be read but not written', async () => {
  const { data } = await ask('{ i18NLocales(sort: "id") { data { attributes { code } } } }');
  expect(data.i18NLocales.data.map((one: { attributes: { code: string } }) => one.attributes.code)).toEqual([
    'en',
    'fr',
    'de',
  ]);
  expect((await ask('mutation { createI18NLocale(data: { code: "es" }) { data { id } } }')).errors).toHaveLength(1);
});
