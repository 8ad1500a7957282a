import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bare } from '../../src/documents/shapes.js';
import { everyEntry } from '../../src/documents/context.js';
import type { Attribute } from '../../src/content-types/types.js';
import type { PopulateNode } from '../../src/query/ast.js';
import { matches, type Row, type World } from '../support/evaluate-filter.js';
import { useService } from '../support/service.js';
import { choicesOf, type Choices } from './choices.js';
import { describeFilter, randomFilter, type DeepAttribute } from './random-filter.js';
import { filledTypes } from './random-world.js';
import { folders, makeWorld, seed, tape } from './worlds.js';

const QUERIES = Number(process.env['FILTERS'] ?? 300);

type ComponentNode = Extract<PopulateNode, { kind: 'component' }>;

describe.each(folders)('with the content types of %s', (_, contentTypes) => {
  const client = useService({ contentTypes });

  test('the filters of populated components leave those that they mean', async () => {
    const { world, store } = await makeWorld(client.service, 100);
    const types = filledTypes(client.service.registry).filter(({ attributes }) =>
      [...attributes.values()].some(isComponent),
    );
    let left = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...types), tape(80), async (type, numbers) => {
        const populate = randomNodes(type.attributes, choicesOf(numbers));
        const said = `SEED=${seed} ${type.singularName}: ${populate.map(describeNode).join()}`;
        const pagination = { form: 'offset', start: 0, limit: 1000, withCount: false } as const;
        const { entries } = await store.find({ ...everyEntry(type), populate, pagination }, bare);
        const meant = (world.get(type.uid) ?? []).map((entry) => ({
          id: entry['_id'],
          ...read(populate, entry, world),
        }));
        if (JSON.stringify(meant).includes('{"id":')) left += 1;
        expect({ said, entries }).toEqual({ said, entries: meant });
      }),
      { seed, numRuns: QUERIES },
    );
    expect(left).toBeGreaterThan(QUERIES / 8);
  });
});

const isComponent = (attribute: Attribute): attribute is ComponentNode['attribute'] => attribute.kind === 'component';

/** A filter of populated components looks at their own values, and at those of single components in them. */
const isWithin = (attribute: Attribute): attribute is DeepAttribute =>
  attribute.kind === 'component' && !attribute.repeatable;

const randomNodes = (attributes: ReadonlyMap<string, Attribute>, choices: Choices): readonly ComponentNode[] =>
  [...attributes.values()].filter(isComponent).flatMap((attribute) => {
    if (choices.chance(20)) return [];
    const { component, name } = attribute;
    const filter = choices.chance(70) ? randomFilter(component, choices, [], isWithin) : undefined;
    const populate = randomNodes(component.attributes, choices);
    return [
      {
        kind: 'component',
        key: name,
        attribute,
        selection: { fields: [], populate, filter, sort: [], start: 0, limit: undefined },
      },
    ];
  });

const describeNode = ({ key, selection }: ComponentNode): string =>
  `${key} ${selection.filter ? describeFilter(selection.filter) : ''} {${selection.populate.map((node) => describeNode(node as ComponentNode)).join()}}`;

/** The components of an entry or component that its filters leave, as they are answered. */
function read(populate: readonly PopulateNode[], row: Row, world: World): object {
  const values = (populate as readonly ComponentNode[]).map(({ key, attribute, selection: { filter, populate } }) => {
    const stored = row[attribute.name] ?? [];
    const rows = (Array.isArray(stored) ? stored : [stored]) as readonly Row[];
    const kept = rows.filter((one) => filter === undefined || matches(filter, one, world));
    const answered = kept.map((one) => ({ id: one['id'], ...read(populate, one, world) }));
    return [key, attribute.repeatable ? answered : (answered[0] ?? null)] as const;
  });
  return Object.fromEntries(values);
}
