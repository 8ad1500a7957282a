import { attributeTypes } from '../../src/content-types/model/attribute-types.js';
import type { ContentType } from '../../src/content-types/model/types.js';
import {
  COUNT,
  measureField,
  type Aggregate,
  type Field,
  type GroupKey,
  type Measure,
  type PopulateNode,
  type Query,
  type ValuePath,
} from '../../src/query/ast.js';
import type { DatePart } from '../../src/query/measures.js';
import { parsePopulate } from '../../src/query/parse/parse-selection.js';
import { matches, type Row } from './evaluate-filter.js';

/** An entry as an answer has it, with what is populated. */
type Entry = Readonly<Record<string, unknown>>;

interface Group {
  readonly key: Readonly<Record<string, unknown>>;
  readonly count: number;
}

/** What of entries has to be populated so that their groups can be computed. */
export function populateOf(type: ContentType, paths: readonly ValuePath[]): readonly PopulateNode[] {
  const tree: Request = {};
  for (const { through } of paths) {
    let level = tree;
    for (const { name } of through) level = (level[name] ??= { populate: {} }).populate;
  }
  return parsePopulate(tree, type, 'client', { populateLimit: 1000 });
}

interface Request {
  [name: string]: { populate: Request };
}

/** The groups of a list, computed from all of its entries, and their number. */
export function evaluateGroups(
  entries: readonly Entry[],
  aggregate: Aggregate,
  { start, limit }: Query['pagination'],
): { readonly groups: readonly Group[]; readonly total: number } {
  const members = new Map<string, { readonly values: readonly unknown[]; readonly entries: Entry[] }>();
  const written = (values: readonly unknown[]): string => JSON.stringify(values);
  if (aggregate.keys.length === 0) members.set(written([]), { values: [], entries: [] });
  for (const entry of entries) {
    const rows = rowsOf(
      entry,
      aggregate.keys.map((key, index) => ({ ...key, index, steps: key.path.through })),
    );
    const tuples = rows.map((row) =>
      aggregate.keys.map((key, index) => partOf(key, row.get(index) ?? null, aggregate.timeZone)),
    );
    for (const [text, values] of new Map(tuples.map((tuple) => [written(tuple), tuple]))) {
      const group = members.get(text) ?? { values, entries: [] };
      members.set(text, group);
      group.entries.push(entry);
    }
  }
  const all = [...members.values()].map(({ values, entries: ofGroup }) => {
    const results = aggregate.measures.map((measure) => resultOf(measure, ofGroup));
    return { values, count: ofGroup.length, results };
  });
  const matching = all.filter(
    (group) => aggregate.having === undefined || matches(aggregate.having, rowOfGroup(group, aggregate), new Map()),
  );
  const sorted = matching.toSorted((a, b) => {
    for (const { by, direction } of aggregate.sort) {
      const [one, other, field] =
        by === 'count'
          ? [a.count, b.count, undefined]
          : 'key' in by
            ? [a.values[by.key], b.values[by.key], fieldOf(aggregate.keys[by.key])]
            : [a.results[by.measure], b.results[by.measure], resultField(aggregate.measures[by.measure])];
      const order = compare(one, other, field);
      if (order !== 0) return direction === 'ascending' ? order : -order;
    }
    for (const [index, key] of aggregate.keys.entries()) {
      const order = compare(a.values[index], b.values[index], fieldOf(key));
      if (order !== 0) return order;
    }
    return 0;
  });
  const groups = sorted.slice(start, start + limit).map(({ values, count, results }) => ({
    key: Object.fromEntries(aggregate.keys.map(({ name }, index) => [name, values[index]])),
    count,
    ...byFunction(aggregate, results, ({ name }) => name),
  }));
  return { groups, total: sorted.length };
}

/** A key with the part of its path that is left. */
interface Walked extends GroupKey {
  readonly index: number;
  readonly steps: ValuePath['through'];
}

/** Every combination of one element of each list, by the indexes of keys. */
function rowsOf(at: Entry | undefined, keys: readonly Walked[]): readonly ReadonlyMap<number, unknown>[] {
  const here = keys.filter(({ steps }) => steps.length === 0);
  const own = new Map(here.map(({ index, path: { field } }) => [index, at?.[nameOf(field)] ?? null] as const));
  const names = [...new Set(keys.flatMap(({ steps: [step] }) => step?.name ?? []))];
  return names.reduce<readonly ReadonlyMap<number, unknown>[]>(
    (rows, name) => {
      const below = keys.filter(({ steps: [step] }) => step?.name === name);
      const elements = elementsOf(at?.[name]);
      const inner = (elements.length > 0 ? elements : [undefined]).flatMap((element) =>
        rowsOf(
          element,
          below.map((key) => ({ ...key, steps: key.steps.slice(1) })),
        ),
      );
      return rows.flatMap((row) => inner.map((more) => new Map([...row, ...more])));
    },
    [own],
  );
}

const elementsOf = (value: unknown): readonly Entry[] =>
  value === null || value === undefined ? [] : ([value].flat() as unknown as readonly Entry[]);

const nameOf = (field: Field): string => (field.kind === 'scalar' ? (field.alias?.name ?? field.name) : field.name);

function valuesOf(entries: readonly Entry[], { through, field }: ValuePath): readonly unknown[] {
  let at = entries;
  for (const { name } of through) at = at.flatMap((entry) => elementsOf(entry[name]));
  return at.map((entry) => entry[nameOf(field)] ?? null).filter((value) => value !== null);
}

const isBig = (field: Field): boolean => field.kind === 'scalar' && field.type === 'biginteger';

function resultOf({ function: name, path }: Measure, entries: readonly Entry[]): unknown {
  const values = valuesOf(entries, path);
  const { field } = path;
  const sorted = values.toSorted((a, b) => compare(a, b, field));
  const big = (): bigint => values.reduce<bigint>((sum, value) => sum + BigInt(String(value)), 0n);
  const sum = (): number => values.reduce<number>((total, value) => total + Number(value), 0);
  switch (name) {
    case 'countDistinct':
      return new Set(values.map((value) => JSON.stringify(value))).size;
    case 'sum':
      return isBig(field) ? String(big()) : sum();
    case 'avg':
      if (values.length === 0) return null;
      return isBig(field) ? quotientOf(big(), BigInt(values.length)) : sum() / values.length;
    case 'min':
      return sorted[0] ?? null;
    case 'max':
      return sorted.at(-1) ?? null;
    default:
      return name satisfies never;
  }
}

/** The number nearest to a quotient, though the dividend is larger than what numbers hold exactly. */
function quotientOf(dividend: bigint, divisor: bigint): number {
  const scaled = (dividend * 10n ** 20n) / divisor;
  return Number(`${scaled}e-20`);
}

/** In which form values are compared. */
type Compared = Field | 'text' | undefined;

const fieldOf = (key: GroupKey | undefined): Compared => (key?.part === undefined ? key?.path.field : 'text');

const resultField = (measure: Measure | undefined): Compared => {
  if (measure === undefined || measure.function === 'countDistinct' || measure.function === 'avg') return undefined;
  return measure.path.field;
};

/** Null is the lowest; texts are compared by code point, JSON as text. */
function compare(a: unknown, b: unknown, field: Compared): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  const isScalarField = typeof field === 'object' && field.kind === 'scalar';
  const kind = field === 'text' ? 'text' : isScalarField ? attributeTypes[field.type].kind : 'number';
  if (isScalarField && (field.type === 'biginteger' || field.type === 'timestamp'))
    return order(BigInt(String(a)), BigInt(String(b)));
  if (kind === 'json') return Buffer.compare(Buffer.from(JSON.stringify(a)), Buffer.from(JSON.stringify(b)));
  if (kind === 'number') return order(a as number, b as number);
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

const order = <T extends number | bigint>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

const byFunction = (
  { measures }: Aggregate,
  results: readonly unknown[],
  nameIn: (measure: Measure, index: number) => string,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> => {
  const grouped: Record<string, Record<string, unknown>> = {};
  for (const [index, measure] of measures.entries())
    (grouped[measure.function] ??= {})[nameIn(measure, index)] = results[index];
  return grouped;
};

/** A group as conditions of `having` see it: null is absence, and values are as they are stored. */
function rowOfGroup(
  group: { readonly count: number; readonly results: readonly unknown[] },
  aggregate: Aggregate,
): Row {
  const results = group.results.map((value, index) => {
    const measure = aggregate.measures[index];
    if (value === null || measure === undefined) return undefined;
    const { field } = measure.path;
    const isResult = field.kind === 'id' || typeof value === 'number' || typeof value === 'boolean';
    return isResult ? value : isBig(field) ? BigInt(String(value)) : attributeTypes[field.type].operand(value);
  });
  return { [COUNT]: group.count, ...byFunction(aggregate, results, (_, index) => measureField(index)) };
}

/** The part of a date by the calendar of the platform, not of the database. */
function partOf({ part, path: { field } }: GroupKey, value: unknown, timeZone: string): unknown {
  if (part === undefined || value === null) return value;
  const type = field.kind === 'scalar' ? field.type : undefined;
  if (type === 'time') return String(value).slice(0, 2);
  if (type === 'date') return textOfPart(part, String(value), '');
  const moment = Number(type === 'timestamp' ? value : new Date(String(value)));
  // Not every version of Node knows offsets.
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(timeZone) ?? [];
  const offset = sign === undefined ? 0 : (60 * Number(hours) + Number(minutes)) * (sign === '-' ? -1 : 1);
  const zone = sign === undefined ? timeZone : 'UTC';
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23' }).formatToParts(moment + offset * 60_000); // prettier-ignore
  const found = (name: string): string => parts.find((one) => one.type === name)?.value ?? '';
  return textOfPart(part, `${found('year')}-${found('month')}-${found('day')}`, found('hour'));
}

function textOfPart(part: DatePart, day: string, hour: string): string {
  const [year = '', month = ''] = day.split('-');
  switch (part) {
    case 'year':
      return year;
    case 'quarter':
      return `${year}-Q${Math.ceil(Number(month) / 3)}`;
    case 'month':
      return `${year}-${month}`;
    case 'week':
      return weekOf(day);
    case 'day':
      return day;
    case 'hour':
      return `${day}T${hour}`;
    default:
      return part satisfies never;
  }
}

/** The week has the year of its Thursday. */
function weekOf(day: string): string {
  const thursday = new Date(`${day}T00:00:00Z`);
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7));
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = Math.floor((thursday.getTime() - first) / (7 * 86_400_000)) + 1;
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}
