import { toText } from './scalars.js';
import {
  componentOf,
  formAttributes,
  isParts,
  isScalar,
  titleAttribute,
  typeOf,
  type Attribute,
  type Content,
  type Model,
  type PartsAttribute,
} from './schema.js';

/** A value in a form: a scalar as it is typed, a boolean, components, or related entries and files. */
export type Value = string | boolean | null | readonly Part[] | Links;

/** By the names of attributes. */
export type Values = Readonly<Record<string, Value>>;

/** A component in a list; a single component is a list of at most one. */
export interface Part {
  /** Identifies it in the form, also before it is stored. */
  readonly key: string;
  readonly component: string;
  /** Undefined if it is new. */
  readonly id?: number;
  readonly values: Values;
}

/** Related entries or files in their order; a relation to one is a list of at most one. */
export interface Links {
  readonly items: readonly Link[];
  /** Those that were read. */
  readonly stored: readonly Link[];
  /** There are more than those that were read. */
  readonly truncated: boolean;
}

export interface Link {
  readonly id: number;
  /** The uid of its content type; empty where the API does not say it. */
  readonly uid: string;
  readonly title: string;
  readonly isDraft?: boolean;
  /** The entry of a file. */
  readonly file?: FileRecord;
}

/** What stays in sight where an image is cut: shares of its width from the left, and of its height from the top. */
export interface FocalPoint {
  readonly x: number;
  readonly y: number;
}

export interface FileRecord {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly mime: string;
  readonly alternativeText: string | null;
  readonly caption?: string | null;
  readonly focalPoint?: FocalPoint;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly width?: number | null;
  readonly height?: number | null;
  readonly size?: number;
  readonly formats?: Readonly<Record<string, { readonly url: string }>> | null;
}

/** Whether it is an image of which nobody said what it shows. */
export const isUndescribed = (file: FileRecord | undefined): file is FileRecord =>
  file?.mime.startsWith('image/') === true && !file.alternativeText;

type Data = Readonly<Record<string, unknown>>;

/** How many related entries a form reads; of a longer list it only connects and disconnects entries. */
export const LINKS_LIMIT = 100;
export const FILE = 'plugin::upload.file';

export const noLinks: Links = { items: [], stored: [], truncated: false };

export const isLinks = (value: Value | undefined): value is Links =>
  typeof value === 'object' && value !== null && 'items' in value;

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The values of an entry, as the form edits them. */
export function valuesOf(content: Content, model: Model, data: Data): Values {
  return Object.fromEntries(
    formAttributes(model).map((attribute) => [
      attribute.name,
      valueOf(content, attribute, data[attribute.name], attribute.name),
    ]),
  );
}

function valueOf(content: Content, attribute: Attribute, data: unknown, path: string): Value {
  if (isParts(attribute)) return partsOf(content, attribute, data, path);
  // The type of a morph is in its data, or unknown.
  if (attribute.type === 'relation') return linksOf(content, attribute.morph ? [] : attribute.targets, data);
  if (attribute.type === 'media') return linksOf(content, [FILE], data);
  if (attribute.type === 'boolean') return typeof data === 'boolean' ? data : null;
  return toText(attribute, data);
}

function partsOf(content: Content, attribute: PartsAttribute, data: unknown, path: string): readonly Part[] {
  const list = (Array.isArray(data) ? data : [data]).filter(isData);
  return list.flatMap((part, index) => {
    const { id, __component: named, ...rest } = part;
    const component = typeof named === 'string' ? named : attribute.components[0];
    // A component that was removed from the definition of a dynamic zone.
    if (component === undefined || !content.components.some(({ uid }) => uid === component)) return [];
    const key = `${path}.${component}.${typeof id === 'number' ? id : `new${index}`}`;
    const values = valuesOf(content, componentOf(content, component), rest);
    return [{ key, component, ...(typeof id === 'number' && { id }), values }];
  });
}

function linksOf(content: Content, targets: readonly string[], data: unknown): Links {
  const related = isData(data) && 'data' in data ? data['data'] : data;
  const list = (Array.isArray(related) ? related : [related]).filter(isData);
  const items = list.slice(0, LINKS_LIMIT).map((entry) => linkOf(content, targets, entry));
  return { items, stored: items, truncated: list.length > LINKS_LIMIT };
}

/** A related entry, with or without an envelope. */
export function linkOf(content: Content, targets: readonly string[], entry: Data): Link {
  const attributes = isData(entry['attributes']) ? entry['attributes'] : entry;
  const named = attributes['__type'] ?? attributes['__contentType'] ?? entry['__type'];
  const uid = typeof named === 'string' ? named : (targets[0] ?? '');
  const id = Number(entry['id']);
  if (uid === FILE) {
    const file = { ...attributes, id } as unknown as FileRecord;
    return { id, uid, title: file.name, file };
  }
  const type = typeOf(content, uid);
  const name = type === undefined ? undefined : titleAttribute(type)?.name;
  const title = name === undefined ? undefined : attributes[name];
  return {
    id,
    uid,
    title: typeof title === 'string' && title !== '' ? title : `#${id}`,
    ...('publishedAt' in attributes && { isDraft: attributes['publishedAt'] === null }),
  };
}

/**
 * Values that were read, whose components keep the keys that they have in the form, and their ids if they have none.
 */
export const withKeysOf = (former: Values, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const parts = former[name];
      if (!Array.isArray(value) || !Array.isArray(parts)) return [name, value];
      return [
        name,
        (value as readonly Part[]).map((part, index) => withKeyOf((parts as readonly Part[])[index], part)),
      ];
    }),
  );

const withKeyOf = (former: Part | undefined, part: Part): Part =>
  former?.component === part.component
    ? {
        ...(former.id !== undefined && { id: former.id }),
        ...part,
        key: former.key,
        values: withKeysOf(former.values, part.values),
      }
    : part;

/** The values of a new entry or component, with the defaults of the definition. */
export function newValues(content: Content, model: Model, key: string): Values {
  return Object.fromEntries(
    formAttributes(model).map((attribute) => [
      attribute.name,
      newValue(content, attribute, `${key}.${attribute.name}`),
    ]),
  );
}

function newValue(content: Content, attribute: Attribute, key: string): Value {
  if (attribute.type === 'component' && attribute.required && !attribute.multiple) {
    const [uid = ''] = attribute.components;
    return [newPart(content, uid, `${key}.first`)];
  }
  if (isParts(attribute)) return [];
  if (attribute.type === 'relation' || attribute.type === 'media') return noLinks;
  if (attribute.type === 'boolean') return typeof attribute.default === 'boolean' ? attribute.default : null;
  return toText(attribute, attribute.default);
}

/** @param key identifies it in its form */
export const newPart = (content: Content, component: string, key: string): Part => ({
  key,
  component,
  values: newValues(content, componentOf(content, component), key),
});

/**
 * Values with another one. A `uid` that the service does not generate follows the text that it is made from, until the
 * user types another.
 * @param generate makes a `uid` from what it follows; undefined: the values are stored, and no uid changes by itself
 */
export function withValue(
  { attributes }: Model,
  values: Values,
  name: string,
  value: Value,
  generate: ((text: string) => string) | undefined,
): Values {
  const changed = { ...values, [name]: value };
  if (generate === undefined || typeof value !== 'string') return changed;
  const before = values[name];
  const generated = typeof before === 'string' ? generate(before) : '';
  const followers = attributes.filter(
    (attribute) =>
      isScalar(attribute) &&
      attribute.type === 'uid' &&
      attribute.create &&
      attribute.generated !== true &&
      attribute.targetField === name &&
      ['', generated].includes(String(values[attribute.name])),
  );
  return { ...changed, ...Object.fromEntries(followers.map((uid) => [uid.name, generate(value)])) };
}
