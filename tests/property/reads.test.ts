import { describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import { attributesBehind } from '../../src/content-types/model/attributes-behind.js';
import type { Attribute, ContentType } from '../../src/content-types/model/types.js';
import { emptyQuery } from '../../src/documents/context.js';
import { plainEntry } from '../../src/query/entry-presenter.js';
import { isUnreachable } from '../../src/query/visibility.js';
import { id, isScalar, type PopulateNode, type RelatedQuery, type SortKey } from '../../src/query/ast.js';
import { describeSort } from '../../src/query/parse/cursor.js';
import { matches } from '../support/evaluate-filter.js';
import { readRow, sortRows } from '../support/evaluate-read.js';
import { useService } from '../support/service.js';
import { choicesOf, type Choices } from './choices.js';
import { describeFilter, randomFilter } from './random-filter.js';
import { filledTypes } from './random-data.js';
import { folders, makeWorld, tape } from './databases.js';
import { scaled, seed } from '../support/scaled.js';

const QUERIES = Number(process.env['READS'] ?? scaled(60, 200));

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
        const populate = randomNodes(type, types, choices, 0);
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

function randomNodes(
  { attributes }: Pick<ContentType, 'attributes'>,
  types: readonly ContentType[],
  choices: Choices,
  level: number,
): readonly PopulateNode[] {
  return [...attributes.values()].flatMap((attribute): readonly PopulateNode[] => {
    if (level === 3 || choices.chance(40 + 20 * level)) return [];
    const key = attribute.name;
    const query = (type: ContentType, counted: boolean): RelatedQuery => ({
      fields: [],
      populate: randomNodes(type, types, choices, level + 1),
      filter: undefined,
      sort: counted ? randomSort(type, choices, 40) : [],
      start: counted && choices.chance(20) ? 1 : 0,
      limit: counted && choices.chance(50) ? 1 + choices.below(3) : undefined,
      publicationState: undefined,
      count: false,
    });
    if (attribute.kind === 'morph') {
      const on = [...attribute.candidates.values()].filter((type) => types.includes(type));
      return [
        { kind: 'morph', key, attribute, on: new Map(on.map((type) => [type, query(type, choices.chance(40))])) },
      ];
    }
    if ((attribute.kind !== 'relation' && attribute.kind !== 'morphed') || !types.includes(attribute.target)) return [];
    if (isUnreachable(attribute)) return [];
    return [{ kind: 'relation', key, attribute, query: query(attribute.target, attribute.many) }];
  });
}

function randomSort(type: ContentType, choices: Choices, percent: number): readonly SortKey[] {
  if (!choices.chance(percent)) return [];
  return Array.from({ length: 1 + choices.below(2) }, () => randomKey(type, choices));
}

function randomKey({ attributes }: ContentType, choices: Choices): SortKey {
  const direction = choices.oneOf(['ascending', 'descending'] as const);
  const through: SortKey['through'][number][] = [];
  let level: ReadonlyMap<string, Attribute> = attributes;
  while (through.length < 4 && choices.chance(75)) {
    const steps = [...level.values()].filter((one) => one.kind === 'relation' || one.kind === 'component');
    if (steps.length === 0) break;
    const step = choices.oneOf(steps);
    through.push(step);
    level = attributesBehind(step) ?? new Map();
  }
  const fields = [...level.values()].filter(isScalar).filter(({ type }) => type !== 'password');
  return { through, field: fields.length === 0 ? id : choices.oneOf([id, ...fields]), direction };
}

function describeList({
  sort,
  populate,
  start,
  limit,
}: Pick<RelatedQuery, 'sort' | 'populate' | 'start' | 'limit'>): string {
  const nodes = populate.map((node) => {
    if (node.kind === 'relation') return `${node.key}(${describeList(node.query)})`;
    if (node.kind !== 'morph') return node.key;
    return `${node.key}(${[...node.on].map(([{ uid }, query]) => `${uid}(${describeList(query)})`).join()})`;
  });
  return `sort ${describeSort(sort)} start ${start} limit ${limit} populate ${nodes.join()}`;
}
