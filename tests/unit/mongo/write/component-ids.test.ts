import { expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { openComponentIds, type ComponentIds } from '../../../../src/mongo/write/component-ids.js';

type Numbers = Readonly<Record<string, number>>;

/** The counter of components in memory; `commands` has what each command added or raised to. */
function counterInMemory(): { readonly db: Db; readonly commands: Numbers[] } {
  const commands: Numbers[] = [];
  const last: Record<string, number> = {};
  const each = (fields: Numbers, change: (before: number, by: number) => number): void => {
    commands.push(fields);
    for (const [path, by] of Object.entries(fields)) {
      const name = path.replace('last.', '');
      last[name] = change(last[name] ?? 0, by);
    }
  };
  const collection = {
    findOneAndUpdate: (_: object, { $inc }: { $inc: Numbers }) => {
      each($inc, (before, by) => before + by);
      return Promise.resolve({ last: { ...last } });
    },
    updateOne: (_: object, { $max }: { $max: Numbers }) => {
      each($max, Math.max);
      return Promise.resolve();
    },
  };
  return { db: { collection: () => collection } as unknown as Db, commands };
}

const take = async (ids: ComponentIds, counts: Numbers): Promise<Numbers> =>
  Object.fromEntries(await ids.reserve(new Map(Object.entries(counts))));

test("each component has its own counter, like Strapi's tables", async () => {
  const ids = openComponentIds(counterInMemory().db);
  expect(await take(ids, { 'shared.seo': 1, 'shared.link': 3 })).toEqual({ 'shared.seo': 1, 'shared.link': 1 });
  expect(await take(ids, { 'shared.seo': 1, 'blocks.text': 1 })).toEqual({ 'shared.seo': 2, 'blocks.text': 1 });
  expect(await take(ids, { 'shared.link': 1 })).toEqual({ 'shared.link': 4 });
});

test('one command allocates blocks of 1,000 for all components of a write', async () => {
  const { db, commands } = counterInMemory();
  const ids = openComponentIds(db);
  await take(ids, { 'shared.seo': 600, 'shared.link': 1, 'blocks.text': 2 });
  expect(commands).toEqual([{ 'last.shared/seo': 1000, 'last.shared/link': 1000, 'last.blocks/text': 1000 }]);
  expect(await take(ids, { 'shared.seo': 400, 'shared.link': 1 })).toMatchObject({ 'shared.seo': 601 });
  expect(commands).toHaveLength(1);
  await take(ids, { 'shared.seo': 1, 'shared.link': 1 });
  expect(commands.slice(1)).toEqual([{ 'last.shared/seo': 1000 }]);
});

test('unused component ids are reused, but never below a higher one', async () => {
  const ids = openComponentIds(counterInMemory().db);
  const counts = new Map([
    ['shared.seo', 2],
    ['shared.link', 1],
  ]);
  const first = await ids.reserve(counts);
  expect(await take(ids, { 'shared.link': 1 })).toEqual({ 'shared.link': 2 });
  ids.release({ first, counts });
  expect(await take(ids, { 'shared.seo': 1, 'shared.link': 1 })).toEqual({ 'shared.seo': 1, 'shared.link': 3 });
});

test('concurrent writes share one command, and component ids are unique', async () => {
  const { db, commands } = counterInMemory();
  const ids = openComponentIds(db);
  const taken = await Promise.all([3, 1, 2].map((count) => take(ids, { 'shared.seo': count })));
  expect(taken).toEqual([{ 'shared.seo': 1 }, { 'shared.seo': 4 }, { 'shared.seo': 5 }]);
  expect(commands).toHaveLength(1);
});

test('the rest of a block is used if there is no other process', async () => {
  const ids = openComponentIds(counterInMemory().db);
  await take(ids, { 'shared.seo': 999 });
  expect(await take(ids, { 'shared.seo': 2500 })).toEqual({ 'shared.seo': 1000 });
  expect(await take(ids, { 'shared.seo': 1 })).toEqual({ 'shared.seo': 3500 });
});

test('two processes never get the same component ids', async () => {
  const { db } = counterInMemory();
  const [one, other] = [openComponentIds(db), openComponentIds(db)];
  expect(await take(one, { 'shared.seo': 1 })).toEqual({ 'shared.seo': 1 });
  expect(await take(other, { 'shared.seo': 1 })).toEqual({ 'shared.seo': 1001 });
  expect(await take(one, { 'shared.seo': 999 })).toEqual({ 'shared.seo': 2 });
  expect(await take(one, { 'shared.seo': 1 })).toEqual({ 'shared.seo': 2001 });
});

test('component ids continue above the value set by an import', async () => {
  const ids = openComponentIds(counterInMemory().db);
  await ids.raise(new Map([['shared.seo', 40]]));
  expect(await take(ids, { 'shared.seo': 1, 'shared.link': 1 })).toEqual({ 'shared.seo': 41, 'shared.link': 1 });
  await ids.raise(new Map([['shared.seo', 7]]));
  expect((await take(ids, { 'shared.seo': 1 }))['shared.seo']).toBeGreaterThan(41);
});

test('writes without components send no command for component ids', async () => {
  const { db, commands } = counterInMemory();
  const ids = openComponentIds(db);
  await take(ids, {});
  await ids.raise(new Map());
  expect(commands).toEqual([]);
});
