import { AppError } from '../errors/app-error.js';
import type { LinkChange, MorphLink, Position } from '../query/write.js';

type Data = Readonly<Record<string, unknown>>;

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What Strapi v4 says to anything that it cannot read as a relation: of the whole, without a path. */
const invalid = (): AppError => new AppError('validation', [{ path: [], message: 'Invalid relations' }]);

/**
 * What a written relation asks for: an id, `{ id }`, a list of these, or null replace what is linked; so does
 * `{ set }`, which wins over `{ connect, disconnect }`. Undefined when it asks for nothing. What is no number becomes
 * NaN: an id that no entry has.
 * @throws AppError validation
 */
export function parseRelation(value: unknown): LinkChange | undefined {
  if (value === null) return replaceBy([]);
  if (Array.isArray(value)) return replaceBy(value);
  if (!isData(value)) return replaceBy([value]);
  const { set, connect, disconnect, id } = value;
  if (!isAbsent(set)) return replaceBy(listOf(set));
  if (isAbsent(connect) && isAbsent(disconnect)) return isAbsent(id) ? undefined : replaceBy([value]);
  const comers = unique(
    listOf(connect ?? []).map((one) => ({ id: parseId(one), position: parsePosition(one), ...localeOf(one) })),
  );
  const goers = unique(listOf(disconnect ?? []).map((one) => ({ id: parseId(one) })));
  // As Strapi v4: what is both connected and disconnected stays.
  const gone = goers.filter((one) => !comers.some(({ id }) => id === one.id));
  return { replaces: false, disconnect: gone.map((one) => one.id), connect: comers };
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

function replaceBy(values: readonly unknown[]): LinkChange {
  const connect = values.map((value) => ({
    id: parseId(value),
    position: { at: 'end' } as const,
    ...localeOf(value),
  }));
  return { replaces: true, disconnect: [], connect: unique(connect) };
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

/** Strapi keeps the first of two equal ids; so do we. */
function unique<T extends { readonly id: number }>(links: readonly T[]): readonly T[] {
  const seen = new Set<number>();
  return links.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function parsePosition(value: unknown): Position {
  const position = isData(value) ? value['position'] : undefined;
  if (!isData(position)) return { at: 'end' };
  const { before, after, start } = position;
  if (!isAbsent(before)) return { at: 'before', id: parseId(before) };
  if (!isAbsent(after)) return { at: 'after', id: parseId(after) };
  return { at: start === true ? 'start' : 'end' };
}

/**
 * The links that a written morph relation names: `{ id, __type }`, a list of these, or null for none.
 * @throws AppError validation
 */
export function parseMorphLinks(value: unknown): readonly MorphLink[] {
  const links = value === null ? [] : Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return links.map((link) => {
    const type = isData(link) ? (link['__type'] ?? link['type']) : undefined;
    if (typeof type !== 'string') throw invalid();
    return { __type: type, id: parseId(link) };
  });
}
