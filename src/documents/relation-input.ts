import { AppError } from '../errors/app-error.js';

type Data = Readonly<Record<string, unknown>>;

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The ids that a written relation names, in order, each once: an id, `{ id }`, a list of these, `{ set: … }`, or null
 * for none. Undefined when it says nothing (`{}`).
 * @throws AppError validation
 */
export function parseRelation(value: unknown, path: readonly string[]): readonly number[] | undefined {
  if (value === null) return [];
  if (isData(value) && !('id' in value)) {
    const { set, connect, disconnect } = value;
    if (Array.isArray(set)) return parseIds(set, path);
    if (disconnect === undefined && connect !== undefined) return parseIds(connect, path);
    if (connect === undefined && disconnect === undefined) return undefined;
    throw invalid(path);
  }
  return parseIds(Array.isArray(value) ? value : [value], path);
}

function parseIds(values: unknown, path: readonly string[]): readonly number[] {
  if (!Array.isArray(values)) throw invalid(path);
  return [...new Set(values.map((value: unknown) => parseId(value, path)))];
}

function parseId(value: unknown, path: readonly string[]): number {
  const id = isData(value) ? value['id'] : value;
  const number = typeof id === 'number' || (typeof id === 'string' && id !== '') ? Number(id) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw invalid(path);
  return number;
}

/** A link of a morph relation, as it is written and stored. */
export interface MorphLink {
  readonly __type: string;
  readonly id: number;
}

/**
 * The links that a written morph relation names: `{ id, __type }`, a list of these, or null for none.
 * @throws AppError validation
 */
export function parseMorphLinks(value: unknown, path: readonly string[]): readonly MorphLink[] {
  const links = value === null ? [] : Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return links.map((link) => {
    const type = isData(link) ? (link['__type'] ?? link['type']) : undefined;
    if (typeof type !== 'string') throw invalid(path);
    return { __type: type, id: parseId(link, path) };
  });
}

const invalid = (path: readonly string[]): AppError =>
  new AppError('validation', [{ path, message: 'Invalid relations' }]);
