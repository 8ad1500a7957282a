import { beforeAll, expect, test } from '@jest/globals';
import { useService } from '../../../support/service.js';
import { send, tokenFor, upload } from './media.js';

const client = useService();
const { get, create } = client;

let file: number;
let author: number;
let article: number;
beforeAll(async () => {
  const [first, second] = await upload(
    client.service,
    { content: 'first', name: 'first.txt' },
    { content: 'second', name: 'second.txt' },
  );
  file = second.id;
  author = await create('authors', { name: 'Ann', avatar: file });
  article = await create('articles', {
    title: 'Related',
    internalNote: 'private',
    gallery: [first.id, file],
    seo: { metaTitle: 'meta', shareImage: file },
    blocks: [
      { __component: 'blocks.text', content: 'text' },
      { __component: 'blocks.media', file },
    ],
    publishedAt: null,
  });
});

const namesOf = (related: readonly { readonly __type: string }[]) => related.map(({ __type }) => __type);

test.each([
  'populate=related',
  'populate=*',
  'populate[0]=related',
  'populate[related]=true',
  'populate[related][fields]=*',
])(
  '%s lists the entries and components that have a file: by its position in their field, components first',
  async (populate) => {
    for (const address of [
      `/api/upload/files/${file}?${populate}`,
      `/api/upload/files?filters[id]=${file}&${populate}`,
    ]) {
      const { related } = [(await get(address)).body].flat()[0];
      expect(namesOf(related)).toEqual(['api::author.author', 'shared.seo', 'blocks.media', 'api::article.article']);
      expect(related[0]).toMatchObject({ id: author, name: 'Ann', createdAt: expect.any(String) });
      expect(related[1]).toMatchObject({ id: expect.any(Number), metaTitle: 'meta', noIndex: false });
      expect(related[3]).toMatchObject({ id: article, title: 'Related', publishedAt: null });
      expect(related[3]).not.toHaveProperty('internalNote');
      expect(related[3]).not.toHaveProperty('gallery');
    }
  },
);

test('fields of related selects attributes of the entries and components that have them', async () => {
  const relatedBy = async (fields: string): Promise<readonly object[]> =>
    (await get(`/api/upload/files/${file}?populate[related]${fields}`)).body.related;
  const whole = (await relatedBy('=true')) as readonly { readonly __type: string; readonly id: number }[];
  const ids = whole.map(({ __type, id }) => ({ __type, id }));
  expect(await relatedBy('[fields]=id')).toEqual(ids);
  const [ann, seo, media, related] = ids;
  expect(await relatedBy('[fields][0]=name&populate[related][fields][1]=metaTitle')).toEqual([
    { ...ann, name: 'Ann' },
    { ...seo, metaTitle: 'meta' },
    media,
    related,
  ]);
  for (const name of ['internalNote', 'unknown']) {
    const { status, body } = await get(`/api/upload/files?populate[related][fields]=${name}`);
    expect([status, body.error.message]).toEqual([400, `Invalid parameter ${name}`]);
  }
});

test('on selects types, and populate attributes of related entries', async () => {
  const relatedBy = async (populate: string): Promise<readonly object[]> =>
    (await get(`/api/upload/files/${file}?${populate}`)).body.related;
  expect(await relatedBy('populate[related][on][api::author.author][fields]=name')).toEqual([
    { __type: 'api::author.author', id: author, name: 'Ann' },
  ]);
  const gallery = [{ name: 'first.txt' }, { name: 'second.txt' }];
  const avatar = { name: 'second.txt' };
  for (const populate of ['[populate]=gallery,avatar', '[populate]=*']) {
    const related = await relatedBy(`populate[related]${populate}`);
    expect(related[0]).toMatchObject({ avatar });
    expect(related[3]).toMatchObject({ id: article, gallery });
  }
  expect((await relatedBy('populate=related.gallery,related.author'))[3]).toMatchObject({ gallery, author: null });
  const nested = 'populate[related][on][api::article.article][populate]';
  expect(await relatedBy(`fields=name&${nested}[gallery][fields]=name`)).toMatchObject([{ gallery }]);
});

test.each([
  ['upload/files', 'populate[related][filters][id]=1', 'populate.related.filters is not supported'],
  ['upload/files', 'populate[related][on][api::author.author][sort]=id', 'populate.related.sort is not supported'],
  ['upload/files', 'populate[related][on][api::none.none]=true', 'Invalid parameter api::none.none'],
  ['upload/files', 'populate[related][on][api::author.author][fields]=unknown', 'Invalid parameter unknown'],
  ['authors', 'populate[avatar][populate]=related', 'related of files cannot be populated below another attribute'],
  ['authors', 'populate=avatar.related', 'related of files cannot be populated below another attribute'],
  ['authors', 'populate[avatar][populate][related]=true', 'related of files cannot be populated below'],
])('%s?%s is refused by name', async (path, query, message) => {
  const { status, body } = await get(`/api/${path}?${query}`);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
});

test('related is absent unless it is populated, and empty without references', async () => {
  const [alone] = await upload(client.service, { content: 'alone', name: 'alone.txt' });
  for (const address of [`${file}`, `${file}?populate[related]=false`, `${alone.id}?populate=related`]) {
    expect((await get(`/api/upload/files/${address}`)).body).not.toHaveProperty('related');
  }
});

test('related contains only entries that the caller may list', async () => {
  const token = await tokenFor(client.service, 'plugin::upload.content-api.find', 'api::author.author.find');
  const response = await fetch(`${client.service.url}/api/upload/files?filters[id]=${file}&populate=related`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const [{ related }] = (await response.json()) as [{ related: Parameters<typeof namesOf>[0] }];
  expect(namesOf(related)).toEqual(['api::author.author']);
});

test('related omits an entry that no longer has the file', async () => {
  const [{ id }] = await upload(client.service, { content: 'x', name: 'x.txt' });
  await send(client.service, 'put', `/api/authors/${author}`, [], { data: { avatar: id } });
  const { related } = (await get(`/api/upload/files/${file}?populate=related`)).body;
  expect(namesOf(related)).not.toContain('api::author.author');
});
