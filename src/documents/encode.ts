import { AppError } from '../errors/app-error.js';
import { attributeTypes } from '../content-types/attribute-types.js';
import type { Attribute, Component, ContentType, RelationAttribute } from '../content-types/types.js';
import { isIndexed, referenceTo, uniqueKey, type Reference, type StoredValue, type UniqueKey } from '../query/write.js';
import { parseMorphLinks, parseRelation } from './relation-input.js';

type Data = Readonly<Record<string, unknown>>;
type Attributes = ReadonlyMap<string, Attribute>;

/** Valid data in its stored form, and all that goes with it. */
export interface Encoded {
  /** By attribute; undefined clears. */
  readonly values: Map<string, StoredValue | undefined>;
  /** Relations that this entry owns and that have an index. */
  readonly links: { readonly attribute: RelationAttribute; readonly ids: readonly number[] }[];
  /** Relations that the other side owns. */
  readonly inverse: { readonly attribute: RelationAttribute; readonly ids: readonly number[] }[];
  readonly references: Reference[];
  readonly uniqueKeys: UniqueKey[];
  /** Where in the data each unique key of a component came from. */
  readonly uniquePaths: Map<string, readonly string[]>;
  /** Every entry that is led to. */
  readonly targets: Map<ContentType, Set<number>>;
}

export interface EncodeOptions {
  /** Absent values get their defaults. */
  readonly defaults: boolean;
  readonly nextComponentId: () => number;
  readonly contentTypes: ReadonlyMap<string, ContentType>;
}

/**
 * Encodes valid data of a content type as it is stored.
 * @throws AppError invalidValue, validation
 */
export function encode(data: Data, { attributes }: ContentType, options: EncodeOptions): Encoded {
  const encoded: Encoded = {
    values: new Map(),
    links: [],
    inverse: [],
    references: [],
    uniqueKeys: [],
    uniquePaths: new Map(),
    targets: new Map(),
  };
  const place: Place = { path: [], storedPath: '', uid: undefined, encoded, options };
  for (const [name, value] of given(data, attributes, options.defaults)) {
    const attribute = attributes.get(name) as Attribute;
    if (attribute.kind === 'relation' && (attribute.side === 'inverse' || isIndexed(attribute))) {
      const ids = parseRelation(value, [name]);
      if (ids === undefined) continue;
      // As recorded: of several ids for a relation to one entry, the last stays.
      const kept = attribute.many ? ids : ids.slice(-1);
      aim(encoded, attribute.target, kept);
      encoded[attribute.side === 'inverse' ? 'inverse' : 'links'].push({ attribute, ids: kept });
    } else {
      encoded.values.set(name, encodeValue(value, attribute, below(place, name)));
    }
  }
  return encoded;
}

/** Where a value stands: in the data, and as references name it (components by their ids). */
interface Place {
  readonly path: readonly string[];
  readonly storedPath: string;
  /** The uid of the component around it. */
  readonly uid: string | undefined;
  readonly encoded: Encoded;
  readonly options: EncodeOptions;
}

const below = (place: Place, name: string): Place => ({
  ...place,
  path: [...place.path, name],
  storedPath: place.storedPath === '' ? name : `${place.storedPath}.${name}`,
});

/** An element of a list: its index is in the data's path only, references know it by its id. */
const element = (place: Place, index: number): Place => ({ ...place, path: [...place.path, String(index)] });

/** The values to encode: those that are given, and the defaults of those that are not. */
function given(data: Data, attributes: Attributes, defaults: boolean): readonly (readonly [string, unknown])[] {
  return [...attributes.values()].flatMap((attribute) => {
    const { name } = attribute;
    const fallback = defaults && attribute.kind === 'scalar' ? attribute.default : undefined;
    const value = data[name] === undefined ? fallback : data[name];
    return value === undefined ? [] : [[name, value] as const];
  });
}

function encodeValue(value: unknown, attribute: Attribute, place: Place): StoredValue | undefined {
  const { encoded, options } = place;
  switch (attribute.kind) {
    case 'scalar': {
      if (value === null) return undefined;
      const stored = attributeTypes[attribute.type].encode(value);
      if (place.uid !== undefined && (attribute.unique || attribute.type === 'uid')) {
        const k = uniqueKey(place.uid, attribute.name, stored);
        encoded.uniqueKeys.push({ a: place.storedPath, k });
        encoded.uniquePaths.set(k, place.path);
      }
      return stored;
    }
    case 'relation': {
      const ids = parseRelation(value, place.path) ?? [];
      const kept = attribute.many ? ids : ids.slice(-1);
      aim(encoded, attribute.target, kept);
      refer(place, attribute.target, kept);
      return attribute.many ? nonEmpty(kept) : kept[0];
    }
    case 'morph': {
      const links = parseMorphLinks(value, place.path);
      for (const { __type, id } of links) {
        const target = options.contentTypes.get(__type);
        if (target === undefined) throw invalid(place.path, `${place.path.join('.')} leads to no content type`);
        aim(encoded, target, [id]);
        refer(place, target, [id]);
      }
      const stored = links.map((link) => ({ ...link }));
      return attribute.many ? nonEmpty(stored) : stored.at(-1);
    }
    case 'morphed':
      throw invalid(place.path, `${place.path.join('.')} is written from its other side, ${attribute.target.uid}`);
    case 'component': {
      if (value === null) return undefined;
      const { component } = attribute;
      if (!attribute.repeatable) return encodeComponent(value as Data, component, place);
      const list = value as readonly Data[];
      return nonEmpty(list.map((one, index) => encodeComponent(one, component, element(place, index))));
    }
    case 'zone':
      return nonEmpty(
        (value as readonly Data[]).map((one, index) => {
          const component = attribute.components.get(String(one['__component'])) as Component;
          const inner = encodeComponent(one, component, element(place, index));
          return { __component: component.uid, ...inner };
        }),
      );
    default:
      return attribute satisfies never;
  }
}

function encodeComponent(data: Data, { uid, attributes }: Component, place: Place): { [name: string]: StoredValue } {
  const id = place.options.nextComponentId();
  const around = { ...place, uid, storedPath: `${place.storedPath}.${id}` };
  const values = given(data, attributes, true).flatMap(([name, value]) => {
    const stored = encodeValue(value, attributes.get(name) as Attribute, below(around, name));
    return stored === undefined ? [] : [[name, stored] as const];
  });
  return { id, ...Object.fromEntries(values) };
}

/** Empty lists are not stored: absent and empty are the same. */
const nonEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

function aim({ targets }: Encoded, target: ContentType, ids: readonly number[]): void {
  const known = targets.get(target) ?? new Set();
  for (const id of ids) known.add(id);
  targets.set(target, known);
}

function refer({ encoded, storedPath }: Place, target: ContentType, ids: readonly number[]): void {
  for (const id of ids) encoded.references.push({ a: storedPath, r: referenceTo(target, id) });
}

const invalid = (path: readonly string[], message: string): AppError => new AppError('validation', [{ path, message }]);
