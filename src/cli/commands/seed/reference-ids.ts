import { groupBy } from '../../../config/group-by.js';
import { attributeTypes } from '../../../content-types/model/attribute-types.js';
import { isLocalized } from '../../../content-types/model/localized.js';
import { isUniquePerLocale } from '../../../content-types/model/unique.js';
import type { ContentType } from '../../../content-types/model/types.js';
import type { Entries } from '../../../documents/entries.js';

/** The value of a unique attribute, which identifies an entry. */
export interface Key {
  readonly type: ContentType;
  readonly key: string;
  readonly value: unknown;
  /** The locale of a localized entry; undefined: the default one. */
  readonly locale: unknown;
}

export async function openReferenceIds(entries: Entries, contentTypes: ReadonlyMap<string, ContentType>) {
  const localeType = 'plugin::i18n.locale';
  const defaultLocale = contentTypes.has(localeType)
    ? (await entries.findFirst(localeType, { filters: { isDefault: true } }))?.['code']
    : undefined;
  /** A string that is the same for the same entry, however its key is written. */
  const textOf = ({ type, key, value, locale }: Key): string => {
    const attribute = type.attributes.get(key);
    const text = String(attribute?.kind === 'scalar' ? attributeTypes[attribute.type].cast(value) : value);
    const inLocale = attribute !== undefined && isUniquePerLocale(attribute, type);
    return inLocale ? `${text} ${String(locale ?? defaultLocale)}` : text;
  };
  /** All with the same type and attribute; one query for all of them. */
  const find = async (keys: readonly Key[]): Promise<ReadonlyMap<string, number>> => {
    const [first] = keys;
    if (first === undefined) return new Map();
    const { type, key } = first;
    const fields = [key, ...(isLocalized(type) ? ['locale'] : [])];
    const filters = { [key]: { $in: keys.map(({ value }) => value) } };
    const keyed = await entries.findMany(type.uid, { filters, fields, locale: 'all', pagination: { limit: -1 } });
    return new Map(keyed.map((entry) => [textOf({ type, key, value: entry[key], locale: entry['locale'] }), entry.id]));
  };
  /** Finds the entries that are led to, with one query for each attribute that they are named by. */
  const resolve = async (references: readonly Key[]): Promise<(reference: Key) => number | undefined> => {
    const groups = groupBy(references, groupOf);
    const resolved = await Promise.all(
      [...groups].map(async ([name, group]) => {
        const keys = new Map(group.map((key) => [textOf(key), key]));
        return [name, await find([...keys.values()])] as const;
      }),
    );
    const ids = new Map(resolved);
    return (reference) => ids.get(groupOf(reference))?.get(textOf(reference));
  };
  return { textOf, find, resolve };
}

const groupOf = ({ type, key }: Key): string => `${type.uid} ${key}`;

export type ReferenceIds = Awaited<ReturnType<typeof openReferenceIds>>;
