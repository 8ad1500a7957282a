import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { openIntents } from '../../../../src/mongo/write/intents.js';
import { openStore } from '../../../../src/mongo/store.js';
import type { Write } from '../../../../src/query/mutation.js';
import { useService } from '../../../support/service.js';
import { createMany, related } from './related.js';
import { set, writeByHand } from './write-by-hand.js';

const client = useService();
const { create, put, delete: remove } = client;
const { typeOf, takeOver, fromOther } = writeByHand(client);
const title = (index: number): object => ({ title: `Article ${index}` });

/** A process records these writes, does so many of them, and dies. Gives what another process does later. */
async function leaveBehind(writes: readonly Write[], done: number): Promise<() => Promise<void>> {
  const { database, registry } = client.service;
  const store = openStore(database.db, { timeout: 5000, exclusive: false });
  await openIntents(database.db).record({ id: 'left', writes });
  for (const write of writes.slice(0, done)) await store.apply([write]);
  return async () => {
    expect(await store.sweep(registry, 0)).toBeGreaterThan(0);
    expect(await database.db.collection('_intents').countDocuments()).toBe(0);
  };
}

// Deletes leave their records for a while; no other process finds them in these tests.
beforeEach(async () => {
  await client.service.database.db.collection('_intents').deleteMany({});
});

const stored = (collection: string, id: number): Promise<Document | null> =>
  client.service.database.db.collection<{ _id: number }>(collection).findOne({ _id: id });

describe('an exclusive link that a crashed process left unfinished', () => {
  const takers = async (): Promise<readonly [card: number, former: number, left: number, later: number]> => {
    const card = await create('seo-cards', { headline: 'Card' });
    const [former = 0, left = 0, later = 0] = await createMany(client, 'articles', 3, title);
    await put(`/api/articles/${former}`, { seoCard: card });
    return [card, former, left, later];
  };

  test('is completed if the entries are unchanged since', async () => {
    const [card, former, left] = await takers();
    const sweep = await leaveBehind(await takeOver(left, card), 1);
    await sweep();
    expect(await related(client, `/api/seo-cards/${card}`, 'article')).toBe(left);
    expect(await related(client, `/api/articles/${former}`, 'seoCard')).toBeNull();
  });

  test.each([
    ['the one that it was about', (left: number) => left],
    ['another', (_: number, later: number) => later],
  ])('does not take the entry from a later owner: %s', async (_, choose) => {
    const [card, , left, later] = await takers();
    const sweep = await leaveBehind(await takeOver(left, card), 1);
    const taker = choose(left, later);
    await put(`/api/articles/${taker}`, { seoCard: card });
    expect(await related(client, `/api/seo-cards/${card}`, 'article')).toBe(taker);
    await sweep();
    expect(await related(client, `/api/seo-cards/${card}`, 'article')).toBe(taker);
    for (const id of [left, later].filter((one) => one !== taker)) {
      expect(await stored('articles', id)).not.toHaveProperty('seoCard');
    }
  });

  test('is removed from the former owner, even if that was written since', async () => {
    const [card, former, left] = await takers();
    const sweep = await leaveBehind(await takeOver(left, card), 1);
    await put(`/api/articles/${left}`, { title: 'Newer' });
    await sweep();
    expect(await stored('articles', former)).not.toHaveProperty('seoCard');
    expect(await related(client, `/api/seo-cards/${card}`, 'article')).toBe(left);
  });

  test('is discarded if its first step did not run', async () => {
    const [card, former, left] = await takers();
    const sweep = await leaveBehind(await takeOver(left, card), 0);
    await sweep();
    expect(await related(client, `/api/seo-cards/${card}`, 'article')).toBe(former);
  });

  test('from the inverse side, is completed, or yields to later writes', async () => {
    const [card, former, left, later] = await takers();
    const finish = await leaveBehind(await fromOther('seo-card', card, 'article', set(left)), 2);
    await finish();
    expect(await related(client, `/api/seo-cards/${card}`, 'article')).toBe(left);
    expect(await stored('articles', former)).not.toHaveProperty('seoCard');
    const sweep = await leaveBehind(await fromOther('seo-card', card, 'article', set(former)), 1);
    await put(`/api/articles/${later}`, { seoCard: card });
    await sweep();
    expect(await related(client, `/api/seo-cards/${card}`, 'article')).toBe(later);
    expect(await stored('articles', former)).not.toHaveProperty('seoCard');
  });
});

describe('a list of the inverse side that a crashed process left unfinished', () => {
  const author = (index: number): object => ({ name: `Author ${index}` });
  const begun = async () => {
    const [one = 0, two = 0, three = 0] = await createMany(client, 'articles', 3, title);
    const [left = 0, other = 0] = await createMany(client, 'authors', 2, author);
    await put(`/api/authors/${left}`, { articles: [three] });
    await put(`/api/authors/${other}`, { articles: [one] });
    const sweep = await leaveBehind(await fromOther('author', left, 'articles', set(one, two)), 1);
    const held = async () => [
      await related(client, `/api/authors/${left}`, 'articles'),
      await related(client, `/api/authors/${other}`, 'articles'),
    ];
    return { one, two, three, left, other, sweep, held };
  };

  test('is completed if the entries are unchanged since', async () => {
    const { one, two, sweep, held } = await begun();
    await sweep();
    expect(await held()).toEqual([[one, two], []]);
  });

  test('does not take an entry that another list got since', async () => {
    const { one, two, other, sweep, held } = await begun();
    await put(`/api/authors/${other}`, { articles: { connect: [two] } });
    await sweep();
    expect(await held()).toEqual([[one], [two]]);
  });

  test('does not change an entry that was written since', async () => {
    const { one, two, three, left, other, sweep, held } = await begun();
    await put(`/api/articles/${one}`, { author: null });
    await put(`/api/articles/${two}`, { author: other });
    await put(`/api/articles/${three}`, { author: left });
    await sweep();
    expect(await held()).toEqual([[three], [two]]);
  });

  test.each([
    ['its scalars were', () => ({ name: 'Renamed' }), [0, 1]],
    ['an entry was connected', ([, , three = 0]: readonly number[]) => ({ articles: { connect: [three] } }), [0, 1, 2]],
    ['an entry was disconnected', ([one = 0]: readonly number[]) => ({ articles: { disconnect: [one] } }), [1]],
    ['it was replaced', ([, , three = 0]: readonly number[]) => ({ articles: [three] }), [2]],
    ['it was emptied', () => ({ articles: [] }), []],
  ])('is finished although %s since', async (_, data, expected) => {
    const { one, two, three, left, sweep, held } = await begun();
    const articles = [one, two, three];
    await put(`/api/authors/${left}`, data(articles));
    await sweep();
    expect((await held())[0]).toEqual(expected.map((index) => articles[index]));
  });

  test('leaves an entry that was placed in another list since', async () => {
    const { one, two, other, sweep, held } = await begun();
    const connect = [{ id: two, position: { before: one } }];
    await put(`/api/authors/${other}`, { articles: { connect } });
    await sweep();
    expect(await held()).toEqual([[one], [two]]);
  });

  test('links an entry whose other values were written since', async () => {
    const { one, two, sweep, held } = await begun();
    await put(`/api/articles/${two}`, { title: 'Written since' });
    await sweep();
    expect(await held()).toEqual([[one, two], []]);
  });
});

test('recovery does not change a morph relation that was written since', async () => {
  const comment = await create('comments', { text: 'Commented' });
  const [first = 0, second = 0] = await createMany(client, 'articles', 2, title);
  const subject = typeOf('comment').attributes.get('subject');
  if (subject?.kind !== 'morph') throw new Error('subject is no morph');
  const target = { __type: typeOf('article').uid, id: first };
  const [update] = await fromOther('article', first, 'tags', set());
  const attach: Write = { kind: 'attach', type: typeOf('comment'), attribute: subject, owners: [comment], target };
  const sweep = await leaveBehind([update, attach], 1);
  await put(`/api/comments/${comment}`, { subject: { __type: target.__type, id: second } });
  await sweep();
  expect(await stored('comments', comment)).toMatchObject({ subject: { id: second } });
});

test('recovery does not recreate an entry that was deleted since', async () => {
  const id = await create('articles', { title: 'Made by a process that died' });
  const document = await stored('articles', id);
  await remove(`/api/articles/${id}`);
  await client.service.database.db.collection('_intents').deleteMany({});
  const nothing = { paths: [], remove: [], add: [] };
  const values = new Map([['updatedAt', document?.['updatedAt'] as Date]]);
  const changes = { values, merges: new Map(), links: [], references: nothing, uniqueKeys: nothing };
  const type = typeOf('article');
  const sweep = await leaveBehind(
    [
      { kind: 'insert', type, id, changes },
      { kind: 'forget', type, target: type, id },
    ],
    0,
  );
  await sweep();
  expect(await stored('articles', id)).toBeNull();
});

test('an entry whose delete did not run keeps its references', async () => {
  const card = await create('seo-cards', { headline: 'Kept' });
  const article = await create('articles', { title: 'Holder', seoCard: card });
  const type = typeOf('seo-card');
  const attribute = typeOf('article').attributes.get('seoCard');
  if (attribute?.kind !== 'relation') throw new Error('seoCard is no relation');
  const unlink: Write = { kind: 'unlink', type: typeOf('article'), attribute, targets: [card], owners: { except: [] } };
  const writes: readonly Write[] = [{ kind: 'remove', type, id: card }, unlink];
  const sweep = await leaveBehind(writes, 0);
  await put(`/api/seo-cards/${card}`, { headline: 'Written since' });
  await sweep();
  expect(await related(client, `/api/articles/${article}`, 'seoCard')).toBe(card);
  const again = await leaveBehind(writes, 1);
  await again();
  expect(await related(client, `/api/articles/${article}`, 'seoCard')).toBeNull();
});
