import type { Attribute } from '../../content-types/types.js';
import { isObject } from '../../query/input.js';
import { groupBy } from './group-by.js';

type Attributes = ReadonlyMap<string, Attribute>;
type Data = Readonly<Record<string, unknown>>;

/** Files for a media field; `path` leads to it from the entry, e.g. `['links', '0', 'icon']`. */
export interface Placement {
  readonly path: readonly string[];
  readonly ids: readonly number[];
}

/**
 * Data with files put where their paths lead; those that lead to no media field are left out. Components that the data
 * does not name are taken from what is stored, by their ids.
 * @param stored the entry, populated as `populateFor` says; undefined for a new one
 */
export function placeFiles(
  data: Data,
  attributes: Attributes,
  placements: readonly Placement[],
  stored: Data | undefined,
): Data {
  return placements.reduce((result, { path, ids }) => place(result, attributes, path, ids, stored) ?? result, data);
}

function place(
  data: Data,
  attributes: Attributes,
  [name = '', ...rest]: readonly string[],
  ids: readonly number[],
  stored: Data | undefined,
): Data | undefined {
  const attribute = attributes.get(name);
  const [given, known] = [data[name], stored?.[name]];
  switch (attribute?.kind) {
    case 'relation':
      if (!attribute.media || rest.length > 0) return undefined;
      return { ...data, [name]: attribute.many ? [...idsIn(given === undefined ? known : given), ...ids] : ids.at(-1) };
    case 'component': {
      const inner = attribute.component.attributes;
      const value = attribute.repeatable
        ? placeInList(given, known, () => inner, rest, ids)
        : placeInOne(given, known, inner, rest, ids);
      return value === undefined ? undefined : { ...data, [name]: value };
    }
    case 'zone': {
      const { components } = attribute;
      const value = placeInList(given, known, (uid) => components.get(uid)?.attributes, rest, ids);
      return value === undefined ? undefined : { ...data, [name]: value };
    }
    case 'scalar':
    case 'morph':
    case 'morphed':
    case undefined:
      return undefined;
    default:
      return attribute satisfies never;
  }
}

function placeInOne(
  given: unknown,
  known: unknown,
  attributes: Attributes,
  path: readonly string[],
  ids: readonly number[],
): Data | undefined {
  const before = isObject(known) ? known : undefined;
  const data = given === undefined && before !== undefined ? { id: before['id'] } : given;
  return isObject(data) ? place(data, attributes, path, ids, given === undefined ? before : undefined) : undefined;
}

/** The list with files put into its element at the index that the path begins with. */
function placeInList(
  given: unknown,
  known: unknown,
  attributesOf: (component: string) => Attributes | undefined,
  [index = '', ...path]: readonly string[],
  ids: readonly number[],
): readonly unknown[] | undefined {
  const before = given === undefined ? listOf(known).filter(isObject) : [];
  const list = given === undefined ? before.map(referenceTo) : listOf(given);
  const [position, element] = [Number(index), list[Number(index)]];
  const attributes = isObject(element) ? attributesOf(String(element['__component'])) : undefined;
  if (attributes === undefined) return undefined;
  const placed = place(element as Data, attributes, path, ids, before[position]);
  return placed === undefined ? undefined : list.with(position, placed);
}

/** A component as it is written to stay as it is. */
const referenceTo = ({ id, __component }: Data): Data => ({ id, ...(__component !== undefined && { __component }) });

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);

/** The files that a field holds, or is to hold. */
const idsIn = (value: unknown): readonly unknown[] =>
  (typeof value === 'number' ? [value] : listOf(value)).map((one): unknown => (isObject(one) ? one['id'] : one));

/** What has to be populated so that files can be placed: everything on the way. */
export function populateFor(attributes: Attributes, paths: readonly (readonly string[])[]): Data {
  const populated: Record<string, unknown> = {};
  for (const [name, below] of groupBy(paths, ([first]) => first ?? '')) {
    const attribute = attributes.get(name);
    if (attribute?.kind === 'relation' && attribute.media) populated[name] = true;
    else if (attribute?.kind === 'zone') populated[name] = { populate: '*' };
    else if (attribute?.kind === 'component') {
      const rest = below.map((path) => path.slice(attribute.repeatable ? 2 : 1));
      populated[name] = { populate: populateFor(attribute.component.attributes, rest) };
    }
  }
  return populated;
}
