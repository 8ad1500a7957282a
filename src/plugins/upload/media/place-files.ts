import { groupBy } from '../../../config/group-by.js';
import { isRecord, type Data } from '../../../config/record.js';
import type { Attributes, RelationAttribute } from '../../../content-types/model/types.js';
import { componentOf, type EmbeddingAttribute } from '../../../content-types/model/walk.js';
import type { Appended, AppendStep } from '../../../documents/input/append-files.js';

/** The parts of a path to a media field: `blocks.0.file` or `blocks[0].file`. */
export const pathOf = (field: string): readonly string[] =>
  field.replaceAll(/\[["']?([^\]"']+)["']?\]/g, '.$1').split('.');

/** Files for a media field; `path` is its path in the entry, e.g. `['links', '0', 'icon']`. */
export interface Placement {
  readonly path: readonly string[];
  readonly ids: readonly number[];
}

/**
 * Assigns files to their paths: into the data if it has the field or replaces the component, otherwise into stored
 * fields; existing components are identified by id. Files for paths without a media field are ignored.
 * @param stored the entry, populated as `populateFor` says; undefined for a new one
 */
export function placeFiles(
  data: Data,
  attributes: Attributes,
  placements: readonly Placement[],
  stored: Data | undefined,
): { readonly data: Data; readonly append: readonly Appended[] } {
  let placed = data;
  const append: Appended[] = [];
  for (const { path, ids } of placements) {
    const result = placeAt(placed, attributes, path, ids, stored);
    if (result === undefined) continue;
    if ('steps' in result) append.push({ path: result.steps, ids });
    else placed = result.data;
  }
  return { data: placed, append };
}

/**
 * The media field at a path of the data, or of the stored entry; undefined: the path leads to none. Parameters as of
 * `placeFiles`.
 */
export const mediaFieldAt = (
  data: Data,
  attributes: Attributes,
  path: readonly string[],
  stored: Data | undefined,
): RelationAttribute | undefined => placeAt(data, attributes, path, [], stored)?.field;

/** The media field, and data with the files, or their paths in the stored entry. */
type PlacedValue<D> = { readonly field: RelationAttribute } & (
  { readonly data: D } | { readonly steps: readonly AppendStep[] }
);

function placeAt(
  data: Data,
  attributes: Attributes,
  [name = '', ...rest]: readonly string[],
  ids: readonly number[],
  stored: Data | undefined,
): PlacedValue<Data> | undefined {
  const attribute = attributes.get(name);
  const [input, storedValue] = [data[name], stored?.[name]];
  const within = (placed: PlacedValue<unknown> | undefined): PlacedValue<Data> | undefined => {
    if (placed === undefined) return undefined;
    if ('steps' in placed) return { ...placed, steps: [name, ...placed.steps] };
    return { ...placed, data: { ...data, [name]: placed.data } };
  };
  switch (attribute?.kind) {
    case 'relation':
      if (!attribute.media || rest.length > 0) return undefined;
      if (input === undefined && stored !== undefined) return { field: attribute, steps: [name] };
      // Of several files for one the first counts, but all of them have to exist.
      return within({
        field: attribute,
        data: attribute.many ? [...idsIn(input), ...ids] : [...ids.slice(-1), ...idsIn(input)],
      });
    case 'component':
      if (attribute.repeatable) return within(placeInList(input, storedValue, attribute, rest, ids));
      return within(placeInOne(input, storedValue, attribute.component.attributes, undefined, rest, ids));
    case 'zone':
      return within(placeInList(input, storedValue, attribute, rest, ids));
    case 'scalar':
    case 'morph':
    case 'morphed':
    case undefined:
      return undefined;
    default:
      return attribute satisfies never;
  }
}

/** A written component with the id of a stored one keeps its position. */
function placeInOne(
  input: unknown,
  storedValue: unknown,
  attributes: Attributes,
  uid: string | undefined,
  path: readonly string[],
  ids: readonly number[],
): PlacedValue<Data> | undefined {
  const stored = isRecord(storedValue) ? storedValue : undefined;
  if (input !== undefined && !isRecord(input)) return undefined;
  if (input === undefined && stored === undefined) return undefined;
  const isKept = stored !== undefined && (input === undefined || Number(input['id']) === stored['id']);
  const placed = placeAt(input ?? {}, attributes, path, ids, isKept ? stored : undefined);
  if (placed === undefined || !('steps' in placed)) return placed;
  return { ...placed, steps: [{ id: Number(stored?.['id']), uid }, ...placed.steps] };
}

/** Places files into the element of a list at the index that the path begins with. */
function placeInList(
  input: unknown,
  storedValue: unknown,
  attribute: EmbeddingAttribute,
  [index = '', ...path]: readonly string[],
  ids: readonly number[],
): PlacedValue<unknown> | undefined {
  const position = Number(index);
  const stored = listOf(storedValue).filter(isRecord);
  const list = listOf(input);
  const element = input === undefined ? stored[position] : list[position];
  if (!isRecord(element)) return undefined;
  const component = componentOf(attribute, element);
  if (component === undefined) return undefined;
  const { attributes } = component;
  const uid = attribute.kind === 'zone' ? component.uid : undefined;
  if (input === undefined) return placeInOne(undefined, element, attributes, uid, path, ids);
  const same = stored.find(
    (candidate) => candidate['id'] === Number(element['id']) && componentOf(attribute, candidate) === component,
  );
  const placed = placeInOne(element, same, attributes, uid, path, ids);
  return placed === undefined || 'steps' in placed ? placed : { ...placed, data: list.with(position, placed.data) };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);

/** The files of a field in its data. */
function idsIn(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  const linked = isRecord(value) ? (value['set'] ?? value['connect'] ?? ('id' in value ? value : [])) : value;
  return Array.isArray(linked) ? listOf(linked) : [linked];
}

/** The populate parameter for assigning files: everything on their paths. */
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
