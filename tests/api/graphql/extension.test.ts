import { beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import type { Extension } from '../../../src/plugins/contract/extension.js';
import { createTestService } from '../../../src/testing.js';
import { commandsOf, monitoredUri } from '../../support/commands.js';
import { corpus, useService } from '../../support/service.js';

/**
 * Every call that Strapi v4's documentation of GraphQL shows, with examples of our own; they are those of
 * docs/graphql.md.
 */
const calls: string[] = [];

const onlyShown = { filters: { slug: { ne: 'guarded' } } };

const extension: Extension = {
  policies: {
    'has-title': ({ args }, config) => String(args.title ?? config?.instead ?? '') !== '',
  },
  middlewares: {
    note: (options) => (next, parent, args, context, info) => {
      calls.push(`${options?.as ?? 'note'} ${info.fieldName}`);
      return next(parent, args, context, info);
    },
  },
  register: ({ strapi }) => {
    const service = strapi.plugin('graphql').service('extension');
    service.shadowCRUD('api::bookmark.bookmark').disable();
    service.shadowCRUD('api::page.page').disableQueries();
    service.shadowCRUD('api::section.section').disableMutations();
    service.shadowCRUD('api::tag.tag').disableAction('delete');
    service.shadowCRUD('api::comment.comment').disableActions(['create', 'update', 'delete']);
    service.shadowCRUD('api::product.product').field('price').disable();
    service.shadowCRUD('api::product.product').field('sku').disableOutput();
    service.shadowCRUD('api::product.product').field('serial').disableInput();
    service.shadowCRUD('api::product.product').field('name').disableFilters();

    service.use({
      typeDefs: `
        type Weather { city: String, degrees: Float }
        type Query {
          weather(city: String!): Weather
          secretWeather: Weather
          memberWeather: Weather
          asker: JSON
          article(slug: String): ArticleEntityResponse
          writer(how: String!): AuthorEntityResponse
          response(how: String!): AuthorEntityResponse
          responses(how: String!): AuthorEntityResponseCollection
        }
        type Mutation { rename(id: ID!, title: String): ArticleEntityResponse }
        type Article { words: Int }
        type Tag { shout: String }
      `,
      resolvers: {
        Query: {
          weather: { resolve: (_parent: unknown, { city }: { city: string }) => ({ city, degrees: 21.5 }) },
          secretWeather: () => ({ city: 'Ys', degrees: 12 }),
          asker: (_parent, _args, { state: { user, auth } }) => {
            const { strategy, credentials, ability } = auth;
            // Changes by project code last only for the request.
            const snapshot = structuredClone({ user, strategy, credentials, may: ability.can('api::tag.tag.find') });
            Object.assign(user ?? {}, { username: 'changed' });
            return snapshot;
          },
          // Each way to read an entry with its relations, drafts included.
          writer: async (_parent, { how }: { how: string }) => {
            const populate: Record<string, unknown> = {
              everything: '*',
              names: ['articles', 'address'],
              fields: { articles: { fields: ['title'] }, address: true },
              filters: { articles: { filters: { slug: 'none' } } },
            };
            const { toEntityResponse } = strapi.plugin('graphql').service('format').returnTypes;
            const found = await strapi.entityService.findOne('api::author.author', 1, { populate: populate[how] });
            return toEntityResponse(how === 'unsaved' ? { ...found, id: undefined, articles: [] } : found);
          },
          // The forms that resolvers write out, and what the services return for nothing.
          response: async (_parent, { how }: { how: string }) => {
            const { toEntityResponse } = strapi.plugin('graphql').service('format').returnTypes;
            const value = await strapi.entityService.findOne('api::author.author', 1);
            const resourceUID = 'api::author.author';
            const forms: Record<string, object> = {
              service: toEntityResponse(value, { resourceUID }),
              written: { value, info: { args: {}, resourceUID } },
              bare: { value },
              null: toEntityResponse(null),
              undefined: toEntityResponse(undefined),
            };
            return forms[how];
          },
          responses: async (_parent, { how }: { how: string }) => {
            const { toEntityResponseCollection } = strapi.plugin('graphql').service('format').returnTypes;
            const resourceUID = 'api::author.author';
            const args = { start: 0, limit: 1 };
            const nodes = await strapi.entityService.findMany(resourceUID, { pagination: args });
            const forms: Record<string, object> = {
              service: toEntityResponseCollection(nodes, { args, resourceUID }),
              written: { nodes, info: { args, resourceUID } },
              bare: { nodes },
              all: toEntityResponseCollection(nodes, { args: { start: 0, limit: -1 }, resourceUID }),
              null: toEntityResponseCollection(null),
              'null of a type': toEntityResponseCollection(null, { args, resourceUID }),
            };
            return forms[how];
          },
          memberWeather: (_parent, _args, { state }) => ({ city: `user ${state.user?.id}`, degrees: 1 }),
        },
        Article: { words: ({ title, id }: { title: string; id: number }) => title.split(' ').length + 100 * id },
        Tag: { name: ({ name }: { name: string }) => name.toUpperCase() },
      },
      resolversConfig: {
        'Query.weather': { auth: false },
        'Query.asker': { auth: false },
        'Query.response': { auth: { scope: 'api::author.author.find' } },
        'Query.responses': { auth: { scope: 'api::author.author.find' } },
        'Query.writer': { auth: { scope: 'api::author.author.find' } },
        'Query.secretWeather': { auth: { scope: ['api::article.article.delete'] } },
        'Mutation.rename': { auth: { scope: 'api::article.article.update' }, policies: ['has-title'] },
      },
    });

    service.use(({ strapi: application, app }) => ({
      resolvers: {
        Query: {
          article: {
            resolve: async (_parent: unknown, { id, slug }: { id?: string; slug?: string }) => {
              const { toEntityResponse } = app.plugin('graphql').service('format').returnTypes;
              const filters = id === undefined ? { slug } : { id };
              const params = { filters, populate: ['author', 'links'] };
              const { results } = await application.service('api::article.article').find(params);
              return toEntityResponse(results[0], { resourceUID: 'api::article.article' });
            },
          },
        },
        Mutation: {
          rename: async (_parent: unknown, { id, title }: { id: string; title: string }) => {
            const { toEntityResponse } = strapi.plugin('graphql').service('format').returnTypes;
            return toEntityResponse(await strapi.entityService.update('api::article.article', id, { data: { title } }));
          },
        },
        Tag: { shout: ({ name }: { name: string }) => `${name}!` },
      },
      resolversConfig: {
        'Query.articles': {
          middlewares: [
            'note',
            { name: 'note', options: { as: 'second' } },
            async (next, parent, args, context, info) => {
              calls.push('inline');
              return next(parent, args, context, info);
            },
          ],
          policies: [({ args }, _config, { strapi: received }) => args.locale !== 'de' && received === application],
        },
        'Article.summary': { policies: [({ parent }) => parent.slug !== 'hidden'] },
        'Article.author': { policies: [({ parent }) => parent.slug !== 'guarded'] },
        'Article.links': { policies: [({ parent }) => parent.slug !== 'guarded'] },
        'Author.articles': {
          middlewares: [(next, parent, args, context, info) => next(parent, { ...args, ...onlyShown }, context, info)],
        },
        'Query.tags': { auth: false, policies: [{ name: 'has-title', config: { instead: 'x' } }] },
        'Query.authors': {
          auth: { scope: ['api::author.author.find'] },
          middlewares: [
            async (next, parent, args, context, info) => {
              const named = (name: string) => next(parent, { ...args, filters: { name: { eq: name } } }, context, info);
              const answers = (await Promise.all(['Ann', 'Nobody', 'Ann'].map(named))) as { nodes: object[] }[];
              return { ...answers[0], nodes: answers.flatMap(({ nodes }) => nodes) };
            },
          ],
        },
      },
    }));

    service.use(({ nexus }) => ({
      types: [
        nexus.objectType({
          name: 'Book',
          definition: (t) => {
            t.nonNull.string('title');
            t.field('article', { type: 'ArticleEntityResponse', resolve: () => ({ value: null }) });
          },
        }),
        nexus.extendType({
          type: 'Query',
          definition: (t) => {
            t.field('book', { type: 'Book', resolve: () => ({ title: 'Nexus' }) });
            const { PaginationArg, SortArg, PublicationStateArg } = strapi.plugin('graphql').service('internals').args;
            t.string('shelf', {
              args: { pagination: PaginationArg, sort: SortArg, publicationState: PublicationStateArg },
              resolve: (_parent, args) => {
                const { transformArgs } = strapi.plugin('graphql').service('builders').utils;
                return JSON.stringify([args, transformArgs(args, { contentType: { uid: 'api::tag.tag' } })]);
              },
            });
          },
        }),
      ],
      plugins: [
        nexus.plugin({
          name: 'Watch',
          onAfterBuild: (schema) => void calls.push(`built ${schema.getType('Book')?.name}`),
        }),
      ],
      resolversConfig: { 'Query.book': { auth: false }, 'Query.shelf': { auth: false } },
    }));
  },
};

const client = useService({ extension });

const ask = async (query: string, token?: string) => {
  const sending = request(client.service.url).post('/graphql').send({ query });
  return (await (token === undefined ? sending : sending.auth(token, { type: 'bearer' }))).body;
};
const asOwner = (query: string) => ask(query, client.service.token);
const forbidden = { message: 'Forbidden access', extensions: expect.objectContaining({ code: 'FORBIDDEN' }) };

let article = 0;
let jwt = '';
beforeAll(async () => {
  const author = await client.create('authors', { name: 'Ann', address: { city: 'Ys' } });
  const tag = await client.create('tags', { name: 'Alpha' });
  article = await client.create('articles', {
    title: 'Two words',
    slug: 'two-words',
    summary: 'short',
    author,
    tags: [tag],
    links: [{ label: 'l', url: 'https://example.test' }],
    blocks: [{ __component: 'blocks.text', content: 'c' }],
  });
  const user = '{ username: "ida", email: "ida@example.test", password: "ida-bakes" }';
  jwt = (await ask(`mutation { register(input: ${user}) { jwt } }`)).data.register.jwt;
});

describe('shadowCRUD', () => {
  const fieldsOf = async (type: string): Promise<readonly string[]> => {
    const { data } = await asOwner(`{ __type(name: "${type}") { fields { name } inputFields { name } } }`);
    const { fields, inputFields } = data.__type ?? { fields: [], inputFields: [] };
    return (fields ?? inputFields).map(({ name }: { name: string }) => name);
  };

  test('disable removes a type', async () => {
    expect(await fieldsOf('Bookmark')).toEqual([]);
    expect(await fieldsOf('Query')).not.toContain('bookmarks');
  });

  test('disableQueries, disableMutations, disableAction and disableActions remove root fields', async () => {
    const [queries, mutations] = [await fieldsOf('Query'), await fieldsOf('Mutation')];
    expect(queries).not.toContain('pages');
    expect(mutations).toContain('createPage');
    expect(queries).toContain('sections');
    expect(mutations).not.toContain('createSection');
    expect(mutations).toContain('createTag');
    expect(mutations).not.toContain('deleteTag');
    expect(mutations.filter((name) => name.endsWith('Comment'))).toEqual([]);
  });

  test('field removes an attribute from output, input or filters', async () => {
    const [output, input, filters] = await Promise.all(
      ['Product', 'ProductInput', 'ProductFiltersInput'].map(fieldsOf),
    );
    for (const names of [output, input, filters]) expect(names).not.toContain('price');
    expect([output, input, filters].map((names) => names?.includes('sku'))).toEqual([false, true, true]);
    expect([output, input, filters].map((names) => names?.includes('serial'))).toEqual([true, false, true]);
    expect([output, input, filters].map((names) => names?.includes('name'))).toEqual([true, true, false]);
  });

  test('has getters that report enabled parts', async () => {
    const observed: Record<string, unknown> = {};
    const service = await createTestService({
      contentTypes: corpus,
      mongodbUri: monitoredUri(),
      extension: {
        register: ({ strapi }) => {
          const tags = strapi.plugin('graphql').service('extension').shadowCRUD('api::tag.tag');
          const look = (): readonly boolean[] => [
            tags.isEnabled(),
            tags.isDisabled(),
            tags.areQueriesEnabled(),
            tags.areQueriesDisabled(),
            tags.areMutationsEnabled(),
            tags.areMutationsDisabled(),
            tags.isActionEnabled('find'),
            tags.isActionDisabled('find'),
          ];
          observed['before'] = look();
          tags.disable().disableQueries().disableMutations().disableAction('*');
          observed['after'] = look();
          const name = tags.field('name');
          const lookAtField = (): readonly boolean[] => [
            name.isEnabled(),
            name.hasInputEnabled(),
            name.hasOutputEnabled(),
            name.hasFiltersEnabled(),
          ];
          observed['field'] = lookAtField();
          name.disableInput();
          observed['input'] = lookAtField();
          name.disable();
          observed['none'] = lookAtField();
        },
      },
    });
    await service.close();
    expect(observed).toEqual({
      before: [true, false, true, false, true, false, true, false],
      after: [false, true, false, true, false, true, false, true],
      field: [true, true, true, true],
      input: [true, false, true, true],
      none: [false, false, false, false],
    });
  });
});

describe('use', () => {
  test('adds types and fields in SDL, with resolvers as functions or objects', async () => {
    expect(await ask('{ weather(city: "Ys") { city degrees } }')).toEqual({
      data: { weather: { city: 'Ys', degrees: 21.5 } },
    });
  });

  test('adds fields to entry types, whose resolvers get all values and the id', async () => {
    const { data } = await asOwner(
      `{ articles { data { attributes { words tags { data { attributes { shout } } } } } } }`,
    );
    const [found] = data.articles.data;
    expect(found.attributes.words).toBe(2 + 100 * article);
    expect(found.attributes.tags.data).toEqual([{ attributes: { shout: 'Alpha!' } }]);
  });

  test('replaces generated resolvers, also of nested fields', async () => {
    const { data } = await asOwner('{ tags { data { attributes { name } } } }');
    expect(data.tags.data).toEqual([{ attributes: { name: 'ALPHA' } }]);
  });

  test('accepts resolvers that return plain entries with relations', async () => {
    const query = `{ article(slug: "two-words") { data { id attributes {
      title links { label } blocks { __typename ... on ComponentBlocksText { content } }
      author { data { attributes { name } } } who: author { data { id } } tags { data { id } } } } } }`;
    const { data, errors } = await asOwner(query);
    expect(errors).toBeUndefined();
    expect(data.article.data).toEqual({
      id: String(article),
      attributes: {
        title: 'Two words',
        links: [{ label: 'l' }],
        blocks: [{ __typename: 'ComponentBlocksText', content: 'c' }],
        author: { data: { attributes: { name: 'Ann' } } },
        who: { data: { id: '1' } },
        tags: { data: [{ id: '1' }] },
      },
    });
    expect((await asOwner(`{ article(id: ${article}) { data { id } } }`)).data.article.data.id).toBe(String(article));
  });

  test.each(['everything', 'names', 'fields', 'filters', 'nothing'])(
    'reads relations and components by the arguments of their fields, whatever resolvers populated: %s',
    async (how) => {
      const draft = await client.create('articles', { title: 'A draft', slug: 'draft', author: 1, publishedAt: null });
      const list = (args: string) => `articles${args} { data { attributes { slug } } }`;
      const { data, errors } = await asOwner(`{ writer(how: "${how}") { data { attributes {
        name address { city } ${list('')} every: ${list('(publicationState: PREVIEW, sort: "id:desc")')}
        one: ${list('(publicationState: PREVIEW, pagination: { limit: 1 })')}
      } } } }`);
      await client.delete(`/api/articles/${draft}`);
      expect(errors).toBeUndefined();
      const named = (...slugs: readonly string[]) => ({ data: slugs.map((slug) => ({ attributes: { slug } })) });
      expect(data.writer.data.attributes).toEqual({
        name: 'Ann',
        address: { city: 'Ys' },
        articles: named('two-words'),
        every: named('draft', 'two-words'),
        one: named('two-words'),
      });
    },
  );

  test.each([
    ['service', { id: '1', attributes: { name: 'Ann' } }],
    ['written', { id: '1', attributes: { name: 'Ann' } }],
    ['bare', { id: '1', attributes: { name: 'Ann' } }],
    ['null', null],
    ['undefined', null],
  ])('accepts each form of a response: %s', async (how, data) => {
    const answer = await asOwner(`{ response(how: "${how}") { data { id attributes { name } } } }`);
    expect(answer).toEqual({ data: { response: { data } } });
  });

  test.each([
    ['service', 1, { total: 2, page: 1, pageSize: 1, pageCount: 2 }],
    ['written', 1, { total: 2, page: 1, pageSize: 1, pageCount: 2 }],
    ['bare', 1, { total: 1, page: 1, pageSize: 1, pageCount: 1 }],
    ['all', 1, { total: 2, page: 1, pageSize: 2, pageCount: 1 }],
    ['null', 0, { total: 0, page: 1, pageSize: 0, pageCount: 1 }],
    ['null of a type', 0, { total: 2, page: 1, pageSize: 1, pageCount: 2 }],
  ])('accepts each form of a response with several entries: %s', async (how, length, pagination) => {
    const bob = await client.create('authors', { name: 'Bob' });
    const { data, errors } = await asOwner(
      `{ responses(how: "${how}") { data { attributes { name } } meta { pagination { total page pageSize pageCount } } } }`,
    );
    await client.delete(`/api/authors/${bob}`);
    expect(errors).toBeUndefined();
    expect(data.responses).toEqual({ data: [{ attributes: { name: 'Ann' } }].slice(0, length), meta: { pagination } });
  });

  test('accepts entries without an id with what they bring', async () => {
    const { data } = await asOwner(
      '{ writer(how: "unsaved") { data { id attributes { name articles { data { id } } } } } }',
    );
    expect(data.writer.data).toEqual({ id: null, attributes: { name: 'Ann', articles: { data: [] } } });
  });

  test('reads relations that resolvers did not return with one command per field', async () => {
    const query = (field: string) => `{ article(slug: "two-words") { data { attributes { ${field} } } } }`;
    const read = async (field: string) => (await commandsOf(client.service, () => asOwner(query(field)))).length;
    const tags = 'tags(filters: { name: { eq: "Alpha" } }) { data { id attributes { shout } } }';
    const { data } = await asOwner(query(`${tags} none: tags(filters: { name: { eq: "x" } }) { data { id } }`));
    expect(data.article.data.attributes).toEqual({
      tags: { data: [{ id: '1', attributes: { shout: 'Alpha!' } }] },
      none: { data: [] },
    });
    expect((await read(tags)) - (await read('title'))).toBe(1);
    expect((await asOwner(query('tags(filters: { name: { eq: 1 } }) { data { id } }'))).errors).toHaveLength(1);
  });

  test('accepts types and plugins of nexus, which can refer to generated types', async () => {
    expect(await ask('{ book { title article { data { id } } } }')).toEqual({
      data: { book: { title: 'Nexus', article: { data: null } } },
    });
    expect(calls).toContain('built Book');
  });

  test('nexus fields accept the arguments of generated fields', async () => {
    const { data } = await ask('{ shelf(pagination: { page: 2 }, publicationState: PREVIEW) none: shelf }');
    expect(JSON.parse(data.shelf)).toMatchObject([{ pagination: { page: 2 } }, { publicationState: 'preview' }]);
    expect(JSON.parse(data.none)).toMatchObject([
      { pagination: {}, sort: [] },
      { sort: [], publicationState: 'live' },
    ]);
  });
});

describe('resolversConfig', () => {
  test('auth: false makes a field public, a scope requires a permission, and without either a caller must be authenticated', async () => {
    expect((await ask('{ tags { data { id } } }')).data.tags.data).toHaveLength(1);
    expect((await ask('{ secretWeather { city } }', jwt)).errors).toEqual([forbidden]);
    expect((await asOwner('{ secretWeather { city } }')).data.secretWeather.city).toBe('Ys');
    expect((await ask('{ memberWeather { city } }')).errors).toEqual([forbidden]);
    expect((await ask('{ memberWeather { city } }', jwt)).data.memberWeather.city).toBe('user 1');
  });

  test('policies and resolvers receive the caller without secrets', async () => {
    const { data } = await ask('{ first: asker second: asker }', jwt);
    const role = expect.objectContaining({ name: 'Authenticated', type: 'authenticated' });
    const ida = { id: 1, username: 'ida', email: 'ida@example.test', provider: 'local', blocked: false, role };
    expect(data.first.user).toMatchObject(ida);
    expect(data.first.user).toEqual(data.first.credentials);
    expect((await ask('{ asker }', jwt)).data.asker.user.username).toBe('ida');
    const expectedNames = [
      'blocked',
      'confirmed',
      'createdAt',
      'email',
      'id',
      'provider',
      'role',
      'updatedAt',
      'username',
    ];
    expect(Object.keys(data.first.user).toSorted()).toEqual(expectedNames);
    expect(data.first).toMatchObject({ strategy: { name: 'users-permissions' }, may: false });
    expect((await ask('{ asker }')).data.asker).toEqual({
      strategy: { name: 'users-permissions' },
      credentials: null,
      may: false,
    });
    const token = (await asOwner('{ asker }')).data.asker;
    expect(token).toMatchObject({ strategy: { name: 'api-token' }, credentials: { type: 'full-access' }, may: true });
    expect(JSON.stringify(token)).not.toMatch(/accessKey|password/i);
  });

  test('a generated field keeps its permission when a project replaces or configures it', async () => {
    const before = calls.length;
    expect((await ask('{ articles { data { id } } }')).errors).toEqual([forbidden]);
    expect((await ask('{ article(slug: "two-words") { data { id } } }')).errors).toEqual([forbidden]);
    expect((await ask('{ authors { data { id } } }')).errors).toEqual([forbidden]);
    expect(calls).toHaveLength(before);
  });

  test('middlewares run in order before policies; both can be functions or names', async () => {
    calls.length = 0;
    expect((await asOwner('{ articles { data { id } } }')).data.articles.data).toHaveLength(1);
    expect(calls).toEqual(['note articles', 'second articles', 'inline']);
    const refused = await asOwner('{ articles(locale: "de") { data { id } } }');
    expect(refused.errors[0]).toMatchObject({
      message: 'Policy Failed',
      extensions: { code: 'FORBIDDEN', error: { name: 'PolicyError' } },
    });
  });

  test('applies to mutations', async () => {
    const rename = (title: string) =>
      asOwner(`mutation { rename(id: ${article}, title: "${title}") { data { id attributes { title } } } }`);
    expect((await rename('')).errors[0].message).toBe('Policy Failed');
    expect((await rename('Two words')).data.rename.data.attributes.title).toBe('Two words');
    expect((await ask(`mutation { rename(id: ${article}, title: "x") { data { id } } }`, jwt)).errors).toEqual([
      forbidden,
    ]);
  });

  test('applies to nested fields', async () => {
    await client.create('articles', { title: 'Hidden', slug: 'hidden', summary: 'secret' });
    const { data, errors } = await asOwner('{ articles(sort: "id") { data { attributes { summary } } } }');
    expect(data.articles.data).toEqual([{ attributes: { summary: 'short' } }, { attributes: { summary: null } }]);
    expect(errors.map(({ message }: Error) => message)).toEqual(['Policy Failed']);
  });

  test('data of a nested field is read after its policies, once for all entries', async () => {
    const guardedArticle = await client.create('articles', { title: 'Guarded', slug: 'guarded', author: 1 });
    const query = (filters: string, fields: string) =>
      `{ articles(sort: "id", filters: ${filters}) { data { attributes { ${fields} } } } }`;
    const guarded = 'slug author { data { attributes { name } } } links(sort: "id") { label }';
    const all = await asOwner(query(`{ id: { in: [${article}, ${guardedArticle}] } }`, guarded));
    expect(all.data.articles.data.map((entry: { attributes: object }) => entry.attributes)).toEqual([
      { slug: 'two-words', author: { data: { attributes: { name: 'Ann' } } }, links: [{ label: 'l' }] },
      { slug: 'guarded', author: null, links: null },
    ]);
    expect(all.errors).toHaveLength(2);
    const count = async (...parts: Parameters<typeof query>) =>
      (await commandsOf(client.service, () => asOwner(query(...parts)))).length;
    const plain = await count('{ slug: { eq: "guarded" } }', 'slug');
    expect(await count('{ slug: { eq: "guarded" } }', guarded)).toBe(plain);
    expect(await count('{ slug: { ne: "nothing" } }', guarded)).toBe(plain + 2);
  });

  test('a middleware can call next several times', async () => {
    const { data } = await asOwner('{ authors { data { attributes { name } } } }');
    expect(data.authors.data).toEqual([{ attributes: { name: 'Ann' } }, { attributes: { name: 'Ann' } }]);
  });

  test('a middleware of a nested field can change its arguments', async () => {
    const { data } = await asOwner('{ authors { data { attributes { articles { data { attributes { slug } } } } } } }');
    expect(data.authors.data[0].attributes.articles.data).toEqual([{ attributes: { slug: 'two-words' } }]);
  });
});

describe('the start fails with a message', () => {
  const start = (register: NonNullable<Extension['register']>, others: Extension = {}) =>
    createTestService({ contentTypes: corpus, mongodbUri: monitoredUri(), extension: { register, ...others } });

  test.each<[string, NonNullable<Extension['register']>, RegExp]>([
    [
      'when shadowCRUD names what there is not',
      ({ strapi }) => void strapi.plugin('graphql').service('extension').shadowCRUD('api::nope.nope').disable(),
      /shadowCRUD\('api::nope\.nope'\): unknown content type/,
    ],
    [
      'when field names what there is not',
      ({ strapi }) =>
        void strapi.plugin('graphql').service('extension').shadowCRUD('api::tag.tag').field('nope').disable(),
      /field\('nope'\): unknown attribute/,
    ],
    [
      'when a policy is not there',
      ({ strapi }) =>
        void strapi
          .plugin('graphql')
          .service('extension')
          .use({ resolversConfig: { 'Query.tags': { policies: ['nope'] } } }),
      /unknown policy "nope"/,
    ],
    [
      'when a middleware is not there',
      ({ strapi }) =>
        void strapi
          .plugin('graphql')
          .service('extension')
          .use({ resolversConfig: { 'Query.tags': { middlewares: ['nope'] } } }),
      /unknown middleware "nope"/,
    ],
    [
      'when the types are broken',
      ({ strapi }) => void strapi.plugin('graphql').service('extension').use({ typeDefs: 'type Query { x: Nope }' }),
      /The extended GraphQL schema cannot be built: .*Unknown type "Nope"/s,
    ],
    [
      'when the application object is asked for what it has not',
      ({ strapi }) => void (strapi as unknown as Record<string, unknown>)['telemetry'],
      /strapi\.telemetry is not supported; supported: plugin, service, entityService, config, log/,
    ],
    [
      'when a plugin has no such service',
      ({ strapi }) => void strapi.plugin('graphql').service('nope'),
      /The plugin graphql has no service nope/,
    ],
  ])('%s', async (_what, register, message) => {
    await expect(start(register)).rejects.toThrow(message);
  });
});
