import type { Document } from 'mongodb';
import { defined } from '../../../config/record.js';
import { attributeTypes } from '../../../content-types/model/attribute-types.js';
import { isLocalized } from '../../../content-types/model/localized.js';
import type { Attribute, Component, ContentType } from '../../../content-types/model/types.js';
import { holdsComponents, mapComponents } from '../../../content-types/model/walk.js';
import type { Reference, StoredValue } from '../../../query/mutation.js';
import type { Finding } from '../check/violation.js';
import { referencesOf, scanEntry, uniqueKeysOf } from '../check/scan-entry.js';
import { isFields } from '../check/stored-kinds.js';
import { isExclusive } from '../../../content-types/model/exclusive.js';
import {
  fillRanks,
  hasRankPerId,
  isIndexed,
  isRanked,
  rankedRelations,
  RANKS,
  ranksField,
  REFERENCES,
} from '../../stored/relation.js';
import { listIn, someOf } from '../../stored/entry-edit.js';
import { PUBLICATION, REVIEW } from '../../stored/review.js';
import { CHANGES, COPIED } from '../../stored/working-copy.js';
import { isUnique } from '../../../content-types/model/unique.js';
import { hasNoLocales } from './former-locales.js';

/** Current names of attributes by their former names, by the uid of the content type or component. */
export type FormerNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface Migration {
  readonly formerNames: FormerNames;
  /** The locale for entries of localized types that have none. */
  readonly locale: string;
  /** Whether entries are published as of their creation, because their type has got drafts. */
  readonly publishes: boolean;
}

/** Migrates one stored entry to its current content type. Correct values are unchanged, so it can be repeated. */
export function migrateDocument(stored: Document, type: ContentType, { formerNames, locale, publishes }: Migration) {
  const walk: Walk = { formerNames, renamed: new Set(), converted: new Set(), problems: [] };
  const migrated = migrateFields(stored, type, '', walk);
  const { renamed, converted, problems } = walk;
  const lacksLocale = isLocalized(type) && migrated['locale'] === undefined;
  const isPublished = publishes && type.draftAndPublish && migrated['publishedAt'] === undefined;
  const localized = {
    ...migrated,
    ...(lacksLocale && { locale }),
    ...(isPublished && { publishedAt: (migrated['createdAt'] ?? new Date()) as unknown, _live: 1 }),
  };
  const names = formerNamesOf(type, formerNames) ?? new Map<string, string>();
  const { document: kept, changes } = migrateKept(localized, type, names);
  const document = renamed.size > 0 ? { ...kept, ...derivedLists(kept, type, names) } : kept;
  return {
    document: defined(document),
    /** Descriptions of the changes. */
    changes: [
      ...renamed,
      ...converted,
      ...(lacksLocale ? [`locale becomes "${locale}"`] : []),
      ...(isPublished ? ['publishedAt becomes createdAt'] : []),
      ...changes,
    ],
    /** Changes that affect other entries too. */
    pending: [...type.attributes.values()]
      .flatMap((attribute) => pendingOf(attribute, document))
      .concat(hasNoLocales(type) && 'locale' in document ? ['locale is removed'] : []),
    /** The fields that stay unchanged, with the reasons. */
    problems,
  };
}

/** Working copies have the attributes of their entries. */
const formerNamesOf = (schema: ContentType | Component, names: FormerNames): FormerAttributes | undefined =>
  names.get((schema.kind === 'component' ? schema : (schema.copyOf ?? schema)).uid);

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
  const names = formerNamesOf(schema, walk.formerNames);
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

type FormerAttributes = ReadonlyMap<string, string>;

/**
 * The references and unique keys of an entry; undefined if there are none.
 * @param document with the current names of attributes, except in its references
 * @param names former names
 */
function derivedLists(document: Document, type: ContentType, names: FormerAttributes): Document {
  const scan = scanEntry(document, type);
  const former: readonly Reference[] = Array.isArray(document[REFERENCES]) ? document[REFERENCES] : [];
  // Those of morph relations are at the top level, where the path is the name.
  const linkedAt = new Map(former.map(({ a, r, n }) => [`${names.get(a) ?? a} ${r}`, n]));
  const references = referencesOf(scan).map(({ a, r }): Reference => {
    const n = linkedAt.get(`${a} ${r}`);
    return n === undefined ? { a, r } : { a, r, n };
  });
  return { [REFERENCES]: someOf(references), _unique: someOf(uniqueKeysOf(scan)) };
}

/**
 * The ranks and the mark of an entry as its type uses them: unused ones are removed, and relations with a new other
 * side get ranks in the order of ids.
 * @param names former names
 */
function migrateKept(document: Document, type: ContentType, names: FormerAttributes) {
  // Ranks of an attribute that the other side now stores move there with the links.
  const hasOneSide = (name: string): boolean => {
    const attribute = type.attributes.get(name);
    return attribute !== undefined && isIndexed(attribute) && !isRanked(attribute) && name !== 'localizations';
  };
  const stored = Object.entries(isFields(document[RANKS]) ? document[RANKS] : {}).map(
    ([name, value]): readonly [string, unknown] => [names.get(name) ?? name, value],
  );
  const kept = Object.fromEntries(stored.filter(([name]) => !hasOneSide(name)));
  const added = [...rankedRelations(type).values()].flatMap((attribute): readonly (readonly [string, unknown])[] => {
    const { name } = attribute;
    const [ids, ranks] = [document[name] as unknown, kept[name]];
    return ids === undefined || isExclusive(attribute) || hasRankPerId(ids, ranks)
      ? []
      : [[name, fillRanks(ids, ranks)]];
  });
  const ranks = Object.entries({ ...kept, ...Object.fromEntries(added) });
  const isMarkedSingle = document['_sole'] !== undefined && type.kind !== 'singleType';
  const hasLostReview = document[REVIEW] !== undefined && !type.draftAndPublish;
  const hasLostPublication = document[PUBLICATION] !== undefined && !type.draftAndPublish;
  const hasLostCopy = document[COPIED] !== undefined && type.copies === undefined;
  const changed = type.copyOf === undefined ? [] : listIn(document[CHANGES]).map(String);
  return {
    document: {
      ...document,
      ...(stored.length > 0 && { [RANKS]: undefined }),
      ...ranksField(ranks),
      ...(isMarkedSingle && { _sole: undefined }),
      ...(hasLostCopy && { [COPIED]: undefined }),
      ...(hasLostReview && { [REVIEW]: undefined }),
      ...(hasLostPublication && { [PUBLICATION]: undefined }),
      ...(changed.length > 0 && { [CHANGES]: changed.map((name) => names.get(name) ?? name) }),
    },
    /** Descriptions of the changes. */
    changes: [
      ...added.map(([name]) => `${name} gets an order on its other side`),
      ...stored.flatMap(([name]) => (hasOneSide(name) ? [`${name} no longer has an order on its other side`] : [])),
      ...(hasLostCopy ? ['the working copy is discarded'] : []),
      ...(hasLostReview ? ['nobody asks to publish it any more'] : []),
      ...(isMarkedSingle ? ['the mark of a single type is removed'] : []),
    ],
  };
}
