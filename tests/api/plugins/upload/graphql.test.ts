import { expect, test } from '@jest/globals';
import { askGraphql } from '../../../support/send-graphql.js';
import { commandsOf } from '../../../support/commands.js';
import { useService } from '../../../support/service.js';
import { storedIn, tokenFor, upload } from './media.js';

const client = useService();
const ask = (query: string, variables?: unknown) => askGraphql(client, query, { variables });

test('related of files is read once for all files of a query', async () => {
  const [first] = await upload(client.service, { content: 'one', name: 'one.txt' });
  const [second] = await upload(client.service, { content: 'two', name: 'two.txt' });
  await client.create('articles', { title: 'With files', gallery: [first.id, second.id] });
  await client.create('authors', { name: 'Ann', avatar: first.id });
  const query = `{ uploadFiles(sort: "id") { data { attributes { name related {
    __typename ... on Article { title } ... on Author { name } } } } } }`;
  const { data } = await ask(query);
  expect(data.uploadFiles.data).toEqual([
    {
      attributes: {
        name: 'one.txt',
        related: [
          { __typename: 'Article', title: 'With files' },
          { __typename: 'Author', name: 'Ann' },
        ],
      },
    },
    { attributes: { name: 'two.txt', related: [{ __typename: 'Article', title: 'With files' }] } },
  ]);
  const one = query.replace('sort: "id"', `filters: { id: { eq: ${first.id} } }`);
  const [few, many] = [
    await commandsOf(client.service, () => ask(one)),
    await commandsOf(client.service, () => ask(query)),
  ];
  expect(many).toHaveLength(few.length);
});

test('related entries are populated as selected, with one query per type', async () => {
  const [file] = await upload(client.service, { content: 'two', name: 'deep.txt' });
  const tag = await client.create('tags', { name: 'Deep' });
  const author = await client.create('authors', { name: 'Bea', avatar: file.id });
  await client.create('articles', {
    title: 'Deep',
    gallery: [file.id],
    author,
    tags: [tag],
    seo: { metaTitle: 'meta', shareImage: file.id },
    blocks: [{ __component: 'blocks.media', file: file.id }],
  });
  const query = (related: string) =>
    `{ uploadFiles(filters: { id: { eq: ${file.id} } }) { data { attributes { related { __typename ${related} } } } } }`;
  const deep = `
    ... on Article { title author { data { attributes { name } } } tags(filters: { name: { eq: "Deep" } }) { data { id } } none: tags(filters: { name: { eq: "x" } }) { data { id } } seo { metaTitle shareImage { data { attributes { name } } } } }
    ... on ComponentSharedSeo { id metaTitle image: shareImage { data { attributes { name } } } }
    ... on Author { name articles { data { attributes { title } } } }`;
  const { data, errors } = await ask(query(deep));
  const image = { data: { attributes: { name: 'deep.txt' } } };
  expect(errors).toBeUndefined();
  expect(data.uploadFiles.data[0].attributes.related).toEqual([
    { __typename: 'Author', name: 'Bea', articles: { data: [{ attributes: { title: 'Deep' } }] } },
    { __typename: 'ComponentSharedSeo', id: expect.any(String), metaTitle: 'meta', image },
    { __typename: 'ComponentBlocksMedia' },
    {
      __typename: 'Article',
      title: 'Deep',
      author: { data: { attributes: { name: 'Bea' } } },
      tags: { data: [{ id: String(tag) }] },
      none: { data: [] },
      seo: { metaTitle: 'meta', shareImage: image },
    },
  ]);
  const count = async (related: string) => (await commandsOf(client.service, () => ask(query(related)))).length;
  expect(await count(deep)).toBe(await count(''));
});

test('related entries are limited to those that the caller may read', async () => {
  const token = await tokenFor(client.service, 'plugin::upload.content-api.find', 'api::article.article.find');
  const query = `{ uploadFiles { data { attributes { related { __typename
    ... on Article { title author { data { attributes { name } } } } } } } } }`;
  const { data, errors } = await askGraphql(client, query, { token });
  const related = data.uploadFiles.data.flatMap(
    (file: { attributes: { related: object[] } }) => file.attributes.related,
  );
  expect(related).toContainEqual({ __typename: 'Article', title: 'Deep', author: null });
  expect(related.filter((one: object) => 'name' in one)).toEqual([]);
  expect(errors?.[0]?.message).toBe('Forbidden access');
});

test('a client cannot write a record that refers to the bytes of another file', async () => {
  const [file] = await upload(client.service, { content: 'precious', name: 'precious.txt' });
  const create = 'mutation C($d: UploadFileInput!) { createUploadFile(data: $d) { data { id } } }';
  const data = { name: 'x', hash: 'free', ext: '.txt', mime: 'text/plain', size: 1, url: '/x', provider: 'local' };
  expect((await ask(create, { d: data })).errors).toMatchObject([
    { message: expect.stringContaining('Files are created by uploads') },
  ]);
  const [own] = await upload(client.service, { content: 'mine', name: 'mine.txt' });
  const formats = { small: { hash: file.hash, ext: '.txt' } };
  const place = {
    hash: file.hash,
    ext: '.html',
    url: '/x',
    provider: 'other',
    provider_metadata: { key: 'x' },
    formats,
  };
  await ask('mutation U($i: ID!, $d: UploadFileInput!) { updateUploadFile(id: $i, data: $d) { data { id } } }', {
    i: own.id,
    d: { ...place, caption: 'mine' },
  });
  const fields = 'hash caption formats ext url provider provider_metadata';
  const removed = await ask(`mutation { removeFile(id: ${own.id}) { data { attributes { ${fields} } } } }`);
  const { hash, ext, url, provider } = own;
  const kept = { hash, ext, url, provider, provider_metadata: null, formats: null };
  expect(removed.data.removeFile.data.attributes).toEqual({ ...kept, caption: 'mine' });
  expect(await storedIn(client.service)).toContain(`${file.hash}.txt`);
});

test('files have folders', async () => {
  // The first upload creates a folder of its own, as in Strapi v4.
  const [file] = await upload(client.service, { content: 'text', name: 'in.txt' });
  const folder = await ask(
    'mutation { createUploadFolder(data: { name: "Letters", pathId: 2, path: "/2" }) { data { id } } }',
  );
  const { id } = folder.data.createUploadFolder.data;
  await ask(`mutation { updateUploadFile(id: ${file.id}, data: { folder: ${id} }) { data { id } } }`);
  const { data } = await ask(`{ uploadFolder(id: ${id}) { data { attributes { name files { data { id } } } } } }`);
  expect(data.uploadFolder.data.attributes).toEqual({ name: 'Letters', files: { data: [{ id: String(file.id) }] } });
});

test('a file is removed once, and an invalid id is not found', async () => {
  const [file] = await upload(client.service, { content: 'gone', name: 'gone.txt' });
  const remove = (id: unknown) => ask('mutation R($i: ID!) { removeFile(id: $i) { data { id } } }', { i: id });
  expect((await remove(file.id)).data.removeFile.data).toEqual({ id: String(file.id) });
  expect(await remove(file.id)).toEqual({ data: { removeFile: null } });
  expect(await remove('nonsense')).toEqual({ data: { removeFile: null } });
});
