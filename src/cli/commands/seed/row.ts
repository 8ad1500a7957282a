import { isRecord, type Data } from '../../../config/record.js';
import { attributeTypes } from '../../../content-types/model/attribute-types.js';
import { suggestion } from '../../../content-types/model/nearest-name.js';
import type { ContentType, Registry, ScalarAttribute } from '../../../content-types/model/types.js';
import { isUnique } from '../../../content-types/model/unique.js';
import type { SeedValue } from './read-values.js';

/** Says of which type the rows below are, and by which attribute one is known; a single type needs none. */
export interface Section {
  readonly type: ContentType;
  readonly key: ScalarAttribute | undefined;
}

/** The content type of files, and its key in a seed. */
export const images = { uid: 'plugin::upload.file', key: 'name' } as const;

export type Row =
  | { readonly kind: 'section'; readonly line: number; readonly section: Section }
  | { readonly kind: 'entry'; readonly line: number; readonly data: Data }
  /** `frame`: an invalid header, so the rows below it have no type. */
  | { readonly kind: 'wrong'; readonly line: number; readonly rule: string; readonly frame: boolean };

/** Parses one value of a seed file. */
export function parseRow(read: SeedValue, { contentTypes }: Registry): Row {
  if (read.kind === 'wrong') return read;
  const { line, value: content } = read;
  if (!isRecord(content)) return { kind: 'wrong', line, rule: 'must be an object in braces', frame: false };
  if (content['$type'] === undefined) return { kind: 'entry', line, data: content };
  const section = parseHeading(content, contentTypes);
  return typeof section === 'string'
    ? { kind: 'wrong', line, rule: section, frame: true }
    : { kind: 'section', line, section };
}

function parseHeading({ $type, $key, ...otherKeys }: Data, contentTypes: Registry['contentTypes']): Section | string {
  const [unknown] = Object.keys(otherKeys);
  if (unknown !== undefined) return `${unknown} is not allowed in a header; allowed: $type and $key`;
  const type = contentTypes.get(String($type));
  if (type === undefined)
    return `$type names an unknown content type "${String($type)}"${suggestion(String($type), owned(contentTypes))}`;
  if (type.kind === 'singleType') return { type, key: undefined };
  const key = keyAttribute(type, String($key));
  if (key !== undefined) return { type, key };
  const keys = keysOf(type);
  const allowed = keys.length === 0 ? 'none yet: give one of them "unique": true' : keys.join(', ');
  return `$key must name an attribute of ${type.uid} that is unique; allowed: ${allowed}`;
}

/** The project's own types, the most likely ones. */
const owned = (contentTypes: Registry['contentTypes']): readonly string[] =>
  [...contentTypes.keys()].filter((uid) => uid.startsWith('api::'));

/** The attribute of this name, if its values identify the entries of the type. */
export function keyAttribute({ attributes }: ContentType, name: string): ScalarAttribute | undefined {
  const attribute = attributes.get(name);
  return attribute?.kind === 'scalar' && isUnique(attribute) && attributeTypes[attribute.type].key
    ? attribute
    : undefined;
}

/** All such attributes. */
export const keysOf = (type: ContentType): readonly string[] =>
  [...type.attributes.keys()].filter((name) => keyAttribute(type, name) !== undefined);
