import { isRecord, type Data } from '../../../config/record.js';
import type { Attribute, Attributes, ContentType } from '../../../content-types/model/types.js';
import { holdsComponents, mapComponents } from '../../../content-types/model/walk.js';
import { AppError } from '../../../errors/app-error.js';
import type { EntryName } from '../../../query/mutation.js';

/**
 * The data of an operation with the ids of named entries in its relations: `$a` becomes the id of `a`.
 * @param named entries that earlier operations create
 * @throws AppError validation
 */
export function resolveNames(
  data: unknown,
  attributes: Attributes,
  named: ReadonlyMap<string, EntryName>,
  path: readonly string[] = [],
): unknown {
  if (!isRecord(data)) return data;
  const resolved = Object.entries(data).map(([name, value]) => {
    const attribute = attributes.get(name);
    return [name, attribute === undefined ? value : inAttribute(value, attribute, named, [...path, name])];
  });
  return Object.fromEntries(resolved) as Data;
}

function inAttribute(
  value: unknown,
  attribute: Attribute,
  named: ReadonlyMap<string, EntryName>,
  path: readonly string[],
): unknown {
  if (holdsComponents(attribute))
    return mapComponents(value, attribute, (data, component, index) =>
      resolveNames(data, component.attributes, named, index === undefined ? path : [...path, String(index)]),
    );
  if (attribute.kind === 'scalar') return value;
  const target = attribute.kind === 'morph' ? undefined : attribute.target;
  return inLinks(value, (name) => idOf(name, target, named, path));
}

/**
 * The id of the entry that `$a` names.
 * @param target the type that it must have; undefined: any
 * @throws AppError validation
 */
export function idOf(
  name: string,
  target: ContentType | undefined,
  named: ReadonlyMap<string, EntryName>,
  path: readonly string[],
): number {
  const entry = named.get(name.slice(1));
  if (entry !== undefined && (target === undefined || entry.type === target)) return entry.id;
  const reason = entry === undefined ? 'names no entry that an earlier operation creates' : 'has another type';
  throw new AppError('validation', [{ path, message: `${name} ${reason}` }]);
}

/** Ids of entries are never strings that begin with a dollar sign. */
function inLinks(value: unknown, toId: (name: string) => number): unknown {
  if (typeof value === 'string') return value.startsWith('$') ? toId(value) : value;
  if (Array.isArray(value)) return value.map((element) => inLinks(element, toId));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inLinks(inner, toId)]));
}
