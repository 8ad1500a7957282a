import { AppError } from '../../errors/app-error.js';
import type { LinkChange, MorphLink, Position } from '../../query/mutation.js';

type Data = Readonly<Record<string, unknown>>;

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What Strapi v4 says to anything that it cannot read as a relation: of the whole, without a path. */
const invalid = (): AppError => new AppError('validation', [{ path: [], message: 'Invalid relations' }]);

/**
 * What a written relation asks for: an id, `{ id }`, a list of these, or null replace what is linked; so does
 * `{ set }`, which wins over `{ connect, disconnect }`. Undefined when it asks for nothing. What is no number becomes
 * NaN: an id that no entry has. As in Strapi v4, elements of `connect` that are written alike count once; `connect` may
 * still name an entry twice, e.g. as `5` and as `{ id: 5 }`, see `checkConnect`.
 * @throws AppError validation
 */
export function parseRelation(value: unknown): LinkChange | undefined {
  if (value === null) return replaceBy([]);
  if (Array.isArray(value)) return replaceBy(value);
  if (!isData(value)) return replaceBy([value]);
  const { set, connect, disconnect, id, options } = value;
  if (!isAbsent(set)) return replaceBy(listOf(set));
  if (isAbsent(connect) && isAbsent(disconnect)) return isAbsent(id) ? undefined : replaceBy([value]);
  const strict = !(isData(options) && options['strict'] === false);
  return {
    replaces: false,
    disconnect: [...new Set(listOf(disconnect ?? []).map(parseId))],
    connect: unique(listOf(connect ?? []), writtenForm).map((one) => ({
      id: parseId(one),
      position: parsePosition(one, strict),
      ...localeOf(one),
    })),
  };
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

function replaceBy(values: readonly unknown[]): LinkChange {
  const connect = values.map((value) => ({
    id: parseId(value),
    position: { at: 'end' } as const,
    ...localeOf(value),
  }));
  return { replaces: true, disconnect: [], connect: unique(connect, ({ id }) => id) };
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid();
  return value;
}

function parseId(value: unknown): number {
  const id = isData(value) ? value['id'] : value;
  if (typeof id !== 'number' && typeof id !== 'string') throw invalid();
  return id === '' ? Number.NaN : Number(id);
}

function localeOf(value: unknown): { readonly locale?: string } {
  const locale = isData(value) ? value['locale'] : undefined;
  return typeof locale === 'string' ? { locale } : {};
}

/** The same for a relation to one entry: of several, a new entry takes the first, another one the last, as in Strapi v4. */
export const onlyOne = (change: LinkChange, isNew: boolean): LinkChange => ({
  ...change,
  connect: isNew ? change.connect.slice(0, 1) : change.connect.slice(-1),
});

/** Of elements with the same key the first. */
export function unique<T>(list: readonly T[], keyOf: (one: T) => unknown): readonly T[] {
  const seen = new Set<unknown>();
  return list.filter((one) => {
    const key = keyOf(one);
    return !seen.has(key) && seen.add(key);
  });
}

/** What is equal for elements that are written alike, whatever the order of their keys. */
const writtenForm = (value: unknown): string =>
  JSON.stringify(isData(value) ? Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)) : value);

function parsePosition(value: unknown, strict: boolean): Position {
  const position = isData(value) ? value['position'] : undefined;
  if (!isData(position)) return { at: 'end' };
  const { before, after, start } = position;
  const otherwise = strict ? {} : ({ otherwise: 'end' } as const);
  if (!isAbsent(before)) return { at: 'before', id: parseId(before), ...otherwise };
  if (!isAbsent(after)) return { at: 'after', id: parseId(after), ...otherwise };
  return { at: start === true ? 'start' : 'end' };
}

/**
 * The links that a written morph relation consists of from now on: `{ id, __type }`, a list of these, `{ set }` with
 * either, or null for none; so does `{}`, as in Strapi v4, where there may be many. Undefined for an empty list, which
 * as in Strapi v4 asks for nothing.
 * @throws AppError validation
 */
export function parseMorphLinks(
  value: unknown,
  { many }: { readonly many: boolean },
): readonly MorphLink[] | undefined {
  if (Array.isArray(value) && value.length === 0) return undefined;
  return unique(morphElements(value, many).map(parseMorphLink), ({ __type, id }) => `${__type}:${id}`);
}

/** The elements of a written morph relation, as they are written. @throws AppError validation */
function morphElements(value: unknown, many: boolean): readonly unknown[] {
  if (value === null || (many && isData(value) && Object.keys(value).length === 0)) return [];
  const list = isData(value) && Object.hasOwn(value, 'set') ? (value['set'] ?? []) : value;
  return Array.isArray(list) ? (list as readonly unknown[]) : [list];
}

function parseMorphLink(link: unknown): MorphLink {
  const type = isData(link) ? (link['__type'] ?? link['type']) : undefined;
  if (typeof type !== 'string') throw invalid();
  return { __type: type, id: parseId(link) };
}
