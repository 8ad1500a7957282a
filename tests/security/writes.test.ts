import { describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { usePeople } from '../api/plugins/users-permissions/users-client.js';

/** Writes that no client may do, by the ids of the security checklist. */
const people = usePeople();
const post = (path: string, data: object, token = people.service.token) =>
  people.send('post', `/api/${path}`, { data }, token);
const put = (path: string, data: object) => people.sendFreely('put', `/api/${path}`, { data });
const stored = (collection: string) => people.service.database.db.collection<{ _id: number } & Document>(collection);
const count = (collection: string) => stored(collection).countDocuments();

test('S54: internal attributes are ignored in creates and updates', async () => {
  const own = { id: 4711, createdAt: '2001-01-01', updatedAt: '2001-01-01', createdBy: 1, updatedBy: 1 };
  const { body } = await post('articles', { title: 'Own', ...own, localizations: [1] });
  const { id } = body.data;
  expect(id).not.toBe(4711);
  const entry = await stored('articles').findOne({ _id: id });
  expect(entry).not.toHaveProperty('createdBy');
  expect(entry).not.toHaveProperty('localizations');
  expect(entry?.['createdAt'].getFullYear()).toBeGreaterThan(2001);

  await put(`articles/${id}`, { ...own, createdAt: null, updatedAt: null, locale: null, localizations: [1] });
  const changed = await stored('articles').findOne({ _id: id });
  expect(changed).toMatchObject({ createdAt: entry?.['createdAt'], locale: entry?.['locale'] });
  expect(changed?.['updatedAt'].getFullYear()).toBeGreaterThan(2001);
  expect(changed).not.toHaveProperty('createdBy');
  expect(changed).not.toHaveProperty('localizations');
});

describe('S55: nothing is written, not even in part, with', () => {
  test.each([
    ['an author that does not exist', { author: 9999 }],
    ['a file that does not exist', { cover: 9999 }],
    ['a list of files of which one does not exist', { gallery: [9999] }],
    ['a component that does not exist', { blocks: [{ __component: 'blocks.unknown', text: 'x' }] }],
    ['a component that the zone does not list', { blocks: [{ __component: 'shared.seo', metaTitle: 'x' }] }],
    ['a component without its name', { blocks: [{ content: 'x' }] }],
  ])('%s', async (_, data) => {
    const before = await count('articles');
    const { body } = await post('tags', { name: `tag of ${JSON.stringify(data)}` });
    const answer = await post('articles', { title: 'Refused', tags: [body.data.id], ...data });
    expect([answer.status, answer.body.data]).toEqual([400, null]);
    expect(await count('articles')).toBe(before);
  });
});

describe('S55: clients cannot link to', () => {
  test.each(['api::unknown.unknown', '__proto__', 'shared.seo'])('%s, which is not a content type', async (type) => {
    const { body } = await post('bookmarks', { label: 'x', items: [{ __type: type, id: 1 }] });
    expect(await stored('bookmarks').findOne({ _id: body.data.id })).not.toHaveProperty('items');
  });

  test('entries of a type that they may not list, also in components and morph relations', async () => {
    const { id } = await people.register('anna');
    const author = (await post('authors', { name: 'Ann' })).body.data.id;
    const tag = (await post('tags', { name: 'Listed' })).body.data.id;
    const rights = ['api::bookmark.bookmark.create', 'api::article.article.create', 'api::tag.tag.find'];
    const token = await people.token('writer', rights);
    const items = [
      { __type: 'plugin::users-permissions.user', id },
      { __type: 'api::tag.tag', id: tag },
      { type: 'api::author.author', id: author },
    ];
    const bookmark = (await post('bookmarks', { label: 'mixed', items }, token)).body.data.id;
    expect((await stored('bookmarks').findOne({ _id: bookmark }))?.['items']).toEqual([
      { __type: 'api::tag.tag', id: tag },
    ]);
    const none = (await post('bookmarks', { label: 'none', items: items.slice(0, 1) }, token)).body.data.id;
    expect(await stored('bookmarks').findOne({ _id: none })).not.toHaveProperty('items');

    const data = {
      title: 'Within',
      blocks: [{ __component: 'blocks.quote', text: 'x', source: author, mentions: [tag] }],
    };
    const article = (await post('articles', data, token)).body.data.id;
    const [block] = (await stored('articles').findOne({ _id: article }))?.['blocks'] ?? [];
    expect(block).toMatchObject({ text: 'x', mentions: [tag] });
    expect(block).not.toHaveProperty('source');
  });
});

describe('S56: a unique value', () => {
  const statusesOf = (answers: readonly { status: number }[]) =>
    answers.map(({ status }) => status).toSorted((a, b) => a - b);

  test('is stored once in 10 concurrent creates', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('tags', { name: 'Contested' })));
    expect(statusesOf(answers)).toEqual([200, ...Array.from({ length: 9 }, () => 400)]);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body.error.message).toBe('This attribute must be unique');
    expect(await stored('tags').countDocuments({ name: 'Contested' })).toBe(1);
  });

  test('belongs to one entry after 10 concurrent swaps', async () => {
    const [one, other] = [await post('tags', { name: 'Left' }), await post('tags', { name: 'Right' })];
    const ids = [one.body.data.id, other.body.data.id];
    const swaps = Array.from({ length: 10 }, (_, index) =>
      put(`tags/${ids[index % 2]}`, { name: index % 4 < 2 ? 'Right' : 'Left' }),
    );
    for (const { status } of await Promise.all(swaps)) expect([200, 400]).toContain(status);
    const names = (
      await stored('tags')
        .find({ _id: { $in: ids } })
        .toArray()
    ).map((tag) => String(tag['name']));
    expect(new Set(names).size).toBe(2);
  });
});
