import type { Attribute, ContentType } from '../../src/content-types/model/types.js';
import type { QueryInput } from '../../src/query/parse/input.js';
import type { Choices } from './choices.js';

type Attributes = ReadonlyMap<string, Attribute>;

/** How many relations and components may lie behind one another. */
const DEEPEST = 3;

/** A type or component that an attribute leads to; undefined for plain values, zones and morphs. */
function attributesIn(attribute: Attribute): Attributes | undefined {
  if (attribute.kind === 'component') return attribute.component.attributes;
  return attribute.kind === 'relation' || attribute.kind === 'morphed' ? attribute.target.attributes : undefined;
}

/** Parameters of a list of this type as a client sends them: filters, sorts, and populate in each of its forms. */
export function randomQueryInput({ attributes }: ContentType, { below, oneOf, chance }: Choices): QueryInput {
  const readable = (all: Attributes): readonly Attribute[] => [...all.values()].filter((one) => !one.private);
  const deep = (all: Attributes): readonly Attribute[] => readable(all).filter(attributesIn);

  function filters(all: Attributes, level: number, groups = 0): QueryInput {
    const within = (): QueryInput => filters(all, level, groups + 1);
    if (groups < 2 && chance(15)) return { [oneOf(['$and', '$or'])]: [within(), within()] };
    if (groups < 2 && chance(10)) return { $not: within() };
    const behind = level < DEEPEST && chance(60) ? deep(all) : [];
    if (behind.length === 0) return { id: { [oneOf(['$gt', '$ne', '$null'])]: '1' } };
    const attribute = oneOf(behind);
    return { [attribute.name]: filters(attributesIn(attribute) ?? all, level + 1, groups) };
  }

  function sort(all: Attributes, level: number): string {
    const behind = level < DEEPEST && chance(50) ? readable(all).filter(isSorted) : [];
    if (behind.length === 0) return 'id';
    const attribute = oneOf(behind);
    return `${attribute.name}.${sort(attributesIn(attribute) ?? all, level + 1)}`;
  }

  function path(all: Attributes, level: number): string {
    const named = readable(all).filter(({ kind }) => kind !== 'scalar');
    if (named.length === 0) return '*';
    const attribute = oneOf(named);
    const inner = attributesIn(attribute);
    const last = inner === undefined || level >= DEEPEST || chance(40);
    return last ? attribute.name : `${attribute.name}.${path(inner, level + 1)}`;
  }

  function populate(all: Attributes, level: number): unknown {
    if (level >= DEEPEST || chance(15)) return '*';
    if (chance(20)) return path(all, level);
    if (chance(15)) return [path(all, level), path(all, level)];
    const named = readable(all).filter(({ kind }) => kind !== 'scalar');
    if (named.length === 0) return '*';
    const requested = Array.from({ length: 1 + below(3) }, () => oneOf(named));
    return Object.fromEntries(requested.map((attribute) => [attribute.name, request(attribute, level)]));
  }

  /** The parameters of one populated attribute. */
  function request(attribute: Attribute, level: number): unknown {
    if (chance(10)) return oneOf(['true', '*']);
    const components = attribute.kind === 'zone' ? attribute.components : undefined;
    const candidates = attribute.kind === 'morph' ? attribute.candidates : components;
    if (candidates === undefined) return part(attributesIn(attribute) ?? new Map(), level + 1);
    if (chance(15)) return { populate: '*' };
    const on = Array.from({ length: 1 + below(3) }, () => oneOf([...candidates.values()]));
    return { on: Object.fromEntries(on.map((one) => [one.uid, part(one.attributes, level + 1)])) };
  }

  function part(all: Attributes, level: number): QueryInput {
    return {
      ...(chance(45) && { filters: filters(all, level) }),
      ...(chance(35) && { sort: sort(all, level) }),
      ...(chance(20) && { fields: 'id' }),
      ...(chance(70) && { populate: populate(all, level) }),
      ...(level > 0 && chance(15) && { count: 'true' }),
      ...(level > 0 && chance(15) && { limit: '1' }),
    };
  }

  return part(attributes, 0);
}

/** A list can be sorted through to-one attributes. */
const isSorted = (attribute: Attribute): boolean =>
  (attribute.kind === 'relation' && !attribute.many) || (attribute.kind === 'component' && !attribute.repeatable);
