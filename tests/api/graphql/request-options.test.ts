import { beforeAll, expect, test } from '@jest/globals';
import { declare, keyOf } from '../../support/access.js';
import { askGraphql } from '../../support/send-graphql.js';
import { useService } from '../../support/service.js';

const client = useService({
  plugins: { graphql: { config: { requestOptions: true } }, i18n: { config: { locales: ['en', 'fr'] } } },
});
const ask = (query: string, token?: string) => askGraphql(client, query, token === undefined ? {} : { token });

let author: number;
beforeAll(async () => {
  author = await client.create('authors', { name: 'Ada', email: 'ada@example.org' });
  const english = await client.create('articles', { title: 'bread', slug: 'bread', code: 'one' });
  const french = { title: 'pain', slug: 'pain', locale: 'fr', localizations: [english] };
  await client.service.entries.create('api::article.article', { ...french, publishedAt: new Date().toISOString() });
  await client.create('articles', { title: 'salt', slug: 'salt' });
});

test('an entry is found by a unique value', async () => {
  const read = async (args: string) => {
    const { data, errors } = await ask(`{ article(${args}) { data { attributes { title } } } }`);
    return errors?.[0]?.message ?? data.article.data?.attributes.title;
  };
  expect(await read('by: { slug: "bread" }')).toBe('bread');
  expect(await read('by: { code: "one" }')).toBe('bread');
  expect(await read('by: { slug: "pain" }')).toBeUndefined();
  expect(await read('by: { slug: "pain" }, locale: "fr"')).toBe('pain');
  expect(await read('by: { slug: "bread" }, locale: "fr", fallbackLocale: ["en"]')).toBe('pain');
  expect(await read('by: { slug: "salt" }, locale: "fr", fallbackLocale: ["en"]')).toBe('salt');
  for (const args of ['by: {}', 'by: { slug: "a", code: "b" }', 'id: 1, by: { slug: "a" }', 'by: { slug: null }'])
    expect(await read(args)).toBe('An entry has to be named by its id or by one unique value');
});

test('it needs the permission to read one entry', async () => {
  await declare(client.service, {}, { lister: ['api::article.article.find'] });
  const { errors } = await ask('{ article(by: { slug: "bread" }) { data { id } } }', keyOf('lister'));
  expect(errors?.[0]?.message).toBe('Forbidden access');
});

test('lists and entries are in the first of several locales', async () => {
  const list = await ask(
    '{ articles(locale: "fr", fallbackLocale: ["en"], sort: "title") { data { attributes { title } } meta { pagination { total } } } }',
  );
  expect(list.data.articles).toEqual({
    data: [{ attributes: { title: 'pain' } }, { attributes: { title: 'salt' } }],
    meta: { pagination: { total: 2 } },
  });
  const one = await ask('{ article(id: 1, locale: "fr", fallbackLocale: ["en"]) { data { attributes { title } } } }');
  expect(one.data.article.data.attributes.title).toBe('pain');
});

test('a dry run of a mutation stores nothing', async () => {
  const created = await ask(
    'mutation { createAuthor(data: { name: "Eve" }, dryRun: true) { data { id attributes { name } } } }',
  );
  expect(created.data.createAuthor.data).toEqual({ id: null, attributes: { name: 'Eve' } });
  const changed = await ask(
    `mutation { updateAuthor(id: ${author}, data: { name: "Eve" }, dryRun: true) { data { attributes { name } } } }`,
  );
  expect(changed.data.updateAuthor.data.attributes.name).toBe('Eve');
  const refused = await ask(
    'mutation { createAuthor(data: { name: "Eve", email: "ada@example.org" }, dryRun: true) { data { id } } }',
  );
  expect(refused.errors?.[0]?.message).toBe('This attribute must be unique');
  await ask(`mutation { deleteAuthor(id: ${author}, dryRun: true) { data { id } } }`);
  const { body } = await client.get('/api/authors');
  expect(body.data).toMatchObject([{ id: author, attributes: { name: 'Ada' } }]);
});

test('types of plugins keep their arguments', async () => {
  const { data } = await ask('{ __type(name: "Mutation") { fields { name args { name } } } }');
  const argumentsOf = (field: string): readonly string[] =>
    data.__type.fields
      .find(({ name }: { readonly name: string }) => name === field)
      .args.map(({ name }: { readonly name: string }) => name);
  expect(argumentsOf('createAuthor')).toEqual(['data', 'dryRun']);
  expect(argumentsOf('createUsersPermissionsUser')).toEqual(['data']);
});
