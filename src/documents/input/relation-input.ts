import lodash from 'lodash';
import { isRecord, isAbsent } from '../../config/record.js';
import { AppError } from '../../errors/app-error.js';
import type { LinkChange, MorphLink, Position } from '../../query/mutation.js';

/** An error about the relations of the whole data: Strapi v4 names no path. */
export const refuseRelations = (message: string): AppError =>
  new AppError('validation', [{ path: [], message, rule: 'target' }]);

/** Strapi v4's message for everything that it cannot read as a relation. */
export const INVALID_RELATIONS = 'Invalid relations';

const invalidRelations = (): AppError => refuseRelations(INVALID_RELATIONS);

/**
 * The change that a written relation requests: an id, `{ id }`, a list of these, or null replace all links; so does `{
 * set }`, which takes precedence over `{ connect, disconnect }`. Undefined when it changes nothing. A value that is not
 * a number becomes NaN: an id that no entry has. As in Strapi v4, elements of `connect` that are written alike count
 * once; `connect` may still name an entry twice, e.g. as `5` and as `{ id: 5 }`, see `checkConnect`.
 * @throws AppError validation
 */
export function parseRelation(value: unknown): LinkChange | undefined {
  if (value === null) return replaceBy([]);
  if (Array.isArray(value)) return replaceBy(value);
  if (!isRecord(value)) return replaceBy([value]);
  const { set, connect, disconnect, id, options } = value;
  if (!isAbsent(set)) return replaceBy(listOf(set));
  if (isAbsent(connect) && isAbsent(disconnect)) return isAbsent(id) ? undefined : replaceBy([value]);
  const strict = !(isRecord(options) && options['strict'] === false);
  return {
    replaces: false,
    disconnect: [...new Set([disconnect ?? []].flat().map(parseId))],
    connect: lodash.uniqBy(listOf(connect ?? []), writtenForm).map((element) => ({
      id: parseId(element),
      position: parsePosition(element, strict),
      ...localeOf(element),
    })),
  };
}

function replaceBy(values: readonly unknown[]): LinkChange {
  const connect = values.map((value) => ({
    id: parseId(value),
    position: { at: 'end' } as const,
    ...localeOf(value),
  }));
  return { replaces: true, disconnect: [], connect: lodash.uniqBy(connect, ({ id }) => id) };
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidRelations();
  return value;
}

function parseId(value: unknown): number {
  const id = isRecord(value) ? value['id'] : value;
  if (typeof id !== 'number' && typeof id !== 'string') throw invalidRelations();
  return id === '' ? Number.NaN : Number(id);
}

function localeOf(value: unknown): { readonly locale?: string } {
  const locale = isRecord(value) ? value['locale'] : undefined;
  return typeof locale === 'string' ? { locale } : {};
}

/**
 * The change of a to-one relation: of several entries, an existing entry links the last (corpus:
 * 16-writes-relations/12-to-one), a new one the first, as in Strapi v4.
 */
export const onlyOne = (change: LinkChange, isNew: boolean): LinkChange => ({
  ...change,
  connect: isNew ? change.connect.slice(0, 1) : change.connect.slice(-1),
});

/** A key that is equal for elements that are written alike, whatever the order of their properties. */
const writtenForm = (value: unknown): string =>
  JSON.stringify(isRecord(value) ? Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)) : value);

function parsePosition(value: unknown, strict: boolean): Position {
  const position = isRecord(value) ? value['position'] : undefined;
  if (!isRecord(position)) return { at: 'end' };
  const { before, after, start } = position;
  const otherwise = strict ? {} : ({ otherwise: 'end' } as const);
  if (!isAbsent(before)) return { at: 'before', id: parseId(before), ...otherwise };
  if (!isAbsent(after)) return { at: 'after', id: parseId(after), ...otherwise };
  return { at: start === true ? 'start' : 'end' };
}

/**
 * All links of a morph relation after a write: `{ id, __type }`, a list of these, `{ set }` with either, or null for
 * none; so does `{}` in a to-many relation, as in Strapi v4. Undefined for an empty list, which changes nothing, as in
 * Strapi v4.
 * @throws AppError validation
 */
export function parseMorphLinks(
  value: unknown,
  { many }: { readonly many: boolean },
): readonly MorphLink[] | undefined {
  if (Array.isArray(value) && value.length === 0) return undefined;
  return lodash.uniqBy(morphElements(value, many).map(parseMorphLink), ({ __type, id }) => `${__type}:${id}`);
}

/** The elements of a written morph relation, as they are written. @throws AppError validation */
function morphElements(value: unknown, many: boolean): readonly unknown[] {
  if (value === null || (many && isRecord(value) && Object.keys(value).length === 0)) return [];
  const list = isRecord(value) && Object.hasOwn(value, 'set') ? (value['set'] ?? []) : value;
  return Array.isArray(list) ? (list as readonly unknown[]) : [list];
}

function parseMorphLink(link: unknown): MorphLink {
  const type = isRecord(link) ? (link['__type'] ?? link['type']) : undefined;
  if (typeof type !== 'string') throw invalidRelations();
  return { __type: type, id: parseId(link) };
}
