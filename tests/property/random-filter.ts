import { attributeTypes, type ScalarValue } from '../../src/content-types/model/attribute-types.js';
import type { Attribute, ContentType, ScalarAttribute } from '../../src/content-types/model/types.js';
import { id, isScalar, type AnyRelation, type Field, type Filter } from '../../src/query/ast.js';
import { operators, type Operator } from '../../src/query/operators.js';
import { isReadable } from '../../src/query/visibility.js';
import { asText } from '../support/evaluate-filter.js';
import type { Choices } from './choices.js';
import { valuesOf } from './values.js';

type Attributes = ReadonlyMap<string, Attribute>;

/** How many relations and components may lie behind one another. */
const DEEPEST = 4;
const allOperators = Object.keys(operators) as readonly Operator[];

/**
 * A filter of any form on a content type or component: every operator, all that is deep, and all of it nested.
 * @param ids of entries that there are
 * @param narrowed some relations ignore entries that do not match another filter
 */
export function randomFilter(
  { attributes }: Pick<ContentType, 'attributes'>,
  choices: Choices,
  ids: readonly number[],
  narrowed = false,
): Filter {
  const { below, oneOf, chance } = choices;

  function filterOn(attributes: Attributes, level: number, groups: number): Filter {
    const deeper = (): Filter => filterOn(attributes, level, groups + 1);
    if (groups < 3 && chance(25)) {
      return { kind: oneOf(['and', 'or']), filters: Array.from({ length: 1 + below(3) }, deeper) };
    }
    if (groups < 3 && chance(20)) return { kind: 'not', filter: deeper() };
    if (chance(3)) return { kind: 'never' };
    if (chance(10) && attributes.has('publishedAt')) return { kind: 'live' };
    const found = level < DEEPEST && chance(55) ? [...attributes.values()].filter(isReachable) : [];
    return found.length > 0 ? through(oneOf(found), level) : comparison(chance(15) ? id : oneOf(fieldsOf(attributes)));
  }

  function through(attribute: DeepAttribute, level: number): Filter {
    if (attribute.kind === 'zone') {
      const component = oneOf([...attribute.components.values()]);
      return { kind: 'zone', attribute, component, filter: filterOn(component.attributes, level + 1, 1) };
    }
    const { attributes } = attribute.kind === 'component' ? attribute.component : attribute.target;
    const filter = filterOn(attributes, level + 1, 1);
    if (attribute.kind === 'component') return { kind: 'component', attribute, filter };
    const only = narrowed && chance(40) ? { only: filterOn(attributes, level + 1, 1) } : {};
    return { kind: 'related', attribute, filter, ...only };
  }

  function comparison(field: Field): Filter {
    const operator = chance(20) ? oneOf(['$null', '$notNull'] as const) : oneOf(allOperators);
    const operand = (): ScalarValue =>
      field.kind === 'id' ? idOperand(operator) : operandOf(field, operators[operator].text === true, choices);
    switch (operators[operator].operands) {
      case 'flag':
        return { kind: 'comparison', field, operator, operands: [] };
      case 'each':
        return { kind: 'comparison', field, operator, operands: [operand()] };
      case 'many':
        return { kind: 'comparison', field, operator, operands: Array.from({ length: 1 + below(3) }, operand) };
      case 'pair':
        return { kind: 'comparison', field, operator, operands: [operand(), operand()] };
      default:
        return operators[operator].operands satisfies never;
    }
  }

  const idOperand = (operator: Operator): ScalarValue => {
    const one = ids.length > 0 ? oneOf(ids) : 1;
    return operators[operator].text ? String(one) : one;
  };

  const isSearch = attributes.has('createdAt') && chance(3);
  const filter = filterOn(attributes, 0, 0);
  if (!isSearch) return filter;
  const text = oneOf(['a', 'Ada', '1', '%']);
  return {
    kind: 'and',
    filters: [filter, { kind: 'search', text, fields: fieldsOf(attributes).filter(isSearched) }],
  };
}

type DeepAttribute = AnyRelation | Extract<Attribute, { kind: 'component' | 'zone' }>;

/** Relations of every kind, from both sides, components and zones. */
const isReachable = (attribute: Attribute): attribute is DeepAttribute =>
  attribute.kind === 'component' ||
  attribute.kind === 'zone' ||
  attribute.kind === 'relation' ||
  attribute.kind === 'morphed';

const fieldsOf = (attributes: Attributes): readonly Field[] => [
  id,
  ...[...attributes.values()].filter(isScalar).filter((attribute) => isReadable(attribute, 'internal')),
];

const isSearched = (field: Field): boolean =>
  field.kind === 'id' || ['string', 'text', 'uid', 'email', 'integer', 'decimal', 'enumeration'].includes(field.type);

/** A value that some entry may have, or for operators on texts also a part of one. */
function operandOf(field: ScalarAttribute, isText: boolean, { oneOf, below, chance }: Choices): ScalarValue {
  const value =
    attributeTypes[field.type].operand(
      written(field.unique || field.type === 'uid' ? `key-${below(40)}` : oneOf(valuesOf(field))),
    ) ?? 0;
  if (!isText) return value;
  const whole = asText(field, value) ?? '';
  const text = chance(40) ? whole.toUpperCase() : whole;
  if (chance(40)) return text;
  const characters = Array.from(text);
  const from = below(characters.length);
  return characters.slice(from, from + 1 + below(4)).join('');
}

/** As it comes in a query string. */
const written = (value: unknown): unknown => (typeof value === 'object' ? JSON.stringify(value) : value);

/** A filter for people to read. */
export const describeFilter = (filter: Filter): string =>
  JSON.stringify(filter, (key, value: unknown) => {
    if (key === 'attribute' || key === 'field') return (value as Field).name;
    if (key === 'fields') return (value as readonly Field[]).map(({ name }) => name);
    return typeof value === 'bigint' ? `${value}n` : value;
  });
