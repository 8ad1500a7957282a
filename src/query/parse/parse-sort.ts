import { isRecord } from '../../config/record.js';
import { AppError } from '../../errors/app-error.js';
import type { Attributes, ComponentAttribute, RelationAttribute } from '../../content-types/model/types.js';
import { id, type SortKey, type ValuePath } from '../ast.js';
import { entriesOf, isNothing, splitNames, textOf } from './input.js';
import { attributesFor, isReadable, type Audience } from '../visibility.js';

/** Object.prototype's names are dropped, as Strapi v4's object-based parser loses them. */
const isLost = (path: string): boolean => path in {};

/** A path as a request writes it, and what stands behind it: of a sort its direction. */
export interface WrittenPath {
  readonly path: readonly string[];
  readonly option: unknown;
  /** It has a name of Object.prototype. */
  readonly isLost: boolean;
}

/**
 * Parses `sort` as Strapi v4 does (corpus: 14-sort-fields-pagination/10-sort): `title`, `title:desc`, `a,b:desc`, a
 * list of these, or objects (`{ author: { name: 'asc' } }`). A list contains strings or objects, not both.
 * @throws AppError invalidParameter, naming the first key that the audience may not sort by
 */
export const parseSort = (input: unknown, attributes: Attributes, audience: Audience): readonly SortKey[] =>
  sortKeysIn(input).map((key) => ({
    ...resolvePath(key, attributes, audience),
    direction: parseDirection(key.option),
  }));

/** What `sort` names where nothing is sorted: Strapi v4 checks no directions there. @throws AppError as `parseSort` */
export const parseSortPaths = (input: unknown, attributes: Attributes, audience: Audience): readonly ValuePath[] =>
  sortKeysIn(input).map((key) => resolvePath(key, attributes, audience));

const sortKeysIn = (input: unknown): readonly WrittenPath[] => writtenPaths(input).filter(({ isLost }) => !isLost);

/**
 * The paths of a parameter in any form of `sort`.
 * @throws AppError invalidParameter for a list of strings and objects
 */
export function writtenPaths(input: unknown): readonly WrittenPath[] {
  if (typeof input === 'string') return splitNames([input]).flatMap(pathInWord);
  if (isRecord(input)) return pathsInTree(input, []);
  if (!Array.isArray(input)) return [];
  const elements = input as readonly unknown[];
  if (!elements.every((part) => typeof part === 'string') && !elements.every(isRecord)) {
    throw new AppError('invalidParameter', '0');
  }
  const texts = elements.filter((part) => typeof part === 'string');
  return texts.length > 0 ? splitNames(texts).flatMap(pathInWord) : elements.flatMap(writtenPaths);
}

function pathInWord(text: string): readonly WrittenPath[] {
  const word = text.trim();
  if (word === '') return [];
  const [path = '', option = ''] = word.split(':');
  return [{ path: path.split('.'), option: option === '' ? undefined : option, isLost: isLost(path) }];
}

const pathsInTree = (tree: object, above: readonly string[]): readonly WrittenPath[] =>
  entriesOf(tree).flatMap(([name, value]) => {
    const path = [...above, name];
    return isRecord(value) ? pathsInTree(value, path) : [{ path, option: value, isLost: isLost(name) }];
  });

/**
 * The value at a path, through relations and components.
 * @throws AppError invalidParameter, naming the first attribute on it that the audience may not sort by
 */
export function resolvePath(
  { path, option }: Omit<WrittenPath, 'isLost'>,
  attributes: Attributes,
  audience: Audience,
): ValuePath {
  const through: (RelationAttribute | ComponentAttribute)[] = [];
  let level = attributes;
  for (const [index, name] of path.entries()) {
    const last = index === path.length - 1;
    if (last && name === 'id') return { through, field: id };
    const attribute = level.get(name);
    if (attribute === undefined || !isReadable(attribute, audience)) throw new AppError('invalidParameter', name);
    if (last && attribute.kind === 'scalar') return { through, field: attribute };
    if (attribute.kind !== 'relation' && attribute.kind !== 'component') throw new AppError('invalidParameter', name);
    // `sort[vendor]=asc` is refused as the unknown attribute `asc` of the vendor (corpus:
    // 14-sort-fields-pagination/10-sort).
    if (last) throw new AppError('invalidParameter', path.length > 1 || isNothing(option) ? name : textOf(option));
    through.push(attribute);
    level = attributesFor(attribute.kind === 'relation' ? attribute.target : attribute.component, audience);
  }
  throw new AppError('invalidParameter', path.join('.'));
}

/** @throws AppError invalidParameter */
export function parseDirection(input: unknown): SortKey['direction'] {
  const text = input === undefined ? 'asc' : textOf(input);
  const word = text.toLowerCase();
  if (word === 'asc') return 'ascending';
  if (word === 'desc') return 'descending';
  throw new AppError('invalidParameter', text);
}
