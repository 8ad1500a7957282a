import { isRecord } from '../../config/record.js';
import { AppError } from '../../errors/app-error.js';
import type { Attributes, ComponentAttribute, RelationAttribute } from '../../content-types/model/types.js';
import { id, type SortKey } from '../ast.js';
import { entriesOf, isNothing, textOf } from './input.js';
import { isReadable, type Audience } from '../visibility.js';

/** Object.prototype's names are dropped, as Strapi v4's object-based parser loses them. */
const isLost = (path: string): boolean => path in {};

/**
 * Parses `sort` as Strapi v4 does: `title`, `title:desc`, `a,b:desc`, a list of these, or objects
 * (`{ author: { name: 'asc' } }`). A list contains strings or objects, not both.
 * @param toDirection `anyDirection` where nothing is sorted
 * @throws AppError invalidParameter, naming the first key that the audience may not sort by
 */
export function parseSort(
  input: unknown,
  attributes: Attributes,
  audience: Audience,
  toDirection: ToDirection = parseDirection,
): readonly SortKey[] {
  const toKey: ToKey = (path, direction) => resolve(path, direction, attributes, audience, toDirection);
  if (typeof input === 'string') return parseArguments(input, toKey);
  if (isRecord(input)) return parseTree(input, [], toKey);
  if (!Array.isArray(input)) return [];
  const elements = input as readonly unknown[];
  if (!elements.every((part) => typeof part === 'string') && !elements.every(isRecord)) {
    throw new AppError('invalidParameter', '0');
  }
  return elements.flatMap((part) => parseSort(part, attributes, audience, toDirection));
}

type ToDirection = (input: unknown) => SortKey['direction'];
type ToKey = (path: readonly string[], direction: unknown) => SortKey;

function parseArguments(text: string, toKey: ToKey): readonly SortKey[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .flatMap((word) => {
      const [path = '', direction = ''] = word.split(':');
      return isLost(path) ? [] : [toKey(path.split('.'), direction === '' ? undefined : direction)];
    });
}

function parseTree(tree: object, above: readonly string[], toKey: ToKey): SortKey[] {
  return entriesOf(tree).flatMap(([name, value]) => {
    const path = [...above, name];
    if (isRecord(value)) return parseTree(value, path, toKey);
    if (isLost(name)) return [];
    return [toKey(path, value)];
  });
}

function resolve(
  path: readonly string[],
  direction: unknown,
  attributes: Attributes,
  audience: Audience,
  toDirection: ToDirection,
): SortKey {
  const through: (RelationAttribute | ComponentAttribute)[] = [];
  let level = attributes;
  for (const [index, name] of path.entries()) {
    const last = index === path.length - 1;
    if (last && name === 'id') return { through, field: id, direction: toDirection(direction) };
    const attribute = level.get(name);
    if (attribute === undefined || !isReadable(attribute, audience)) throw new AppError('invalidParameter', name);
    if (last && attribute.kind === 'scalar') {
      return { through, field: attribute, direction: toDirection(direction) };
    }
    if (attribute.kind !== 'relation' && attribute.kind !== 'component') throw new AppError('invalidParameter', name);
    // As recorded: `sort[vendor]=asc` is refused as the unknown attribute `asc` of the vendor.
    if (last)
      throw new AppError('invalidParameter', path.length > 1 || isNothing(direction) ? name : textOf(direction));
    through.push(attribute);
    level = attribute.kind === 'relation' ? attribute.target.attributes : attribute.component.attributes;
  }
  throw new AppError('invalidParameter', path.join('.'));
}

/** For a sort without use, which Strapi v4 checks by its names alone. */
export const anyDirection: ToDirection = () => 'ascending';

function parseDirection(input: unknown): SortKey['direction'] {
  const text = input === undefined ? 'asc' : textOf(input);
  const word = text.toLowerCase();
  if (word === 'asc') return 'ascending';
  if (word === 'desc') return 'descending';
  throw new AppError('invalidParameter', text);
}
