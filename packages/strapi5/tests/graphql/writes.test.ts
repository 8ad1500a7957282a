import { beforeAll, expect, test } from '@jest/globals';
import { declare, keyOf } from '../../../../tests/support/access.js';
import { useService } from '../../../../tests/support/service.js';
import { asker } from './ask.js';

const rest = useService({
  plugins: { strapi5: true, i18n: { config: { locales: ['en', 'fr'] } } },
  environment: { DRAFTS: 'restricted' },
});
const ask = asker(rest);
let author = '';
let tag = '';

beforeAll(async () => {
  const created = await ask.data(`mutation {
    createAuthor(data: { name: "Ada" }) { documentId }
    createTag(data: { name: "Alpha" }) { documentId }
  }`);
  author = created.createAuthor.documentId;
  tag = created.createTag.documentId;
});

const create = async (data: object, status = 'PUBLISHED'): Promise<string> => {
  const query = `mutation ($data: ArticleInput!, $status: PublicationStatus) {
    createArticle(data: $data, status: $status) { documentId }
  }`;
  return (await ask.data(query, { data, status })).createArticle.documentId;
};

test('data names related entries by their documentIds, and values of all kinds', async () => {
  const query = `mutation ($data: ArticleInput!) { createArticle(data: $data) {
    title publishedAt bignum startsAt author { documentId } tags { documentId } links { label } blocks { __typename }
  } }`;
  const data = {
    title: 'Linked',
    author,
    tags: [tag],
    bignum: '9007199254740993',
    startsAt: '2024-01-01T00:00:00.000Z',
    links: [{ label: 'One' }],
    blocks: [{ __typename: 'ComponentBlocksText', content: 'Text' }],
  };
  expect((await ask.data(query, { data })).createArticle).toEqual({
    title: 'Linked',
    publishedAt: expect.any(String),
    bignum: '9007199254740993',
    startsAt: '2024-01-01T00:00:00.000Z',
    author: { documentId: author },
    tags: [{ documentId: tag }],
    links: [{ label: 'One' }],
    blocks: [{ __typename: 'ComponentBlocksText' }],
  });
});

test.each(['createArticle(data: $data)', 'updateArticle(documentId: "ID", data: $data)'])(
  '%s refuses a relation that is no list of ids',
  async (mutation) => {
    const d = await create({ title: 'Before', tags: [tag] });
    const query = `mutation ($data: ArticleInput!) { ${mutation.replace('ID', d)} { title } }`;
    const { errors, data } = await ask(query, { data: { title: 'After', tags: { nope: 1 } } });
    expect(data).toBeUndefined();
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('"data.tags"') })]);
    const read = `query ($d: ID!) { article(documentId: $d) { title tags { documentId } } }`;
    expect((await ask.data(read, { d })).article).toEqual({ title: 'Before', tags: [{ documentId: tag }] });
  },
);

test('a draft beside a published entry changes nothing that is published', async () => {
  const d = await create({ title: 'Before' });
  const save = `mutation ($d: ID!) { updateArticle(documentId: $d, status: DRAFT, data: { title: "After" }) { title publishedAt } }`;
  expect(await ask.data(save, { d })).toEqual({ updateArticle: { title: 'After', publishedAt: null } });
  const read = `query ($d: ID!) { live: article(documentId: $d) { title } draft: article(documentId: $d, status: DRAFT) { title } }`;
  expect(await ask.data(read, { d })).toEqual({ live: { title: 'Before' }, draft: { title: 'After' } });
  await ask.data('mutation ($d: ID!) { updateArticle(documentId: $d, data: {}) { title } }', { d });
  expect((await ask.data(read, { d })).live).toEqual({ title: 'After' });
});

test('a mutation in a locale that a document lacks creates it there', async () => {
  const d = await create({ title: 'English' });
  const query = `mutation ($d: ID!) { updateArticle(documentId: $d, locale: "fr", data: { title: "Français" }) {
    documentId locale localizations { locale }
  } }`;
  expect(await ask.data(query, { d })).toEqual({
    updateArticle: { documentId: d, locale: 'fr', localizations: [{ locale: 'en' }] },
  });
  const remove = 'mutation ($d: ID!) { deleteArticle(documentId: $d, locale: "fr") { documentId } }';
  expect(await ask.data(remove, { d })).toEqual({ deleteArticle: { documentId: d } });
  const read =
    'query ($d: ID!) { en: article(documentId: $d) { title } fr: article(documentId: $d, locale: "fr") { title } }';
  expect(await ask.data(read, { d })).toEqual({ en: { title: 'English' }, fr: null });
});

test('single types are written and deleted', async () => {
  const written = await ask.data('mutation { updateHomepage(data: { title: "Home" }) { documentId title } }');
  expect(written).toEqual({ updateHomepage: { documentId: expect.any(String), title: 'Home' } });
  const deleted = await ask.data('mutation { deleteHomepage { documentId } }');
  expect(deleted.deleteHomepage.documentId).toBe(written.updateHomepage.documentId);
  expect(await ask('mutation { deleteHomepage { documentId } }')).toMatchObject({
    data: { deleteHomepage: null },
    errors: [{ message: 'Document not found', extensions: { code: 'STRAPI_NOT_FOUND_ERROR' } }],
  });
});

test('what does not exist is null, and a deletion says nothing about it', async () => {
  const query = `mutation {
    updateArticle(documentId: "none", data: { title: "x" }) { title }
    deleteArticle(documentId: "none") { documentId }
  }`;
  expect(await ask.data(query)).toEqual({ updateArticle: null, deleteArticle: { documentId: 'none' } });
});

test('drafts that are hidden from a caller are neither changed nor deleted', async () => {
  const d = await create({ title: 'Hidden' }, 'DRAFT');
  const actions = ['find', 'findOne', 'create', 'update', 'delete'].map((action) => `api::article.article.${action}`);
  await declare(rest.service, {}, { writer: actions });
  const update = 'mutation ($d: ID!) { updateArticle(documentId: $d, data: { title: "Seen" }) { title } }';
  expect(await ask(update, { d }, keyOf('writer'))).toMatchObject({ data: { updateArticle: null } });
  const remove = 'mutation ($d: ID!) { deleteArticle(documentId: $d) { documentId } }';
  expect(await ask(remove, { d }, keyOf('writer'))).toEqual({ data: { deleteArticle: { documentId: d } } });
  const read = 'query ($d: ID!) { article(documentId: $d, status: DRAFT) { title } }';
  expect(await ask.data(read, { d })).toEqual({ article: { title: 'Hidden' } });
  const status = 'mutation ($d: ID!) { updateArticle(documentId: $d, status: DRAFT, data: { title: "x" }) { title } }';
  expect(await ask(status, { d: await create({ title: 'Public' }) }, keyOf('writer'))).toMatchObject({
    errors: [{ extensions: { code: 'FORBIDDEN' } }],
  });
});

test('users are created by mutations, and have a documentId', async () => {
  const query = `mutation { createUsersPermissionsUser(data: { username: "gus", email: "gus@example.test", password: "gusPass123", role: "1" }) {
    data { documentId username }
  } }`;
  const { data } = (await ask.data(query)).createUsersPermissionsUser;
  expect(data).toEqual({ documentId: expect.any(String), username: 'gus' });
  const read = 'query ($d: ID!) { usersPermissionsUser(documentId: $d) { username role { name } } }';
  expect(await ask.data(read, { d: data.documentId })).toEqual({
    usersPermissionsUser: { username: 'gus', role: { name: 'Authenticated' } },
  });
  const login = `mutation { login(input: { identifier: "gus", password: "gusPass123" }) { user { id documentId } } }`;
  const tooShort = `mutation { register(input: { username: "gu", email: "a@example.test", password: "12" }) { jwt } }`;
  const { errors } = await ask(tooShort);
  expect(errors[0].extensions.error.details.errors).toEqual([
    expect.objectContaining({ path: ['username'], value: 'gu' }),
    expect.not.objectContaining({ value: expect.anything() }),
  ]);
  expect((await ask.data(login, {}, '')).login.user).toEqual({ id: expect.any(String), documentId: data.documentId });
});
