import type { Document } from 'mongodb';
import { defined } from '../../../config/record.js';
import { attributeTypes } from '../../../content-types/model/attribute-types.js';
import { isLocalized } from '../../../content-types/model/localized.js';
import type { Attribute, Component, ContentType } from '../../../content-types/model/types.js';
import { holdsComponents, mapComponents } from '../../../content-types/model/walk.js';
import type { StoredValue } from '../../../query/mutation.js';
import type { Finding } from '../check/violation.js';
import { isFields } from '../check/stored-kinds.js';
import { isUnique } from '../../../content-types/model/unique.js';
import { hasNoLocales } from './former-locales.js';
import { keptLists, migrateKept } from './kept-fields.js';

/** Current names of attributes by their former names, by the uid of the content type or component. */
export type FormerNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface Migration {
  readonly formerNames: FormerNames;
  /** The locale for entries of localized types that have none. */
  readonly locale: string;
}

/** Migrates one stored entry to its current content type. Correct values are unchanged, so it can be repeated. */
export function migrateDocument(stored: Document, type: ContentType, { formerNames, locale }: Migration) {
  const walk: Walk = { formerNames, renamed: new Set(), converted: new Set(), problems: [] };
  const migrated = migrateFields(stored, type, '', walk);
  const { renamed, converted, problems } = walk;
  const lacksLocale = isLocalized(type) && migrated['locale'] === undefined;
  const localized = lacksLocale ? { ...migrated, locale } : migrated;
  const names = formerNames.get(type.uid) ?? new Map<string, string>();
  const { document: kept, changes } = migrateKept(localized, type, names);
  const document = renamed.size > 0 ? { ...kept, ...keptLists(kept, type, names) } : kept;
  return {
    document: defined(document),
    /** Descriptions of the changes. */
    changes: [...renamed, ...converted, ...(lacksLocale ? [`locale becomes "${locale}"`] : []), ...changes],
    /** Changes that affect other entries too. */
    pending: [...type.attributes.values()]
      .flatMap((attribute) => pendingOf(attribute, document))
      .concat(hasNoLocales(type) && 'locale' in document ? ['locale is removed'] : []),
    /** The fields that stay unchanged, with the reasons. */
    problems,
  };
}

const pendingOf = (attribute: Attribute, document: Document): readonly string[] =>
  attribute.kind === 'relation' && attribute.side === 'inverse' && attribute.name in document
    ? [`${attribute.name} is stored in ${attribute.target.uid}, as ${attribute.inverse}`]
    : [];

interface Walk {
  readonly formerNames: FormerNames;
  readonly renamed: Set<string>;
  readonly converted: Set<string>;
  readonly problems: Finding[];
}

/** `prefix` is the path to the fields, without the places in lists. */
function migrateFields(fields: Document, schema: ContentType | Component, prefix: string, walk: Walk): Document {
  const names = walk.formerNames.get(schema.uid);
  const result: Document = {};
  for (const [name, value] of Object.entries(fields)) {
    const currentName = names?.get(name) ?? name;
    const isOccupied = currentName !== name && fields[currentName] !== undefined;
    if (isOccupied)
      walk.problems.push({
        path: prefix + name,
        rule: `is left unchanged: ${currentName}, its current name, has a value too`,
      });
    else if (currentName !== name) walk.renamed.add(`${prefix}${name} becomes ${currentName}`);
    const key = isOccupied ? name : currentName;
    result[key] = migrateValue(value, schema.attributes.get(key), `${prefix}${key}`, walk);
  }
  for (const attribute of schema.attributes.values()) {
    const value = defaultOf(attribute);
    if (value === undefined || result[attribute.name] !== undefined) continue;
    result[attribute.name] = value;
    walk.converted.add(`${prefix}${attribute.name} gets its default`);
  }
  return result;
}

function migrateValue(value: unknown, attribute: Attribute | undefined, path: string, walk: Walk): unknown {
  if (!holdsComponents(attribute)) return rounded(value, attribute, path, walk);
  return mapComponents(value, attribute, (fields, component) =>
    isFields(fields) ? migrateFields(fields, component, `${path}.`, walk) : fields,
  );
}

/** A decimal as a write would store it, since the rules of values may have changed. Unique ones could become equal. */
function rounded(value: unknown, attribute: Attribute | undefined, path: string, walk: Walk): unknown {
  if (typeof value !== 'number' || attribute?.kind !== 'scalar' || attribute.type !== 'decimal') return value;
  const stored = isUnique(attribute) ? value : attributeTypes.decimal.encode(value, attribute.dialect);
  if (stored !== value) walk.converted.add(`${path} is rounded`);
  return stored;
}

/** The value for a missing required attribute. Unique attributes and passwords cannot have a common value. */
function defaultOf(attribute: Attribute): StoredValue | undefined {
  if (attribute.kind !== 'scalar' || !attribute.required || isUnique(attribute)) return undefined;
  if (attribute.default === undefined || attribute.type === 'password') return undefined;
  const { cast, encode } = attributeTypes[attribute.type];
  return encode(cast(attribute.default), attribute.dialect);
}
