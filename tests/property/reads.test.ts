import { describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import { emptyQuery } from '../../src/documents/context.js';
import { plainEntry } from '../../src/query/entry-presenter.js';
import { matches } from '../support/evaluate-filter.js';
import { readRow, sortRows } from '../support/evaluate-read.js';
import { useService } from '../support/service.js';
import { choicesOf } from './choices.js';
import { describeFilter, randomFilter } from './random-filter.js';
import { filledTypes } from './random-data.js';
import { folders, makeWorld, tape } from './databases.js';
import { describeList, randomNodes, randomSort } from './random-list.js';
import { scaled, seed } from '../support/scaled.js';

const QUERIES = Number(process.env['READS'] ?? scaled(30, 200));

describe.each(folders)('with the content types of %s', (_, contentTypes) => {
  const client = useService({ contentTypes });

  test('random lists are sorted, limited and populated like the reference model at any depth', async () => {
    const { world, store } = await makeWorld(client.service, 90);
    const ids = [...world.values()].flat().map((entry) => Number(entry['_id']));
    const types = filledTypes(client.service.registry);
    let [sorted, limited] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...types), tape(120), async (type, numbers) => {
        const choices = choicesOf(numbers);
        const sort = randomSort(type, choices, 50);
        const filter = choices.chance(30) ? randomFilter(type, choices, ids) : undefined;
        const populate = randomNodes(type, types, choices);
        const [start, limit] = [choices.below(3), choices.chance(50) ? 1000 : 1 + choices.below(9)];
        const description = `SEED=${seed} ${type.singularName} ${describeList({ sort, populate, start, limit })} ${filter ? describeFilter(filter) : ''}`;
        const pagination = { form: 'offset', start, limit, withCount: false } as const;
        const page = await store.find({ ...emptyQuery(type), sort, filter, populate, pagination });
        const entries = page.entries.map((entry) => entry(plainEntry));
        const left = (world.get(type.uid) ?? []).filter((row) => filter === undefined || matches(filter, row, world));
        const expected = sortRows(left, sort, world)
          .slice(start, start + limit)
          .map((row) => readRow(row, populate, world));
        if (expected.length > 1 && description.includes('.')) sorted += 1;
        if (/limit [0-9]/.test(description) && JSON.stringify(expected).includes('[{"id"')) limited += 1;
        expect({ description, entries }).toEqual({ description, entries: expected });
      }),
      { numRuns: QUERIES },
    );
    expect(sorted).toBeGreaterThan(0);
    expect(limited).toBeGreaterThan(0);
  });
});
