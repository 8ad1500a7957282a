import { expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import type { Document } from 'mongodb';
import { arrange } from '../../src/documents/write/list-order.js';
import { hasCode } from '../../src/errors/app-error.js';
import { compileWrite } from '../../src/mongo/compile/write/write.js';
import type { LinkChange, Position } from '../../src/query/mutation.js';
import { scaled } from '../support/scaled.js';
import { useService } from '../support/service.js';

const client = useService();

const id = fc.integer({ min: 1, max: 8 });
const ids = fc.uniqueArray(id, { maxLength: 6 });
const position: fc.Arbitrary<Position> = fc.oneof(
  fc.constantFrom<Position>({ at: 'start' }, { at: 'end' }),
  fc.record({ at: fc.constantFrom('before' as const, 'after' as const), id }),
  fc.record({ at: fc.constantFrom('before' as const, 'after' as const), id, otherwise: fc.constant('end' as const) }),
);
const connect = fc.uniqueArray(fc.record({ id, position }), { maxLength: 6, selector: (link) => link.id });
/** Few ids, each placed beside another: many circles, which earlier elements lead into. */
const fewIds = fc.integer({ min: 1, max: 5 });
const circles = fc.uniqueArray(
  fc.record({
    id: fewIds,
    position: fc.oneof(
      fc.record({ at: fc.constant('before' as const), id: fewIds }),
      fc.record({ at: fc.constant('before' as const), id: fewIds, otherwise: fc.constant('end' as const) }),
    ),
  }),
  { minLength: 3, maxLength: 5, selector: (link) => link.id },
);
const change: fc.Arbitrary<LinkChange> = fc.oneof(
  fc.record({ replaces: fc.constant(false), disconnect: fc.uniqueArray(fewIds, { maxLength: 1 }), connect: circles }),
  fc.record({ replaces: fc.constant(false), disconnect: ids, connect }),
  ids.map((replacement) => ({
    replaces: true,
    disconnect: [],
    connect: replacement.map((one) => ({ id: one, position: { at: 'end' } as const })),
  })),
);

/** The order in JavaScript; undefined where the change is refused. */
function expectedOrder(stored: readonly number[], links: LinkChange): readonly number[] | undefined {
  try {
    return arrange(stored, links);
  } catch (error) {
    if (hasCode(error, 'invalidValue')) return undefined;
    throw error;
  }
}

test('a list change results in the same order in JavaScript and in the database, or both refuse it', async () => {
  const { database, registry } = client.service;
  const type = registry.contentTypes.get('api::article.article');
  const attribute = type?.attributes.get('tags');
  if (type === undefined || attribute?.kind !== 'relation') throw new Error('articles have tags');
  const articles = database.db.collection<Document & { _id: number }>(type.collectionName);
  const nothing = { paths: [], remove: [], add: [] };
  const firstId = 1_000_000;
  let next = firstId;

  const counts = { written: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(ids, change, async (stored, links) => {
      next += 1;
      const ranks = stored.map((_, index) => index + 1);
      await articles.insertOne({ _id: next, tags: stored, _rank: { tags: ranks } });
      const newRanks = links.connect.map((_, index) => 100 + index);
      const changes = {
        values: new Map([['title', 'changed']]),
        merges: new Map(),
        links: [{ attribute, ...links, ranks: newRanks }],
        references: nothing,
        uniqueKeys: nothing,
      };
      const [command] = compileWrite({ kind: 'update', type, id: next, changes });
      if (command?.kind !== 'update') throw new Error('an update is one command');
      const { matchedCount } = await articles.updateOne(command.filter, command.update);
      const order = expectedOrder(stored, links);
      expect(matchedCount).toBe(order === undefined ? 0 : 1);
      counts[order === undefined ? 'refused' : 'written'] += 1;
      if (order === undefined) return;
      const rankOf = (one: number): number | undefined =>
        ranks[stored.indexOf(one)] ?? newRanks[links.connect.findIndex((link) => link.id === one)];
      const updated = await articles.findOne({ _id: next });
      expect(updated?.['tags'] ?? []).toEqual(order);
      expect(updated?.['_rank']?.tags ?? []).toEqual(order.map(rankOf));
    }),
    { numRuns: scaled(200, 2500) },
  );
  expect(Math.min(counts.written, counts.refused)).toBeGreaterThan(10);
  await articles.deleteMany({ _id: { $gt: firstId } });
});
