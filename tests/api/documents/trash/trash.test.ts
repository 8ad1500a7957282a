import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare, keyOf, type Permission } from '../../../support/access.js';
import { useService, type Answer } from '../../../support/service.js';

const client = useService({
  contentTypes: 'packages/versions/tests/content-types',
  plugins: { versions: true, i18n: { config: { locales: ['en', 'de'] } } },
});

type Record_ = Readonly<Record<string, any>>; // oxlint-disable-line typescript/no-explicit-any

const send = async (method: 'get' | 'post' | 'delete', path: string, token = client.service.token): Promise<Answer> =>
  request(client.service.url)[method](`/api/${path}`).auth(token, { type: 'bearer' });
const read = async (path: string, query = ''): Promise<Record_> =>
  (await send('get', `${path}${query === '' ? '' : `?${query}`}`)).body.data.attributes;
const restore = (collection: string, id: number, token?: string): Promise<Answer> =>
  send('post', `${collection}/trash/${id}/restore`, token);
const idsOf = (relation: { readonly data: readonly { readonly id: number }[] }): readonly number[] =>
  relation.data.map(({ id }) => id);
const preview = 'status=draft';

async function allow(...permissions: readonly Permission[]): Promise<string> {
  await declare(client.service, {}, { caller: permissions });
  return keyOf('caller');
}

describe('a deleted entry', () => {
  test('is listed, restored with its id and values, and then deleted for good', async () => {
    const id = await client.create('cards', { label: 'one', quotes: [{ text: 'a', hidden: 'b' }] });
    const other = await client.create('cards', { label: 'two' });
    const before = await client.service.entries.findOne('api::card.card', id, { populate: 'quotes' });
    expect((await client.delete(`/api/cards/${id}`)).body.data.attributes.label).toBe('one');
    await client.delete(`/api/cards/${other}`);
    expect((await send('get', `cards/${id}`)).status).toBe(404);
    const list = (await send('get', 'cards/trash?filters[label][$in]=one&filters[label][$in]=two&populate=quotes'))
      .body;
    expect(list.data.map((one: { id: number }) => one.id)).toEqual([other, id]);
    expect(list.data[1].attributes).toMatchObject({ label: 'one', quotes: [{ text: 'a' }] });
    expect(list.meta).toMatchObject({
      pagination: { total: 2 },
      deleted: { [id]: { at: expect.any(String), by: null } },
    });
    const { status, body } = await restore('cards', id);
    expect([status, body]).toEqual([200, { data: { id }, meta: { links: 0, lost: [], unkept: 0 } }]);
    const after = await client.service.entries.findOne('api::card.card', id, { populate: 'quotes' });
    expect({ ...after, updatedAt: 0 }).toEqual({ ...before, updatedAt: 0 });
    expect((await restore('cards', id)).status).toBe(404);
    expect((await send('delete', `cards/trash/${other}`)).body.data).toEqual({ id: other });
    expect((await restore('cards', other)).status).toBe(404);
    expect((await send('delete', `cards/trash/${other}`)).status).toBe(404);
    // Its versions were kept, with the restoration, and go with the entry.
    const kept = (entry: number): Promise<number> =>
      client.service.entries.count('admin::entry-version', { filters: { of: 'api::card.card', entry } });
    expect([await kept(id), await kept(other)]).toEqual([1, 0]);
  });

  test('has its latest state as a draft, and its links in both directions', async () => {
    const [first, second, third] = [
      await client.create('authors', { name: 'a' }),
      await client.create('authors', { name: 'b' }),
      await client.create('authors', { name: 'c' }),
    ];
    const card = await client.create('cards', { label: 'held' });
    const id = await client.create('articles', {
      title: 'Published',
      slug: 's',
      author: first,
      tags: [third, first],
      card,
    });
    const others = [
      await client.create('articles', { title: 'x', tags: [first, second, third] }),
      await client.create('articles', { title: 'y', author: second }),
    ];
    await client.put(`/api/articles/${id}?status=draft`, { title: 'Prepared' });
    await client.delete(`/api/articles/${id}`);
    await client.delete(`/api/authors/${second}`);
    expect(idsOf((await read(`articles/${others[0]}`, 'populate=tags'))['tags'])).toEqual([first, third]);
    expect((await restore('authors', second)).body.meta).toEqual({ links: 2, lost: [], unkept: 0 });
    expect(idsOf((await read(`articles/${others[0]}`, 'populate=tags'))['tags'])).toEqual([first, second, third]);
    expect((await read(`articles/${others[1]}`, 'populate=author'))['author'].data.id).toBe(second);
    expect((await restore('articles', id)).status).toBe(200);
    expect((await send('get', `articles?filters[id]=${id}`)).body.data).toEqual([]);
    const restored = await read(`articles/${id}`, 'populate=author,tags,card&status=draft');
    expect(restored).toMatchObject({
      title: 'Prepared',
      slug: 's',
      publishedAt: null,
      author: { data: { id: first } },
      card: { data: { id: card } },
    });
    expect(idsOf(restored['tags'])).toEqual([third, first]);
    expect(
      idsOf((await read(`authors/${first}`, 'populate[articles][publicationState]=preview'))['articles']),
    ).toContain(id);
    await client.put(`/api/articles/${id}?status=published`, {});
    expect((await read(`articles/${id}`))['title']).toBe('Prepared');
  });

  test('has the links in components of others again, where these are', async () => {
    const source = await client.create('authors', { name: 'a' });
    const quote = { text: 'x', source };
    const card = await client.create('cards', { label: 'quoting', quotes: [{ text: 'y' }, quote] });
    const blocks = [{ __component: 'parts.quote', ...quote }];
    const article = await client.create('articles', { title: 'x', blocks });
    const other = await client.create('articles', { title: 'y', blocks });
    await client.put(`/api/articles/${article}?status=draft`, { blocks: [...blocks, ...blocks] });
    await client.delete(`/api/authors/${source}`);
    await client.put(`/api/articles/${other}`, { blocks: [] });
    expect((await restore('authors', source)).body.meta).toEqual({
      links: 2,
      lost: [
        { type: 'api::article.article', id: other, path: expect.stringMatching(/^blocks\.parts\.quote:\d+\.source$/) },
      ],
      unkept: 0,
    });
    const sources = async (path: string, name: string, query = ''): Promise<readonly unknown[]> =>
      (await read(path, `populate[${name}][populate]=source${query}`))[name].map(
        (part: Record_) => part['source'].data?.id,
      );
    expect(await sources(`cards/${card}`, 'quotes')).toEqual([undefined, source]);
    expect(await sources(`articles/${article}`, 'blocks')).toEqual([source]);
    expect(await sources(`articles/${article}`, 'blocks', `&${preview}`)).toEqual([source, source]);
  });

  test('gets back links from entries that are deleted themselves, in any order', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const author = await client.create('authors', { name: 'a' });
      const article = await client.create('articles', { title: 'x', author });
      const names = ['articles', 'authors'];
      const ids = [article, author];
      for (const index of [0, 1]) await client.delete(`/api/${names[index]}/${ids[index]}`);
      for (const index of order) expect((await restore(names[index] as string, ids[index] as number)).status).toBe(200);
      expect((await read(`articles/${article}`, `populate=author&${preview}`))['author'].data.id).toBe(author);
    }
  });

  test('names what others have by now, and takes it from nobody', async () => {
    const [author, card] = [
      await client.create('authors', { name: 'a' }),
      await client.create('cards', { label: 'wanted' }),
    ];
    const id = await client.create('articles', { title: 'x', slug: 'unique', card });
    const holder = await client.create('articles', { title: 'holder', author });
    await client.delete(`/api/articles/${id}`);
    await client.delete(`/api/authors/${author}`);
    const other = await client.create('articles', { title: 'y', slug: 'unique', card });
    const newAuthor = await client.create('authors', { name: 'b' });
    await client.put(`/api/articles/${holder}`, { author: newAuthor });
    expect((await restore('authors', author)).body.meta).toEqual({
      links: 0,
      lost: [{ type: 'api::article.article', id: holder, path: 'author' }],
      unkept: 0,
    });
    const refused = await restore('articles', id);
    expect([refused.status, refused.body.error.details.errors[0].path]).toEqual([400, ['slug']]);
    await client.put(`/api/articles/${other}`, { slug: 'another' });
    expect((await restore('articles', id)).body.meta.lost).toEqual([
      { type: 'api::article.article', id: other, path: 'card' },
    ]);
    expect((await read(`articles/${other}`, 'populate=card'))['card'].data.id).toBe(card);
    expect((await read(`articles/${id}`, `populate=card&${preview}`))['card'].data).toBeNull();
  });

  test('joins its localizations again, with the values that they share by now', async () => {
    const id = await client.create('articles', { title: 'Bread', price: 1 });
    const localize = async (locale: string): Promise<number> =>
      (
        await request(client.service.url)
          .post(`/api/articles/${id}/localizations`)
          .auth(client.service.token, { type: 'bearer' })
          .send({ locale, title: 'Brot' })
      ).body.id;
    const german = await localize('de');
    await client.delete(`/api/articles/${german}`);
    await client.put(`/api/articles/${id}`, { price: 2 });
    expect((await restore('articles', german)).body.meta.lost).toEqual([]);
    expect(await read(`articles/${german}`, `locale=de&populate=localizations&${preview}`)).toMatchObject({
      title: 'Brot',
      price: 2,
    });
    expect(
      idsOf((await read(`articles/${id}`, 'populate[localizations][publicationState]=preview'))['localizations']),
    ).toEqual([german]);
    // Another entry has taken its place.
    await client.delete(`/api/articles/${german}`);
    const successor = await localize('de');
    expect((await restore('articles', german)).body.meta.lost).toEqual([
      { type: 'api::article.article', id: successor, path: 'localizations' },
    ]);
    // Both are deleted, and come back one after the other.
    await client.delete(`/api/articles/${successor}`);
    await client.delete(`/api/articles/${id}`);
    for (const one of [id, successor]) expect((await restore('articles', one)).status).toBe(200);
    expect(
      idsOf(
        (await read(`articles/${id}`, `populate[localizations][publicationState]=preview&${preview}`))['localizations'],
      ),
    ).toEqual([successor]);
  });

  test.each(['REST', 'GraphQL', 'batch', 'code'])('comes from a deletion by %s', async (way) => {
    const id = await client.create('cards', { label: `by ${way}` });
    if (way === 'REST') await client.delete(`/api/cards/${id}`);
    if (way === 'GraphQL') await client.graphql(`mutation { deleteCard(id: ${id}) { data { id } } }`);
    if (way === 'batch')
      await request(client.service.url)
        .post('/api/batch')
        .auth(client.service.token, { type: 'bearer' })
        .send({ operations: [{ delete: 'cards', id }] });
    if (way === 'code') await client.service.entries.delete('api::card.card', id);
    expect((await restore('cards', id)).status).toBe(200);
    expect((await read(`cards/${id}`))['label']).toBe(`by ${way}`);
  });
});

describe('rights', () => {
  const uid = 'api::article.article';

  test('to find, delete and create entries, and to see prepared states', async () => {
    const id = await client.create('articles', { title: 'Mine', slug: 'hidden' });
    const other = await client.create('articles', { title: 'Other' });
    for (const one of [id, other]) await client.delete(`/api/articles/${one}`);
    const all = [`${uid}.find`, `${uid}.delete`, `${uid}.find.drafts`];
    for (const missing of all) {
      const token = await allow(...all.filter((one) => one !== missing));
      expect([missing, (await send('get', 'articles/trash', token)).status]).toEqual([missing, 403]);
      expect([missing, (await send('delete', `articles/trash/${id}`, token)).status]).toEqual([missing, 403]);
    }
    expect((await restore('articles', id, await allow(...all))).status).toBe(403);
    const limited = await allow(
      { action: `${uid}.find`, fields: ['-slug'] },
      { action: `${uid}.delete`, where: { title: 'Mine' } },
      `${uid}.find.drafts`,
      `${uid}.create`,
    );
    const { body } = await send('get', 'articles/trash', limited);
    expect(body.data.map((one: Record_) => [one['id'], one['attributes'].title, one['attributes'].slug])).toEqual([
      [id, 'Mine', undefined],
    ]);
    expect((await restore('articles', other, limited)).status).toBe(404);
    expect((await restore('articles', id, limited)).status).toBe(200);
  });
});
