import type { Document } from 'mongodb';
import { attributeTypes } from '../../../content-types/model/attribute-types.js';
import { asksForLocales, isLocalized } from '../../../content-types/model/localized.js';
import type { Attribute, Component, ContentType } from '../../../content-types/model/types.js';
import { holdsComponents, mapComponents } from '../../../content-types/model/walk.js';
import type { StoredValue } from '../../../query/mutation.js';
import type { Finding } from '../check/violation.js';
import { isFields } from '../check/stored-kinds.js';
import { isUnique } from '../../indexes/indexes.js';
import { dropUnused, fillRanks, keptLists, renameKept } from './kept-fields.js';

/** Former names of attributes and what they are called now, by the uid of the content type or component. */
export type FormerNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** What entries are brought to. */
export interface Migration {
  readonly formerNames: FormerNames;
  /** Of entries of localized types that have none. */
  readonly locale: string;
}

/** An entry as the content types want it now. */
export interface Migrated {
  readonly document: Document;
  /** What differs from what is stored, in words. */
  readonly changes: readonly string[];
  /** What more than this entry has to change for. */
  readonly pending: readonly string[];
  /** What is left as it is, and why. */
  readonly problems: readonly Finding[];
}

/** Brings one stored entry to its content type as it is now. What is right stays as it is, so it can be repeated. */
export function migrateDocument(stored: Document, type: ContentType, { formerNames, locale }: Migration): Migrated {
  const walk: Walk = { formerNames, renamed: new Set(), filled: new Set(), problems: [] };
  const moved = migrateFields(stored, type, '', walk);
  const { renamed, filled, problems } = walk;
  const lacksLocale = isLocalized(type) && moved['locale'] === undefined;
  const localized = lacksLocale ? { ...moved, locale } : moved;
  const names = formerNames.get(type.uid);
  const { document: used, dropped } = dropUnused(renameKept(localized, names), type);
  const { document, ordered } = fillRanks(renamed.size > 0 ? { ...used, ...keptLists(used, type, names) } : used, type);
  return {
    document: Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined)),
    changes: [...renamed, ...filled, ...(lacksLocale ? [`locale becomes "${locale}"`] : []), ...ordered, ...dropped],
    pending: [...type.attributes.values()]
      .flatMap((attribute) => pendingOf(attribute, document))
      .concat(hasFormerLocale(type, document) ? ['locale goes'] : []),
    problems,
  };
}

/** Has the entry a locale that its type no longer has? */
const hasFormerLocale = ({ attributes, pluginOptions }: ContentType, document: Document): boolean =>
  !attributes.has('locale') && !asksForLocales(pluginOptions) && 'locale' in document;

const pendingOf = (attribute: Attribute, document: Document): readonly string[] =>
  attribute.kind === 'relation' && attribute.side === 'inverse' && attribute.name in document
    ? [`${attribute.name} is kept in ${attribute.target.uid}, under ${attribute.inverse}`]
    : [];

interface Walk {
  readonly formerNames: FormerNames;
  readonly renamed: Set<string>;
  readonly filled: Set<string>;
  readonly problems: Finding[];
}

/** `prefix` is the path to the fields, without the places in lists. */
function migrateFields(fields: Document, schema: ContentType | Component, prefix: string, walk: Walk): Document {
  const names = walk.formerNames.get(schema.uid);
  const result: Document = {};
  for (const [name, value] of Object.entries(fields)) {
    const now = names?.get(name) ?? name;
    const taken = now !== name && fields[now] !== undefined;
    if (taken) walk.problems.push({ path: prefix + name, rule: `stays: ${now}, as it is called now, has a value too` });
    else if (now !== name) walk.renamed.add(`${prefix}${name} becomes ${now}`);
    const key = taken ? name : now;
    result[key] = migrateValue(value, schema.attributes.get(key), `${prefix}${key}.`, walk);
  }
  for (const attribute of schema.attributes.values()) {
    const value = defaultOf(attribute);
    if (value === undefined || result[attribute.name] !== undefined) continue;
    result[attribute.name] = value;
    walk.filled.add(`${prefix}${attribute.name} gets its default`);
  }
  return result;
}

function migrateValue(value: unknown, attribute: Attribute | undefined, prefix: string, walk: Walk): unknown {
  if (!holdsComponents(attribute)) return value;
  return mapComponents(value, attribute, (fields, component) =>
    isFields(fields) ? migrateFields(fields, component, prefix, walk) : fields,
  );
}

/** What an entry gets that lacks a required value. A value for all cannot be unique, and there is no hash of a password. */
function defaultOf(attribute: Attribute): StoredValue | undefined {
  if (attribute.kind !== 'scalar' || !attribute.required || isUnique(attribute)) return undefined;
  if (attribute.default === undefined || attribute.type === 'password') return undefined;
  const { cast, encode } = attributeTypes[attribute.type];
  return encode(cast(attribute.default));
}
