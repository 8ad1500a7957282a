import type { ScalarValue } from '../../src/content-types/model/attribute-types.js';
import type { ComponentAttribute } from '../../src/content-types/model/types.js';
import type { AnyRelation, Comparison, Field, Filter } from '../../src/query/ast.js';
import { isUnreachable } from '../../src/query/visibility.js';
import { operators, type Operator } from '../../src/query/operators.js';

/** A stored entry or component. Null is absence, so the row of nulls is `{}`. */
export type Row = Readonly<Record<string, unknown>>;

/** The stored entries, by uid of their content type. */
export type World = ReadonlyMap<string, readonly Row[]>;

/** Three-valued: undefined is unknown, which is what a comparison with null is. */
type Truth = boolean | undefined;

/**
 * Does an entry match a filter? Strapi's joins, word for word: each mention of a relation or component binds one row,
 * or the row of nulls if there is none, and the entry matches if some binding makes the filter true.
 */
export const matches = (filter: Filter, entry: Row, world: World): boolean => outcomes(filter, entry, world).has(true);

/** The value of the filter over all bindings. */
function outcomes(filter: Filter, row: Row, world: World): ReadonlySet<Truth> {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const parts = filter.filters.map((part) => outcomes(part, row, world));
      const [join, empty] = filter.kind === 'and' ? [and, true] : [or, false];
      return parts.reduce((whole, part) => pairs(whole, part, join), new Set<Truth>([empty]));
    }
    case 'not':
      return new Set([...outcomes(filter.filter, row, world)].map(not));
    case 'comparison':
      return new Set([compare(filter, valueOf(filter.field, row))]);
    case 'related':
      return bind(rowsWithin(filter, row, world), filter.filter, world);
    case 'component':
      return bind(componentRows(filter.attribute, row), filter.filter, world);
    case 'zone': {
      const rows = listOf(row[filter.attribute.name]) as readonly Row[];
      const ofKind = rows.filter((one) => one['__component'] === filter.component.uid);
      return bind(ofKind, filter.filter, world);
    }
    case 'live':
      return new Set([row['publishedAt'] !== undefined]);
    case 'search':
      return new Set([filter.fields.some((field) => holds(asText(field, valueOf(field, row)), filter.text))]);
    case 'copied':
    case 'except':
    case 'fallback':
    case 'refers':
      throw new Error('Clients cannot write this filter');
    case 'never':
      return new Set([undefined]);
    default:
      return filter satisfies never;
  }
}

/** The related entries that the filter does not ignore. */
const rowsWithin = (
  { attribute, only }: Extract<Filter, { kind: 'related' }>,
  row: Row,
  world: World,
): readonly Row[] =>
  relatedRows(attribute, row, world).filter((one) => only === undefined || matches(only, one, world));

const bind = (rows: readonly Row[], filter: Filter, world: World): ReadonlySet<Truth> =>
  new Set((rows.length > 0 ? rows : [{}]).flatMap((row) => [...outcomes(filter, row, world)]));

export function relatedRows(attribute: AnyRelation, row: Row, world: World): readonly Row[] {
  const targets = world.get(attribute.target.uid) ?? [];
  const { _id: id } = row;
  if (isUnreachable(attribute)) return [];
  if (attribute.kind === 'morphed') {
    const leadsHere = (link: unknown): boolean => {
      const { __type, id: target } = link as { __type: string; id: number };
      return __type === attribute.owner && target === id;
    };
    return targets.filter((target) => listOf(target[attribute.morphBy]).some(leadsHere));
  }
  const { side, name, inverse = '' } = attribute;
  return targets.filter((target) =>
    side === 'owner' ? listOf(row[name]).includes(target['_id']) : listOf(target[inverse]).includes(id),
  );
}

export const componentRows = ({ name }: ComponentAttribute, row: Row): readonly Row[] =>
  listOf(row[name]) as readonly Row[];

const listOf = (value: unknown): readonly unknown[] => {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
};

const pairs = (some: ReadonlySet<Truth>, others: ReadonlySet<Truth>, join: typeof and): ReadonlySet<Truth> =>
  new Set([...some].flatMap((one) => [...others].map((other) => join(one, other))));

function and(one: Truth, other: Truth): Truth {
  if (one === false || other === false) return false;
  return one === undefined || other === undefined ? undefined : true;
}
const not = (truth: Truth): Truth => (truth === undefined ? undefined : !truth);
const or = (one: Truth, other: Truth): Truth => not(and(not(one), not(other)));

/** An entry has its id as `_id`, a component as `id`. */
const valueOf = (field: Field, row: Row): ScalarValue | undefined =>
  (field.kind === 'id' ? (row['_id'] ?? row['id']) : row[field.name]) as ScalarValue | undefined;

function compare({ field, operator, operands }: Comparison, value: ScalarValue | undefined): Truth {
  if (operator === '$null' || operator === '$notNull') return (value === undefined) === (operator === '$null');
  const compared = operators[operator].text ? asText(field, value) : value;
  return compared === undefined ? undefined : comparisons[operator](compared, operands);
}

/** A value as SQLite writes it: a decimal number with its point, a boolean as 0 or 1, a moment in milliseconds. */
export function asText(field: Field, value: ScalarValue | undefined): string | undefined {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (value instanceof Date) return String(value.getTime());
  const isDecimal = field.kind !== 'id' && (field.type === 'decimal' || field.type === 'float');
  if (isDecimal && Number.isInteger(value)) return `${value}.0`;
  return value === undefined ? undefined : String(value);
}

type Comparing = (value: ScalarValue, operands: readonly ScalarValue[]) => boolean;

const order =
  (...signs: readonly number[]): Comparing =>
  (value, [operand = '']) =>
    signs.includes(orderOf(value, operand));

/** Texts in the order of their bytes, as the database has them. */
function orderOf(one: ScalarValue, other: ScalarValue): number {
  if (typeof one === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(String(other)));
  if (one < other) return -1;
  return one > other ? 1 : 0;
}

const text =
  (test: (value: string, operand: string) => boolean): Comparing =>
  (value, [operand]) =>
    typeof value === 'string' && test(value, String(operand));
const anyCase = (test: (value: string, operand: string) => boolean): Comparing =>
  text((value, operand) => test(value.toLowerCase(), operand.toLowerCase()));
const opposite =
  (comparing: Comparing): Comparing =>
  (value, operands) =>
    !comparing(value, operands);

const isEqual = (value: string, operand: string): boolean => value === operand;
const contains = (value: string, operand: string): boolean => value.includes(operand);
const startsWith = (value: string, operand: string): boolean => value.startsWith(operand);
const endsWith = (value: string, operand: string): boolean => value.endsWith(operand);
const isIn: Comparing = (value, operands) => operands.some((operand) => orderOf(value, operand) === 0);

const comparisons: Readonly<Record<Exclude<Operator, '$null' | '$notNull'>, Comparing>> = {
  $eq: order(0),
  $ne: order(-1, 1),
  $lt: order(-1),
  $lte: order(-1, 0),
  $gt: order(1),
  $gte: order(0, 1),
  $between: (value, [low = '', high = '']) => orderOf(value, low) >= 0 && orderOf(value, high) <= 0,
  $in: isIn,
  $notIn: opposite(isIn),
  $eqi: anyCase(isEqual),
  $nei: opposite(anyCase(isEqual)),
  $contains: text(contains),
  $notContains: opposite(text(contains)),
  $containsi: anyCase(contains),
  $notContainsi: opposite(anyCase(contains)),
  $startsWith: text(startsWith),
  $startsWithi: anyCase(startsWith),
  $endsWith: text(endsWith),
  $endsWithi: anyCase(endsWith),
};

/** As `_q` looks: in any case of letters. */
const holds = (value: string | undefined, needle: string): boolean =>
  value !== undefined && contains(value.toLowerCase(), needle.toLowerCase());
