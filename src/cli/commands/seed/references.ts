import { isRecord, type Data } from '../../../config/record.js';
import { suggestion } from '../../../errors/nearest-name.js';
import type { Attribute, Attributes, ContentType, Registry } from '../../../content-types/model/types.js';
import { mapComponents } from '../../../content-types/model/walk.js';
import type { Issue } from '../../../errors/codes.js';
import type { Key } from './reference-ids.js';
import { images, keysOf } from './row.js';

/** A reference to an entry by its key instead of an id. */
export interface Reference extends Key {
  readonly path: readonly string[];
}

/** The visitors of values in a row. */
interface Visit {
  readonly contentTypes: Registry['contentTypes'];
  /** Returns its replacement. */
  readonly reference: (reference: Reference) => unknown;
  readonly issue: (issue: Issue) => void;
}

/** Keys that entries and components can have in addition to attributes; the service sets most of them. */
const otherKeys = new Set(['id', '__component', 'locale', 'localizations', 'createdAt', 'updatedAt', 'publishedAt']);

/** A row with every reference replaced, in components and zones too. Unknown names are reported as issues. */
export function mapReferences(data: Data, attributes: Attributes, visit: Visit, above: readonly string[] = []): Data {
  const mapped = Object.entries(data).map(([name, value]) => {
    const path = [...above, name];
    const attribute = attributes.get(name);
    if (attribute !== undefined) return [name, mapValue(value, attribute, visit, path)] as const;
    if (!otherKeys.has(name)) {
      visit.issue({ path, message: `is not an attribute${suggestion(name, writable(attributes))}` });
    }
    return [name, value] as const;
  });
  return Object.fromEntries(mapped);
}

const writable = (attributes: Attributes): readonly string[] =>
  [...attributes.values()].flatMap((attribute) => (attribute.writable ? [attribute.name] : []));

function mapValue(value: unknown, attribute: Attribute, visit: Visit, path: readonly string[]): unknown {
  switch (attribute.kind) {
    case 'scalar':
    case 'morphed':
      return value;
    case 'relation':
      return mapLinks(value, () => attribute.target, visit, path);
    case 'morph': {
      const typeOf = (link: Data): ContentType | undefined => visit.contentTypes.get(String(link['__type']));
      return mapLinks(value, typeOf, visit, path);
    }
    case 'zone':
    case 'component':
      if (attribute.kind === 'zone') reportOthers(value, [...attribute.components.keys()], visit, path);
      return mapComponents(value, attribute, (part, component, index) =>
        mapReferences(part, component.attributes, visit, index === undefined ? path : [...path, String(index)]),
      );
    default:
      return attribute satisfies never;
  }
}

/** Reports components that a zone does not take. */
function reportOthers(value: unknown, names: readonly string[], visit: Visit, path: readonly string[]): void {
  for (const [index, part] of (Array.isArray(value) ? value : []).entries()) {
    const name: unknown = isRecord(part) ? part['__component'] : undefined;
    if (typeof name === 'string' && !names.includes(name))
      visit.issue({
        path: [...path, String(index), '__component'],
        message: `must be one of ${names.join(', ')}`,
      });
  }
}

type TypeOf = (link: Data) => ContentType | undefined;

function mapLinks(value: unknown, typeOf: TypeOf, visit: Visit, path: readonly string[]): unknown {
  if (Array.isArray(value))
    return value.map((link: unknown, index) => mapLinks(link, typeOf, visit, [...path, String(index)]));
  if (!isRecord(value) || 'id' in value) return value;
  const lists = ['set', 'connect', 'disconnect'].filter((name) => name in value);
  if (lists.length > 0) {
    const mapped = lists.map((name) => [name, mapLinks(value[name], typeOf, visit, [...path, name])] as const);
    return { ...value, ...Object.fromEntries(mapped) };
  }
  const type = typeOf(value);
  // Dangling references are refused by the service.
  return type === undefined ? value : mapReference(value, type, visit, path);
}

function mapReference(
  { __type, locale, ...link }: Data,
  type: ContentType,
  visit: Visit,
  path: readonly string[],
): unknown {
  const [key = '', ...otherKeys] = Object.keys(link);
  // Names of files are not unique, but all that one has to refer to them.
  const keys = type.uid === images.uid ? [images.key] : keysOf(type);
  if (otherKeys.length > 0 || !keys.includes(key)) {
    const message = `must name an entry of ${type.uid} by one of ${['id', ...keys].join(', ')}`;
    visit.issue({ path, message });
    return link;
  }
  const id = visit.reference({ type, key, value: link[key], locale, path });
  return __type === undefined ? id : { __type, id };
}
