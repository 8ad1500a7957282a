import { describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import { system, type Caller } from '../../src/documents/caller.js';
import { emptyQuery } from '../../src/documents/context.js';
import { draftsAction } from '../../src/documents/hide-drafts.js';
import { showLatest } from '../../src/documents/show-latest.js';
import { openStore } from '../../src/mongo/store.js';
import { plainEntry } from '../../src/query/entry-presenter.js';
import type { ContentType } from '../../src/content-types/model/types.js';
import { isScalar, type Query } from '../../src/query/ast.js';
import type { QueryInput } from '../../src/query/parse/input.js';
import { parseQuery } from '../../src/query/parse/parse-query.js';
import { isReadable } from '../../src/query/visibility.js';
import { limits } from '../support/golden.js';
import { matches } from '../support/evaluate-filter.js';
import { readRow, sortRows } from '../support/evaluate-read.js';
import { useService } from '../support/service.js';
import { addCopies, linkWithCopies } from './copied-world.js';
import { choicesOf } from './choices.js';
import { describeFilter, randomFilter } from './random-filter.js';
import { filledTypes } from './random-data.js';
import { folders, makeWorld, tape } from './databases.js';
import { describeList, randomNodes, randomSort } from './random-list.js';
import { scaled, seed } from '../support/scaled.js';

const QUERIES = Number(process.env['READS'] ?? scaled(60, 400));

describe.each(folders)('with the content types of %s', (_, contentTypes) => {
  // Its own types have no copies: the check of the stored data would refuse them.
  const client = useService({ contentTypes }, { checked: false });

  test('a preview is what there would be if all working copies were published', async () => {
    const { world } = await makeWorld(client.service, 90);
    const registry = await linkWithCopies(contentTypes);
    const [numbers = []] = fc.sample(tape(20_000), { seed, numRuns: 1 });
    const { entries, latest } = await addCopies(client.service, registry, choicesOf(numbers), 60);
    const store = openStore(client.service.database.db, { timeout: 10_000, exclusive: true });
    const ids = [...world.values()].flat().map((entry) => Number(entry['_id']));
    const types = filledTypes(registry);
    let [telling, several] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...types), tape(160), async (type, numbers) => {
        const choices = choicesOf(numbers);
        const sort = randomSort(type, choices, 60);
        const filter = choices.chance(50) ? randomFilter(type, choices, ids) : undefined;
        const populate = choices.chance(60) ? randomNodes(type, types, choices) : [];
        const [start, limit] = [choices.below(3), choices.chance(50) ? 1000 : 1 + choices.below(9)];
        // The caller may see the drafts of some types only.
        const hidden = new Set(choices.chance(30) ? types.filter(() => choices.chance(40)).map(draftsAction) : []);
        const caller: Caller = { ...system, may: (action) => !hidden.has(action) };
        const pagination = { form: 'offset', start, limit, withCount: true } as const;
        const asked: Query = { ...emptyQuery(type), sort, filter, populate, pagination, publicationState: 'preview' };
        const description = `SEED=${seed} ${type.singularName} ${describeList({ sort, populate, start, limit })} ${filter ? describeFilter(filter) : ''} without ${[...hidden].join()}`;
        const page = await store.find(showLatest(asked, { action: 'find', caller }));
        const found = page.entries.map((entry) => entry(plainEntry));
        const read = (shown: typeof entries) => {
          const rows = (shown.get(type.uid) ?? []).filter((row) => filter === undefined || matches(filter, row, shown));
          const page = sortRows(rows, sort, shown).slice(start, start + limit);
          return { total: rows.length, found: page.map((row) => readRow(row, populate, shown)) };
        };
        const shown = new Map(
          types.map((one) => [one.uid, (hidden.has(draftsAction(one)) ? entries : latest).get(one.uid) ?? []]),
        );
        const expected = read(shown);
        if (JSON.stringify(expected) !== JSON.stringify(read(entries))) telling += 1;
        if (expected.found.length > 1) several += 1;
        expect({ description, total: page.total, found }).toEqual({ description, ...expected });
      }),
      { numRuns: QUERIES },
    );
    expect(telling).toBeGreaterThan(QUERIES / 20);
    expect(several).toBeGreaterThan(QUERIES / 5);
  });

  test('cursor pages of a preview concatenated equal the list', async () => {
    await makeWorld(client.service, 60);
    const registry = await linkWithCopies(contentTypes);
    const [numbers = []] = fc.sample(tape(20_000), { seed: seed + 1, numRuns: 1 });
    const choices = choicesOf(numbers);
    await addCopies(client.service, registry, choices, 60);
    const store = openStore(client.service.database.db, { timeout: 10_000, exclusive: true });
    const ask = (type: ContentType, sort: readonly string[], pagination: QueryInput): Query => {
      const query = parseQuery({ sort, fields: ['id'], pagination }, type, 'client', { ...limits, maxLimit: 1000 });
      return showLatest({ ...query, publicationState: 'preview' }, { action: 'find', caller: system });
    };
    for (const type of filledTypes(registry)) {
      const names = [...type.attributes.values()].filter((one) => isScalar(one) && isReadable(one, 'client'));
      const keys = ['id', 'updatedAt', ...names.map(({ name }) => name)];
      for (const sort of [[], [choices.oneOf(keys)], [`${choices.oneOf(keys)}:desc`, choices.oneOf(keys)]]) {
        const { entries } = await store.find(ask(type, sort, { limit: 1000 }));
        const walked: unknown[] = [];
        for (let after: string | null | undefined = ''; typeof after === 'string';) {
          const page = await store.find(ask(type, sort, { pageSize: 7, after }));
          walked.push(...page.entries.map((entry) => entry(plainEntry)));
          after = walked.length > entries.length ? undefined : page.next;
        }
        expect({ sort, walked }).toEqual({ sort, walked: entries.map((entry) => entry(plainEntry)) });
      }
    }
  });
});
