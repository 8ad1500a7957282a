import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare, keyOf, type Permission } from '../../../tests/support/access.js';
import { useService, type Answer } from '../../../tests/support/service.js';

const client = useService({
  contentTypes: 'packages/versions/tests/content-types',
  plugins: { versions: true, i18n: { config: { locales: ['en', 'de'] } } },
});
const uid = 'api::article.article';

interface Version {
  readonly id: number;
  readonly copy?: true;
  readonly changes?: readonly string[];
  readonly by: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

const send = async (method: 'get' | 'post' | 'put', path: string, body?: object, token?: string): Promise<Answer> => {
  const agent = request(client.service.url);
  const sent = agent[method](`/api/${path}`).auth(token ?? client.service.token, { type: 'bearer' });
  return body === undefined ? sent : sent.send(body);
};
const versionsOf = async (path: string, token?: string): Promise<readonly Version[]> =>
  (await send('get', `${path}/versions`, undefined, token)).body.data;
const save = (path: string, data: object): Promise<Answer> => send('put', `${path}?status=draft`, { data });
const restore = (path: string, version: number | undefined, data: object, token?: string): Promise<Answer> =>
  send('post', `${path}/versions/${version}/restore`, { data }, token);
const pathsOf = ({ body }: Answer): readonly string[] =>
  body.error.details.errors.map(({ path }: { path: readonly string[] }) => path.join('.'));
const read = async (path: string): Promise<Readonly<Record<string, any>>> =>
  // oxlint-disable-line typescript/no-explicit-any
  (await send('get', path)).body.data.attributes;

/** A published article with versions of these values, the newest last. */
async function article(...states: readonly object[]): Promise<string> {
  const [first, ...others] = states;
  const path = `articles/${await client.create('articles', { title: 'Untitled', ...first })}`;
  for (const data of others) expect((await send('put', path, { data })).status).toBe(200);
  return path;
}

async function allow(...permissions: readonly Permission[]): Promise<string> {
  await declare(client.service, {}, { caller: permissions });
  return keyOf('caller');
}

test('a restoration cannot be tried without a write, so it is refused then', async () => {
  const path = await article({ title: 'One' }, { title: 'Two' });
  const [second, first] = await versionsOf(path);
  const tried = await send('post', `${path}/versions/${first?.id}/restore?dryRun=true`, {
    data: { newest: second?.id },
  });
  expect([tried.status, tried.body.error.message]).toEqual([
    400,
    'dryRun is not supported here: a version is only restored',
  ]);
  expect(await read(path)).toMatchObject({ title: 'Two' });
});

describe('what is kept', () => {
  test('of a working copy each sitting, beside what is published', async () => {
    const path = await article({ title: 'One' });
    await save(path, { title: 'Prepared' });
    await send('put', path, { data: { price: 5 } });
    const [published, copy] = await versionsOf(path);
    expect(published?.data).toMatchObject({ title: 'One', price: 5 });
    expect(copy).toMatchObject({ copy: true, changes: ['title'], data: { title: 'Prepared' } });
    // It is gone, and stays in the history.
    await client.delete(`/api/${path}?status=draft`);
    expect((await versionsOf(path)).filter((one) => one.copy)).toHaveLength(1);
    await restore(path, copy?.id, { newest: published?.id });
    expect((await send('get', `${path}?status=draft`)).body.data.attributes).toMatchObject({
      title: 'Prepared',
      price: 5,
    });
    await send('put', `${path}?status=published`, { data: {} });
    const [last] = await versionsOf(path);
    expect([last?.copy, last?.data]).toEqual([undefined, expect.objectContaining({ title: 'Prepared', price: 5 })]);
  });

  test('of many saves by a program one version, so that they push out nothing that was published', async () => {
    const path = await article({ title: 'One' }, { title: 'Two' });
    for (const title of ['a', 'b', 'c']) await save(path, { title });
    expect((await versionsOf(path)).map(({ copy, data }) => [copy, data['title']])).toEqual([
      [true, 'c'],
      [undefined, 'Two'],
      [undefined, 'One'],
    ]);
  });

  test('what other entries, languages and many writes change', async () => {
    const [first, second] = [await article({ title: 'One', price: 1 }), await article({ title: 'Two' })];
    const ids = [first, second].map((path) => Number(path.split('/')[1]));
    const author = await client.create('authors', { name: 'Ada', articles: ids });
    for (const path of [first, second]) expect((await versionsOf(path))[0]?.data['author']).toBe(author);
    const { body } = await send('post', `${first}/localizations`, { locale: 'de', title: 'Eins' });
    await send('put', first, { data: { price: 2 } });
    expect((await versionsOf(`articles/${body.id}`)).map(({ data }) => data['price'])).toEqual([2, 1]);
    const type = client.service.registry.contentTypes.get(uid);
    if (type === undefined) throw new Error('There are no articles');
    await client.service.entries.update(uid, ids[0] ?? 0, { title: 'By code' });
    expect((await versionsOf(first))[0]?.data['title']).toBe('By code');
  });

  test('what was written without the service, before the next write', async () => {
    const path = await article({ title: 'One' });
    const articles = client.service.database.db.collection('articles');
    await articles.updateOne({ title: 'One' }, { $set: { title: 'Imported', updatedAt: new Date() } });
    await send('put', path, { data: { title: 'Three' } });
    expect((await versionsOf(path)).map(({ data }) => data['title'])).toEqual(['Three', 'Imported', 'One']);
  });
});

describe('a difference', () => {
  test('has the paths with both values, to another version or to what the entry is now', async () => {
    const source = await client.create('authors', { name: 'Ada' });
    const quote = (text: string, more = {}) => ({ __component: 'parts.quote', text, ...more });
    const path = await article({ title: 'One', blocks: [quote('a'), quote('b')] }, { title: 'Two', tags: [source] });
    await save(path, { title: 'Three' });
    const [, second, first] = await versionsOf(path);
    const to = async (other: number | string | undefined): Promise<unknown> =>
      (await send('get', `${path}/versions/${first?.id}?to=${other}`)).body.data.differences;
    const tags = { path: ['tags'], before: [], after: [source] };
    expect(await to(second?.id)).toEqual([{ path: ['title'], before: 'One', after: 'Two' }, tags]);
    expect(await to('published')).toEqual(await to(second?.id));
    expect(await to('draft')).toEqual([{ path: ['title'], before: 'One', after: 'Three' }, tags]);
    const blocks = (await read(`${path}?populate=blocks`))['blocks'];
    await send('put', path, { data: { blocks: [{ ...blocks[1], text: 'c' }, quote('new', { source })] } });
    expect(await to('published')).toEqual([
      { path: ['title'], before: 'One', after: 'Two' },
      tags,
      { path: ['blocks', 0, 'text'], before: 'b', after: 'c' },
      { path: ['blocks', 1], before: null, after: quote('new', { source }) },
      { path: ['blocks', 0], before: quote('a', { source: null }), after: null, removed: true },
    ]);
    for (const other of ['now', '1x', '0'])
      expect((await send('get', `${path}/versions/${first?.id}?to=${other}`)).status).toBe(other === '0' ? 404 : 400);
  });
});

describe('a version is restored', () => {
  test('as a working copy of what is published, and as a write of a draft', async () => {
    const path = await article({ title: 'One', price: 1 }, { title: 'Two', price: 2 });
    const [second, first] = await versionsOf(path);
    const { body } = await restore(path, first?.id, { newest: second?.id, attributes: ['title'] });
    expect(body.data).toEqual({ id: Number(path.split('/')[1]), restored: ['title'], saved: 'copy' });
    expect(await read(path)).toMatchObject({ title: 'Two', price: 2 });
    expect(await read(`${path}?status=draft`)).toMatchObject({ title: 'One', price: 2 });
    const draft = await article({ title: 'One', publishedAt: null }, { title: 'Two' });
    const [latest, former] = await versionsOf(draft);
    expect((await restore(draft, former?.id, { newest: latest?.id })).body.data).toMatchObject({ saved: 'entry' });
    expect((await read(`${draft}?status=draft`))['title']).toBe('One');
  });

  test('without what a version does not have: components keep their private values', async () => {
    const id = await client.create('cards', { label: 'a', quotes: [{ text: 'x', hidden: 'kept' }, { text: 'y' }] });
    const path = `cards/${id}`;
    const [first, second] = (await read(`${path}?populate=quotes`))['quotes'];
    await send('put', path, { data: { quotes: [{ id: first.id, text: 'z' }] } });
    const [newest, oldest] = await versionsOf(path);
    expect((await restore(path, oldest?.id, { newest: newest?.id })).body.data.restored).toEqual(['quotes']);
    const stored = await client.service.entries.findOne('api::card.card', id, { populate: 'quotes' });
    expect(stored['quotes']).toEqual([
      expect.objectContaining({ id: first.id, text: 'x', hidden: 'kept' }),
      expect.objectContaining({ text: 'y' }),
    ]);
    expect((stored['quotes'] as readonly { id: number }[])[1]?.id).not.toBe(second.id);
  });

  test('unless it would undo what its client has not seen', async () => {
    const id = await client.create('cards', { label: 'first' });
    const path = `cards/${id}`;
    await send('put', path, { data: { label: 'second' } });
    const [seen, first] = await versionsOf(path);
    await send('put', path, { data: { label: 'by a program' } });
    const refused = await restore(path, first?.id, { newest: seen?.id });
    expect([refused.status, pathsOf(refused)]).toEqual([409, ['label']]);
    expect((await read(path))['label']).toBe('by a program');
    const [newest] = await versionsOf(path);
    expect((await restore(path, first?.id, { newest: newest?.id })).status).toBe(200);
    expect((await restore(path, first?.id, { newest: 999_999 })).status).toBe(409);
  });

  test('unless links in it are gone, which are named', async () => {
    const [kept, gone] = [await client.create('authors', { name: 'a' }), await client.create('authors', { name: 'b' })];
    const blocks = [{ __component: 'parts.quote', text: 'x', source: gone }];
    const path = await article({ tags: [kept, gone], blocks }, { tags: [], blocks: [] });
    await client.delete(`/api/authors/${gone}`);
    const [newest, first] = await versionsOf(path);
    const missing = [
      { path: ['tags'], count: 1, type: 'api::author.author', ids: [gone] },
      { path: ['blocks', 0, 'source'], count: 1, type: 'api::author.author', ids: [gone] },
    ];
    expect((await send('get', `${path}/versions/${first?.id}`)).body.data.missing).toEqual(missing);
    const refused = await restore(path, first?.id, { newest: newest?.id });
    expect([refused.status, pathsOf(refused)]).toEqual([409, ['tags', 'blocks.0.source']]);
    expect((await restore(path, first?.id, { newest: newest?.id, withoutMissing: true })).status).toBe(200);
    const { tags } = await read(`${path}?status=draft&populate=tags`);
    expect(tags.data.map((tag: { id: number }) => tag.id)).toEqual([kept]);
  });

  test('also after a linked entry was deleted, whose link is no change that the client has not seen', async () => {
    const [kept, gone] = [await client.create('authors', { name: 'k' }), await client.create('authors', { name: 'g' })];
    const path = await article({ tags: [kept, gone] }, { title: 'Other' });
    await client.delete(`/api/authors/${gone}`);
    const [newest, first] = await versionsOf(path);
    const wanted = { newest: newest?.id, attributes: ['tags', 'title'] };
    const refused = await restore(path, first?.id, wanted);
    expect([refused.status, pathsOf(refused)]).toEqual([409, ['tags']]);
    const restored = await restore(path, first?.id, { ...wanted, withoutMissing: true });
    expect([restored.status, restored.body.data?.restored]).toEqual([200, ['title']]);
    // A change of the list is restored as well.
    await send('put', `${path}?status=published`, { data: { tags: [] } });
    const [now] = await versionsOf(path);
    const again = await restore(path, first?.id, { ...wanted, newest: now?.id, withoutMissing: true });
    expect([again.status, again.body.data?.restored]).toEqual([200, ['tags']]);
  });

  test('unless another entry has the target of its one-to-one relation, or its unique value', async () => {
    const card = await client.create('cards', { label: 'wanted' });
    const path = await article({ slug: 'taken', card }, { slug: 'other', card: null });
    await article({ slug: 'taken', card });
    const [newest, first] = await versionsOf(path);
    const held = await restore(path, first?.id, { newest: newest?.id });
    expect([held.status, pathsOf(held)]).toEqual([409, ['card']]);
    const taken = await restore(path, first?.id, { newest: newest?.id, attributes: ['slug'] });
    expect([taken.status, pathsOf(taken)]).toEqual([400, ['slug']]);
  });

  test.each([
    [{}, 400, ['newest']],
    [{ newest: 'x', withoutMissing: 1, more: 1 }, 400, ['newest', 'withoutMissing', 'more']],
    [{ newest: 1, attributes: ['titel'] }, 400, ['attributes']],
  ])('%j is refused', async (data, status, paths) => {
    const path = await article({ title: 'One' });
    const [version] = await versionsOf(path);
    const refused = await restore(path, version?.id, data);
    expect([refused.status, pathsOf(refused)]).toEqual([status, paths]);
  });
});

describe('rights', () => {
  test('of copies, withheld attributes and hidden targets hold for versions and what is restored', async () => {
    const [ada, bob] = [
      await client.create('authors', { name: 'Ada' }),
      await client.create('authors', { name: 'Bob' }),
    ];
    const path = await article(
      { title: 'One', slug: 'secret', tags: [ada, bob] },
      { title: 'Two', slug: 'open', tags: [] },
    );
    await save(path, { title: 'Prepared' });
    const onlyAda = { action: 'api::author.author.find', where: { name: 'Ada' } };
    const may = [`${uid}.findOne`, { action: `${uid}.update`, fields: ['-slug'] }, onlyAda];
    const token = await allow(...may);
    const shown = await versionsOf(path, token);
    expect(shown.map(({ data }) => [data['title'], data['slug']])).toEqual([
      ['Two', undefined],
      ['One', undefined],
    ]);
    const [newest, first] = shown;
    const one = await send('get', `${path}/versions/${first?.id}?to=draft`, undefined, token);
    expect(one.body.data.missing).toEqual([{ path: ['tags'], count: 1 }]);
    expect(one.body.data.differences).toEqual([
      { path: ['title'], before: 'One', after: 'Two' },
      { path: ['tags'], before: [ada], after: [] },
    ]);
    const copy = (await versionsOf(path)).find((version) => version.copy);
    expect((await send('get', `${path}/versions/${copy?.id}`, undefined, token)).status).toBe(404);
    expect((await restore(path, copy?.id, { newest: copy?.id }, token)).status).toBe(404);
    // To save a copy needs the right to see it.
    expect((await restore(path, first?.id, { newest: newest?.id, attributes: ['title'] }, token)).status).toBe(403);
    const editor = await allow(...may, `${uid}.find.drafts`);
    const withheld = await restore(path, first?.id, { newest: copy?.id, attributes: ['slug'] }, editor);
    expect([withheld.status, pathsOf(withheld)]).toEqual([400, ['slug']]);
    const restored = await restore(path, first?.id, { newest: copy?.id, withoutMissing: true }, editor);
    expect(restored.body.data.restored).toEqual(['title', 'tags']);
    const reader = await allow(`${uid}.find`, `${uid}.findOne`);
    for (const address of [`versions/${first?.id}`, `versions/${first?.id}/restore`])
      expect((await send(address.endsWith('e') ? 'post' : 'get', `${path}/${address}`, undefined, reader)).status).toBe(
        403,
      );
  });
});
