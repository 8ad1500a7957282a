import { attributesBehind } from '../../src/content-types/model/walk.js';
import type { Attribute, ContentType } from '../../src/content-types/model/types.js';
import { id, isScalar, type PopulateNode, type RelatedQuery, type SortKey } from '../../src/query/ast.js';
import { describeSort } from '../../src/query/parse/cursor.js';
import { isUnreachable } from '../../src/query/visibility.js';
import type { Choices } from './choices.js';
import { randomFilter } from './random-filter.js';

/**
 * Populated relations of a type, and of those of these types in turn.
 * @param ids of entries that there are: some related entries are filtered, or only counted
 */
export function randomNodes(
  { attributes }: Pick<ContentType, 'attributes'>,
  types: readonly ContentType[],
  choices: Choices,
  ids?: readonly number[],
  level = 0,
): readonly PopulateNode[] {
  return [...attributes.values()].flatMap((attribute): readonly PopulateNode[] => {
    if (level === 3 || choices.chance(40 + 20 * level)) return [];
    const key = attribute.name;
    const query = (type: ContentType, counted: boolean): RelatedQuery => ({
      fields: [],
      populate: randomNodes(type, types, choices, ids, level + 1),
      filter: ids !== undefined && choices.chance(30) ? randomFilter(type, choices, ids) : undefined,
      sort: counted ? randomSort(type, choices, 40) : [],
      start: counted && choices.chance(20) ? 1 : 0,
      limit: counted && choices.chance(50) ? 1 + choices.below(3) : undefined,
      publicationState: undefined,
      count: ids !== undefined && counted && choices.chance(15),
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

/** Sort keys, through relations and components too, in this percentage of lists. */
export function randomSort(type: ContentType, choices: Choices, percent: number): readonly SortKey[] {
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

export function describeList({
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
