import type {
  Attribute,
  ContentType,
  MorphAttribute,
  RelationAttribute,
  Registry,
} from '../../content-types/model/types.js';
import type { Changes, Links, StoredValue, ValueChange, Write } from '../../query/mutation.js';

/** A write as plain data: types by uid, attributes by name. */
export function encodeWrite(write: Write): Record<string, unknown> {
  const encoded: Record<string, unknown> = { ...write, type: write.type.uid };
  if ('attribute' in write) encoded['attribute'] = write.attribute.name;
  if ('changes' in write) encoded['changes'] = encodeChanges(write.changes);
  if (write.kind === 'forget') encoded['target'] = write.target.uid;
  return encoded;
}

const encodeChanges = ({ values, merges, links, stamps, sets, ...rest }: Changes): Record<string, unknown> => ({
  ...rest,
  merges: [...merges].map(([name, change]) => [name, encodeMaps(change)]),
  values: [...values].map(([name, value]) => (value === undefined ? [name] : [name, value])),
  links: links.map(({ attribute, ...link }) => ({ ...link, attribute: attribute.name })),
  ...(stamps !== undefined && { stamps: [...stamps] }),
  ...(sets !== undefined && { sets: [...sets] }),
});

/** Decodes a write; undefined if its content type or attributes no longer exist. */
export function decodeWrite(encoded: Record<string, unknown>, { contentTypes }: Registry): Write | undefined {
  const type = contentTypes.get(String(encoded['type']));
  if (type === undefined) return undefined;
  const write: Record<string, unknown> = { ...encoded, type };
  if ('attribute' in encoded) write['attribute'] = attributeOf(type, encoded['attribute']);
  if ('changes' in encoded) write['changes'] = decodeChanges(encoded['changes'] as EncodedChanges, type);
  if (encoded['kind'] === 'forget') write['target'] = contentTypes.get(String(encoded['target']));
  const complete = Object.values(write).every((part) => part !== undefined);
  return complete ? (write as unknown as Write) : undefined;
}

interface EncodedChanges extends Omit<Changes, 'values' | 'merges' | 'links' | 'stamps' | 'sets'> {
  readonly values: readonly (readonly [string, StoredValue?])[];
  readonly merges: readonly (readonly [string, unknown])[];
  readonly links: readonly (Omit<Links, 'attribute'> & { readonly attribute: string })[];
  readonly stamps?: readonly (readonly [string, number])[];
  readonly sets?: readonly (readonly [string, number])[];
}

const MAP = '_map';

/** The maps in changes of components, encoded as lists under an internal name. */
function encodeMaps(value: unknown): unknown {
  if (value instanceof Map) return { [MAP]: [...value].map(([key, part]) => [key, encodeMaps(part)]) };
  return mapParts(value, encodeMaps);
}

function decodeMaps(value: unknown): unknown {
  if (isPlain(value) && Array.isArray(value[MAP])) {
    return new Map((value[MAP] as [string, unknown][]).map(([key, part]) => [key, decodeMaps(part)]));
  }
  return mapParts(value, decodeMaps);
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  Object.prototype.toString.call(value) === '[object Object]';

function mapParts(value: unknown, map: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  if (!isPlain(value)) return value;
  const parts = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(parts.map(([key, part]) => [key, map(part)]));
}

function decodeChanges(encoded: EncodedChanges, type: ContentType): Changes {
  const links = encoded.links.flatMap((link) => {
    const attribute = attributeOf(type, link.attribute);
    return attribute?.kind === 'relation' ? [{ ...link, attribute }] : [];
  });
  const merges = new Map(encoded.merges.map(([name, change]) => [name, decodeMaps(change) as ValueChange]));
  const { stamps, sets, ...rest } = encoded;
  const values = new Map(encoded.values.map(([name, value]) => [name, value]));
  const numbers = { ...(stamps && { stamps: new Map(stamps) }), ...(sets && { sets: new Map(sets) }) };
  return { ...rest, values, merges, links, ...numbers };
}

function attributeOf(type: ContentType, name: unknown): RelationAttribute | MorphAttribute | undefined {
  const attribute: Attribute | undefined = type.attributes.get(String(name));
  return attribute?.kind === 'relation' || attribute?.kind === 'morph' ? attribute : undefined;
}
