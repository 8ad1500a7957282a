import type { Document } from 'mongodb';
import type { Component, ComponentAttribute, ContentType, ZoneAttribute } from '../../../content-types/model/types.js';
import { componentOf } from '../../../content-types/model/walk.js';
import { componentPath } from '../../../query/mutation.js';
import { isIndexed, RANKS, REFERENCES } from '../../stored/relation.js';
import { isFields, isId, isNothing } from './stored-kinds.js';
import { hasLocaleFields, type Held, type Scan } from './scan.js';

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
  const rootFields = localized ? [...entryFields, ...localeFields] : entryFields;
  walk(document, type, { prefix: '', around: undefined, allowedFields: rootFields }, scan);
  if (localized) lead([document['localizations']].flat(), 'localizations', type, false, scan);
  return scan;
}

/** Internal fields of an entry, and the additional ones of localized types. */
export const entryFields = [
  '_id',
  '_at',
  '_live',
  '_marks',
  '_pending',
  RANKS,
  REFERENCES,
  '_schedule',
  '_set',
  '_sole',
  '_unique',
];
export const localeFields = ['locale', 'localizations'];

interface EntryPath {
  readonly prefix: string;
  readonly around: string | undefined;
  /** Fields beside the attributes. */
  readonly allowedFields: readonly string[];
}

function walk(
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
      addScalar({ path, attribute, value, around }, scan);
    }
  }
}

function addScalar({ attribute, ...rest }: Held, scan: Scan): void {
  const { path, value, around } = rest;
  switch (attribute.kind) {
    case 'scalar':
      scan.scalars.push({ ...rest, attribute });
      return;
    case 'relation': {
      if (attribute.side === 'inverse') {
        scan.unexpectedFields.push({ path, rule: `must be absent: it is stored in ${attribute.target.uid}` });
        return;
      }
      scan.relations.push({ ...rest, attribute });
      lead([value].flat(), path, attribute.target, around !== undefined || !isIndexed(attribute), scan);
      return;
    }
    case 'morph':
      scan.morphs.push({ ...rest, attribute });
      for (const link of [value].flat()) {
        const { __type, id } = isFields(link) ? link : {};
        const target = attribute.candidates.get(String(__type));
        if (target !== undefined) lead([id], path, target, true, scan);
      }
      return;
    case 'morphed':
      scan.unexpectedFields.push({ path, rule: `must be absent: it is stored in ${attribute.target.uid}` });
      return;
    case 'component':
    case 'zone':
      scan.embedded.push({ ...rest, attribute });
      for (const [index, item] of [value].flat().entries()) enter(item, index, { ...rest, attribute }, scan);
      return;
    default:
      attribute satisfies never;
  }
}

function lead(ids: readonly unknown[], path: string, target: ContentType, referred: boolean, { links }: Scan): void {
  for (const id of ids) if (isId(id)) links.push({ path, target, id, referred });
}

const componentFields = ['id'];
const zoneFields = ['id', '__component'];

function enter(
  value: unknown,
  index: number,
  { path, attribute }: Held<ComponentAttribute | ZoneAttribute>,
  scan: Scan,
): void {
  const fields = isFields(value) ? value : {};
  const isZone = attribute.kind === 'zone';
  const component = componentOf(attribute, fields);
  const kind = isZone ? String(fields['__component']) : undefined;
  const ownPath = isId(fields['id']) ? componentPath(path, fields['id'], kind) : `${path}[${index}]`;
  scan.components.push({ path: ownPath, attribute, value, component });
  if (component === undefined) return;
  const allowedFields = isZone ? zoneFields : componentFields;
  walk(fields, component, { prefix: `${ownPath}.`, around: component.uid, allowedFields }, scan);
}
