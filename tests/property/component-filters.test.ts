import { describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import { plainEntry } from '../../src/query/entry-presenter.js';
import { emptyQuery } from '../../src/documents/context.js';
import type { Attribute, Component } from '../../src/content-types/model/types.js';
import type { PopulateNode, Selection } from '../../src/query/ast.js';
import { matches, type Row, type World } from '../support/evaluate-filter.js';
import { useService } from '../support/service.js';
import { choicesOf, type Choices } from './choices.js';
import { describeFilter, randomFilter } from './random-filter.js';
import { filledTypes } from './random-data.js';
import { folders, makeWorld, tape } from './databases.js';
import { scaled, seed } from '../support/scaled.js';

const QUERIES = Number(process.env['FILTERS'] ?? scaled(40, 500));

/** The attributes that embed components. */
type EmbeddingNode = Extract<PopulateNode, { kind: 'component' | 'zone' }>;

describe.each(folders)('with the content types of %s', (_, contentTypes) => {
  const client = useService({ contentTypes });

  test('filters of populated components keep exactly the matching ones', async () => {
    const { world, store } = await makeWorld(client.service, 100);
    const ids = [...world.values()].flat().map((entry) => Number(entry['_id']));
    const types = filledTypes(client.service.registry).filter(({ attributes }) =>
      [...attributes.values()].some(embeds),
    );
    let left = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...types), tape(80), async (type, numbers) => {
        const populate = randomNodes(type.attributes, choicesOf(numbers), ids);
        const description = `SEED=${seed} ${type.singularName}: ${populate.map(describeNode).join()}`;
        const pagination = { form: 'offset', start: 0, limit: 1000, withCount: false } as const;
        const page = await store.find({ ...emptyQuery(type), populate, pagination });
        const entries = page.entries.map((entry) => entry(plainEntry));
        const expected = (world.get(type.uid) ?? []).map((entry) => ({
          id: entry['_id'],
          ...read(populate, entry, world),
        }));
        if (JSON.stringify(expected).includes('{"id":')) left += 1;
        expect({ description, entries }).toEqual({ description, entries: expected });
      }),
      { numRuns: QUERIES },
    );
    expect(left).toBeGreaterThan(0);
  });
});

const embeds = ({ kind }: Attribute): boolean => kind === 'component' || kind === 'zone';

const randomNodes = (
  attributes: ReadonlyMap<string, Attribute>,
  choices: Choices,
  ids: readonly number[],
): readonly EmbeddingNode[] =>
  [...attributes.values()].flatMap((attribute): readonly EmbeddingNode[] => {
    if (!embeds(attribute) || choices.chance(20)) return [];
    const key = attribute.name;
    const selectionOf = (component: Component): Selection => ({
      fields: [],
      populate: randomNodes(component.attributes, choices, ids),
    });
    if (attribute.kind === 'zone') {
      const on = [...attribute.components].map(([uid, component]) => {
        const filter = choices.chance(50) ? randomFilter(component, choices, ids) : undefined;
        const [start, limit] = [choices.below(2), choices.chance(50) ? 1 : undefined];
        return [uid, { ...selectionOf(component), filter, sort: [], start, limit }] as const;
      });
      return [{ kind: 'zone', key, attribute, on: new Map(on) }];
    }
    if (attribute.kind !== 'component') return [];
    const filter = choices.chance(70) ? randomFilter(attribute.component, choices, ids) : undefined;
    const selection = { ...selectionOf(attribute.component), filter, sort: [], start: 0, limit: undefined };
    return [{ kind: 'component', key, attribute, selection }];
  });

function describeNode(node: PopulateNode): string {
  if (node.kind === 'zone')
    return `${node.key} ${[...node.on].map(([uid, part]) => `${uid} ${part.filter ? describeFilter(part.filter) : ''} ${part.start}+${part.limit} {${part.populate.map(describeNode).join()}}`).join()}`;
  if (node.kind !== 'component') return '';
  const { filter, populate } = node.selection;
  return `${node.key} ${filter ? describeFilter(filter) : ''} {${populate.map(describeNode).join()}}`;
}

/** The components of an entry or component that its filters leave, as they are answered. */
function read(populate: readonly PopulateNode[], row: Row, world: World): object {
  const values = populate.map((node) => {
    const stored = row[node.key] ?? [];
    const rows = (Array.isArray(stored) ? stored : [stored]) as readonly Row[];
    if (node.kind === 'zone') {
      const left = new Set(
        [...node.on].flatMap(([uid, { filter, start, limit = Infinity }]) =>
          rows
            .filter((one) => one['__component'] === uid && (filter === undefined || matches(filter, one, world)))
            .toSorted((a, b) => Number(a['id']) - Number(b['id']))
            .slice(start, start + limit),
        ),
      );
      return [
        node.key,
        rows
          .filter((one) => left.has(one))
          .map((one) => ({
            id: one['id'],
            __component: one['__component'],
            ...read(node.on.get(String(one['__component']))?.populate ?? [], one, world),
          })),
      ] as const;
    }
    if (node.kind !== 'component') throw new Error(`${node.key} embeds nothing`);
    const { filter, populate: inner } = node.selection;
    const kept = rows.filter((one) => filter === undefined || matches(filter, one, world));
    const answered = kept.map((one) => ({ id: one['id'], ...read(inner, one, world) }));
    return [node.key, node.attribute.repeatable ? answered : (answered[0] ?? null)] as const;
  });
  return Object.fromEntries(values);
}
