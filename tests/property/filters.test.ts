import { describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import type { ContentType } from '../../src/content-types/model/types.js';
import { emptyQuery } from '../../src/documents/context.js';
import { plainEntry, type LazyEntry } from '../../src/query/entry-presenter.js';
import type { Page } from '../../src/mongo/read/entry-reads.js';
import type { Store } from '../../src/mongo/store.js';
import type { Filter } from '../../src/query/ast.js';
import { matches, type World } from '../support/evaluate-filter.js';
import { useService } from '../support/service.js';
import { choicesOf } from './choices.js';
import { describeFilter, randomFilter } from './random-filter.js';
import { filledTypes } from './random-data.js';
import { folders, makeWorld, tape } from './databases.js';
import { isQuick, scaled, seed } from '../support/scaled.js';

const FILTERS = Number(process.env['FILTERS'] ?? scaled(40, 400));
/** The numbers of entries. */
const [FEW, MANY] = isQuick
  ? [[12], [80]]
  : [
      [4, 12, 40],
      [80, 400],
    ];

describe.each(folders)('with the content types of %s', (_, contentTypes) => {
  const client = useService({ contentTypes });

  /**
   * Compares random filters with the model. `selective` is the number of filters that match some entries and not
   * others.
   */
  const checkFilters = async (
    size: number,
  ): Promise<{ readonly failure: string | undefined; readonly selective: number }> => {
    const { world, store } = await makeWorld(client.service, size);
    const ids = [...world.values()].flat().map((entry) => Number(entry['_id']));
    let selective = 0;
    const details = await fc.check(
      fc.asyncProperty(fc.constantFrom(...filledTypes(client.service.registry)), tape(80), async (type, numbers) => {
        const choices = choicesOf(numbers);
        const filter = randomFilter(type, choices, ids, true);
        const description = `SEED=${seed} ${type.singularName}: ${describeFilter(filter)}`;
        const matching = matchingIds(filter, type, world);
        if (matching.length > 0 && matching.length < (world.get(type.uid)?.length ?? 0)) selective += 1;
        const all = await find(store, type, filter, { start: 0, limit: 1000 });
        expect({ description, ids: all.entries }).toEqual({ description, ids: matching });
        const slice = { start: choices.below(3), limit: 1 + choices.below(3) };
        const { entries, total } = await find(store, type, filter, slice);
        const expected = matching.slice(slice.start, slice.start + slice.limit);
        expect({ description, ids: entries, total }).toEqual({ description, ids: expected, total: matching.length });
      }),
      { seed: seed + size, numRuns: FILTERS },
    );
    return { failure: fc.defaultReportMessage(details), selective };
  };

  // Among few entries most relations are empty, and a filter may match all or none.
  test.each(FEW)('with %i entries every random filter finds and counts the matching entries', async (size) => {
    expect((await checkFilters(size)).failure).toBeUndefined();
  });

  // Collections of 50 entries and more are scanned if no index serves the filter.
  test.each(MANY)('with %i entries it does too, and some filters match only some entries', async (size) => {
    const { failure, selective } = await checkFilters(size);
    expect(failure).toBeUndefined();
    expect(selective).toBeGreaterThan(0);
  });
});

const matchingIds = (filter: Filter, { uid }: ContentType, world: World): readonly unknown[] =>
  (world.get(uid) ?? []).filter((entry) => matches(filter, entry, world)).map((entry) => entry['_id']);

const find = async (
  store: Store,
  type: ContentType,
  filter: Filter,
  slice: { start: number; limit: number },
): Promise<Page> => {
  const pagination = { form: 'offset', withCount: true, ...slice } as const;
  const page = await store.find({ ...emptyQuery(type), filter, pagination });
  return { ...page, entries: page.entries.map(idOf) };
};

const idOf = (entry: LazyEntry): number => (entry(plainEntry) as { readonly id: number }).id;
