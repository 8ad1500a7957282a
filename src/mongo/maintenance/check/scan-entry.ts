import type { Document } from 'mongodb';
import { asksForLocales } from '../../../content-types/model/localized.js';
import type {
  Attribute,
  Component,
  ComponentAttribute,
  ContentType,
  MorphAttribute,
  RelationAttribute,
  ScalarAttribute,
  ZoneAttribute,
} from '../../../content-types/model/types.js';
import { DOCUMENT_ID } from '../../../content-types/model/system-attributes.js';
import { isUnique } from '../../../content-types/model/unique.js';
import { componentOf } from '../../../content-types/model/walk.js';
import { componentPath, uniqueKey, type StoredValue } from '../../../query/mutation.js';
import { LOCK } from '../../transactions/format.js';
import { RECEIPTS } from '../../stored/receipts.js';
import { isIndexed, RANKS, REFERENCES, referenceTo } from '../../stored/relation.js';
import { fieldsOfTrash } from '../../stored/trash.js';
import { PUBLICATION, REVIEW } from '../../stored/review.js';
import { CHANGES, COPIED } from '../../stored/working-copy.js';
import { CREATED_BY, UPDATED_BY } from '../../stored/writers.js';
import { isFields, isId, isNothing } from './stored-kinds.js';
import type { Finding } from './violation.js';

/** The value of an attribute at any depth of the entry. */
export interface ScannedValue<A extends Attribute = Attribute> {
  readonly path: string;
  readonly attribute: A;
  readonly value: unknown;
  /** The uid of the component around it. */
  readonly around: string | undefined;
}

interface ScannedComponent extends ScannedValue<ComponentAttribute | ZoneAttribute> {
  /** Undefined if the zone has no such component. */
  readonly component: Component | undefined;
}

export interface HeldLink {
  readonly path: string;
  readonly target: ContentType;
  readonly id: number;
  /** Whether it must be in the references of the entry. */
  readonly referred: boolean;
}

/** The content of a stored entry as flat lists, for the rules. */
export interface Scan {
  readonly type: ContentType;
  readonly document: Document;
  readonly scalars: ScannedValue<ScalarAttribute>[];
  readonly relations: ScannedValue<RelationAttribute>[];
  readonly morphs: ScannedValue<MorphAttribute>[];
  /** Components and zones as wholes. */
  readonly embedded: ScannedValue<ComponentAttribute | ZoneAttribute>[];
  readonly components: ScannedComponent[];
  readonly links: HeldLink[];
  /** Fields that should not exist. */
  readonly unexpectedFields: Finding[];
}

/** Whether entries can have a locale and localizations without attributes for them. */
export const hasLocaleFields = ({ pluginOptions, attributes }: ContentType): boolean =>
  asksForLocales(pluginOptions) && !attributes.has('locale');

/** Collects the content of a stored entry by kind. */
export function scanEntry(document: Document, type: ContentType): Scan {
  const scan: Scan = {
    type,
    document,
    scalars: [],
    relations: [],
    morphs: [],
    embedded: [],
    components: [],
    links: [],
    unexpectedFields: [],
  };
  const localized = hasLocaleFields(type);
  const rootFields = [
    ...entryFields,
    ...(localized ? localeFields : []),
    ...(type.trashOf === undefined ? [] : fieldsOfTrash),
  ];
  addFields(document, type, { prefix: '', around: undefined, allowedFields: rootFields }, scan);
  if (localized) addLinks([document['localizations']].flat(), 'localizations', type, false, scan);
  return scan;
}

/** Internal fields of an entry. */
export const entryFields = [
  '_id',
  '_live',
  LOCK,
  COPIED,
  CHANGES,
  RECEIPTS,
  RANKS,
  REFERENCES,
  '_schedule',
  REVIEW,
  PUBLICATION,
  '_sole',
  '_unique',
  CREATED_BY,
  UPDATED_BY,
  DOCUMENT_ID,
];
/** Additional ones of localized types. */
export const localeFields = ['locale', 'localizations'];

interface EntryPath {
  readonly prefix: string;
  readonly around: string | undefined;
  /** Fields beside the attributes. */
  readonly allowedFields: readonly string[];
}

/** Adds the values of an entry or component, and what is in them. */
function addFields(
  fields: Document,
  schema: ContentType | Component,
  { prefix, around, allowedFields }: EntryPath,
  scan: Scan,
): void {
  for (const [name, value] of Object.entries(fields)) {
    const path = prefix + name;
    const attribute = schema.attributes.get(name);
    if (attribute === undefined && !allowedFields.includes(name)) {
      scan.unexpectedFields.push({ path, rule: `is not an attribute of ${schema.uid}` });
    } else if (isNothing(value)) {
      scan.unexpectedFields.push({ path, rule: 'must be absent: null and empty lists are not stored' });
    } else if (attribute !== undefined) {
      addValue({ path, attribute, value, around }, scan);
    }
  }
}

function addValue(scanned: ScannedValue, scan: Scan): void {
  const { path, attribute, value, around } = scanned;
  switch (attribute.kind) {
    case 'scalar':
      scan.scalars.push({ ...scanned, attribute });
      return;
    case 'relation': {
      if (attribute.side === 'inverse') {
        scan.unexpectedFields.push({ path, rule: `must be absent: it is stored in ${attribute.target.uid}` });
        return;
      }
      scan.relations.push({ ...scanned, attribute });
      addLinks([value].flat(), path, attribute.target, around !== undefined || !isIndexed(attribute), scan);
      return;
    }
    case 'morph':
      scan.morphs.push({ ...scanned, attribute });
      for (const link of [value].flat()) {
        const { __type, id } = isFields(link) ? link : {};
        const target = attribute.candidates.get(String(__type));
        if (target !== undefined) addLinks([id], path, target, true, scan);
      }
      return;
    case 'morphed':
      scan.unexpectedFields.push({ path, rule: `must be absent: it is stored in ${attribute.target.uid}` });
      return;
    case 'component':
    case 'zone':
      scan.embedded.push({ ...scanned, attribute });
      for (const [index, item] of [value].flat().entries()) addComponent(item, index, { ...scanned, attribute }, scan);
      return;
    default:
      attribute satisfies never;
  }
}

/** Adds the links to these ids. */
function addLinks(
  ids: readonly unknown[],
  path: string,
  target: ContentType,
  referred: boolean,
  { links }: Scan,
): void {
  for (const id of ids) if (isId(id)) links.push({ path, target, id, referred });
}

const componentFields = ['id'];
const zoneFields = ['id', '__component'];

/** Adds a component of an entry, at this index of its list. */
function addComponent(
  value: unknown,
  index: number,
  { path, attribute, around }: ScannedValue<ComponentAttribute | ZoneAttribute>,
  scan: Scan,
): void {
  const fields = isFields(value) ? value : {};
  const isZone = attribute.kind === 'zone';
  const component = componentOf(attribute, fields);
  const kind = isZone ? String(fields['__component']) : undefined;
  const ownPath = isId(fields['id']) ? componentPath(path, fields['id'], kind) : `${path}[${index}]`;
  scan.components.push({ path: ownPath, attribute, value, around, component });
  if (component === undefined) return;
  const allowedFields = isZone ? zoneFields : componentFields;
  addFields(fields, component, { prefix: `${ownPath}.`, around: component.uid, allowedFields }, scan);
}

/**
 * The references that an entry must have: the targets of components, zones, morph relations and media, with their
 * paths.
 */
export const referencesOf = ({ links }: Scan): readonly { readonly a: string; readonly r: string }[] =>
  links.filter(({ referred }) => referred).map(({ path, target, id }) => ({ a: path, r: referenceTo(target, id) }));

/** The keys of the unique values in the components of an entry, with their paths. */
export const uniqueKeysOf = ({ scalars }: Scan): readonly { readonly a: string; readonly k: string }[] =>
  scalars.flatMap(({ path, attribute, value, around }) =>
    around !== undefined && isUnique(attribute)
      ? [{ a: path, k: uniqueKey(around, attribute.name, value as StoredValue) }]
      : [],
  );
