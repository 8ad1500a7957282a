import { AppError } from '../../errors/app-error.js';
import { booleanOperand } from '../../content-types/model/attribute-types.js';
import type { Attribute } from '../../content-types/model/types.js';
import { entriesOf, isNothing, isObject, type QueryInput } from './input.js';

/** The requests by attribute: a nested query, empty if there are no parameters. */
export function requestedPaths(
  input: unknown,
  attributes: ReadonlyMap<string, Attribute>,
): readonly (readonly [string, QueryInput])[] {
  if (isNothing(input)) return [];
  if (input === '*' || input === true) return [...attributes.keys()].map((name) => [name, {}] as const);
  if (typeof input === 'string') return requestedNames(input.split(','));
  if (Array.isArray(input)) {
    const names = input as readonly unknown[];
    if (!names.every((name) => typeof name === 'string')) throw new AppError('invalidParameter', 'populate');
    return requestedNames(names.flatMap((name) => name.split(',')));
  }
  if (!isObject(input)) throw new AppError('invalidParameter', 'populate');
  return entriesOf(input).flatMap(([name, request]) => {
    if (isObject(request)) return [[name, request] as const];
    return request !== 'f' && request !== 'false' && request !== '0' && booleanOperand(request)
      ? [[name, {}] as const]
      : [];
  });
}

/** The depth limit of brackets. */
const MAX_DEPTH = 200;

/** `a`, `a.b` and `a.c` ask for `a` with `b` and `c` in it. */
function requestedNames(names: readonly string[]): readonly (readonly [string, QueryInput])[] {
  const nested = new Map<string, string[]>();
  for (const name of names.map((path) => path.trim())) {
    const [root = '', ...rest] = name.split('.', MAX_DEPTH + 1);
    if (rest.length === MAX_DEPTH) throw new AppError('tooCostly', 'levels to populate', MAX_DEPTH);
    const paths = nested.get(root) ?? [];
    if (rest.length > 0) paths.push(rest.join('.'));
    nested.set(root, paths);
  }
  return [...nested].map(([root, populate]) => [root, populate.length > 0 ? { populate } : {}] as const);
}
