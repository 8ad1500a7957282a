import { isRecord } from '../../config/record.js';
import { AppError } from '../../errors/app-error.js';
import type { Attributes, ComponentAttribute, RelationAttribute } from '../../content-types/model/types.js';
import { id, type SortKey, type SortPath } from '../ast.js';
import { entriesOf, isNothing, textOf } from './input.js';
import { attributesFor, isReadable, type Audience } from '../visibility.js';

/** Object.prototype's names are dropped, as Strapi v4's object-based parser loses them. */
const isLost = (path: string): boolean => path in {};

/** A key of `sort` as a request writes it. */
interface WrittenKey {
  readonly path: readonly string[];
  readonly direction: unknown;
}

/**
 * Parses `sort` as Strapi v4 does (corpus: 14-sort-fields-pagination/10-sort): `title`, `title:desc`, `a,b:desc`, a list of these, or objects
 * (`{ author: { name: 'asc' } }`). A list contains strings or objects, not both.
 * @throws AppError invalidParameter, naming the first key that the audience may not sort by
 */
export const parseSort = (input: unknown, attributes: Attributes, audience: Audience): readonly SortKey[] =>
  writtenKeys(input).map((key) => ({
    ...resolve(key, attributes, audience),
    direction: parseDirection(key.direction),
  }));

/** What `sort` names where nothing is sorted: Strapi v4 checks no directions there. @throws AppError as `parseSort` */
export const parseSortPaths = (input: unknown, attributes: Attributes, audience: Audience): readonly SortPath[] =>
  writtenKeys(input).map((key) => resolve(key, attributes, audience));

function writtenKeys(input: unknown): readonly WrittenKey[] {
  if (typeof input === 'string') return keysInText(input);
  if (isRecord(input)) return keysInTree(input, []);
  if (!Array.isArray(input)) return [];
  const elements = input as readonly unknown[];
  if (!elements.every((part) => typeof part === 'string') && !elements.every(isRecord)) {
    throw new AppError('invalidParameter', '0');
  }
  return elements.flatMap(writtenKeys);
}

function keysInText(text: string): readonly WrittenKey[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .flatMap((word) => {
      const [path = '', direction = ''] = word.split(':');
      return isLost(path) ? [] : [{ path: path.split('.'), direction: direction === '' ? undefined : direction }];
    });
}

function keysInTree(tree: object, above: readonly string[]): readonly WrittenKey[] {
  return entriesOf(tree).flatMap(([name, value]) => {
    const path = [...above, name];
    if (isRecord(value)) return keysInTree(value, path);
    return isLost(name) ? [] : [{ path, direction: value }];
  });
}

function resolve({ path, direction }: WrittenKey, attributes: Attributes, audience: Audience): SortPath {
  const through: (RelationAttribute | ComponentAttribute)[] = [];
  let level = attributes;
  for (const [index, name] of path.entries()) {
    const last = index === path.length - 1;
    if (last && name === 'id') return { through, field: id };
    const attribute = level.get(name);
    if (attribute === undefined || !isReadable(attribute, audience)) throw new AppError('invalidParameter', name);
    if (last && attribute.kind === 'scalar') return { through, field: attribute };
    if (attribute.kind !== 'relation' && attribute.kind !== 'component') throw new AppError('invalidParameter', name);
    // `sort[vendor]=asc` is refused as the unknown attribute `asc` of the vendor (corpus: 14-sort-fields-pagination/10-sort).
    if (last)
      throw new AppError('invalidParameter', path.length > 1 || isNothing(direction) ? name : textOf(direction));
    through.push(attribute);
    level = attributesFor(attribute.kind === 'relation' ? attribute.target : attribute.component, audience);
  }
  throw new AppError('invalidParameter', path.join('.'));
}

function parseDirection(input: unknown): SortKey['direction'] {
  const text = input === undefined ? 'asc' : textOf(input);
  const word = text.toLowerCase();
  if (word === 'asc') return 'ascending';
  if (word === 'desc') return 'descending';
  throw new AppError('invalidParameter', text);
}
