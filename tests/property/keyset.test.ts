import { describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import type { Attribute, ContentType } from '../../src/content-types/model/types.js';
import { plainEntry, type LazyEntry } from '../../src/query/entry-presenter.js';
import type { Store } from '../../src/mongo/store.js';
import type { Query } from '../../src/query/ast.js';
import type { QueryInput } from '../../src/query/parse/input.js';
import { parseQuery } from '../../src/query/parse/parse-query.js';
import { isReadable } from '../../src/query/visibility.js';
import { limits } from '../support/golden.js';
import { useService } from '../support/service.js';
import { choicesOf, type Choices } from './choices.js';
import { describeFilter, randomFilter } from './random-filter.js';
import { filledTypes } from './random-data.js';
import { folders, makeWorld, tape } from './databases.js';
import { scaled, seed } from '../support/scaled.js';

const SORTS = Number(process.env['SORTS'] ?? scaled(25, 150));
const SIZE = 80;
const MOST = 1000;

describe.each(folders)('with the content types of %s', (_, contentTypes) => {
  const client = useService({ contentTypes });

  test('cursor pages concatenated equal the list, for random sorts', async () => {
    const { world, store } = await makeWorld(client.service, SIZE);
    const ids = [...world.values()].flat().map((entry) => Number(entry['_id']));
    let telling = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...filledTypes(client.service.registry)), tape(80), async (type, numbers) => {
        const choices = choicesOf(numbers);
        const sort = Array.from({ length: choices.below(4) }, () => randomKey(type, choices));
        const pageSize = 1 + choices.below(7);
        const filter = choices.chance(30) ? randomFilter(type, choices, ids) : undefined;
        const description = `SEED=${seed} ${type.singularName}?sort=${sort.join()} by ${pageSize}${filter === undefined ? '' : ` ${describeFilter(filter)}`}`;
        const ask = (pagination: QueryInput): Query => ({
          ...parseQuery({ sort, fields: ['id'], pagination }, type, 'client', { ...limits, maxLimit: MOST }),
          filter,
        });
        const { entries } = await store.find(ask({ limit: MOST }));
        const allIds = entries.map(idOf);
        if (entries.length > pageSize && sort.length > 0) telling += 1;
        expect({ description, ids: await walk(store, ask, pageSize, entries.length) }).toEqual({
          description,
          ids: allIds,
        });
      }),
      { numRuns: SORTS },
    );
    expect(telling).toBeGreaterThan(0);
  });
});

/** All pages by cursors; their totals are those of the list. */
async function walk(
  store: Store,
  ask: (pagination: QueryInput) => Query,
  pageSize: number,
  total: number,
): Promise<readonly unknown[]> {
  const walked: unknown[] = [];
  for (let after: string | null | undefined = ''; typeof after === 'string';) {
    const page = await store.find(ask({ pageSize, after }));
    expect(page.total).toBe(total);
    expect(page.entries.length === pageSize || page.next === null).toBe(true);
    walked.push(...page.entries.map(idOf));
    if (walked.length > total) break;
    after = page.next;
  }
  return walked;
}

/** A key that a client may sort by: through relations and components to a scalar or the id. */
function randomKey({ attributes }: ContentType, choices: Choices): string {
  const direction = choices.oneOf(['', ':asc', ':desc']);
  const path: string[] = [];
  for (let level: ReadonlyMap<string, Attribute> | undefined = attributes; level !== undefined;) {
    const usable: readonly Attribute[] = [...level.values()].filter(
      (one) => isReadable(one, 'client') && (one.kind === 'scalar' || (path.length < 3 && isStep(one))),
    );
    const one: Attribute | undefined = usable.length === 0 || choices.chance(5) ? undefined : choices.oneOf(usable);
    path.push(one?.name ?? 'id');
    level =
      one?.kind === 'relation'
        ? one.target.attributes
        : one?.kind === 'component'
          ? one.component.attributes
          : undefined;
  }
  return path.join('.') + direction;
}

const isStep = ({ kind }: Attribute): boolean => kind === 'relation' || kind === 'component';

const idOf = (entry: LazyEntry): number => (entry(plainEntry) as { readonly id: number }).id;
