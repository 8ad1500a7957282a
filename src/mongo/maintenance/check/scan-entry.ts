import type { Document } from 'mongodb';
import type { Component, ComponentAttribute, ContentType, ZoneAttribute } from '../../../content-types/model/types.js';
import { componentOf } from '../../../content-types/model/walk.js';
import { componentPath, isIndexed } from '../../../query/mutation.js';
import { isFields, isId, isNothing } from './stored-kinds.js';
import { hasLocaleFields, type Held, type Scan } from './scan.js';

/** Lays out what a stored entry of a content type holds. */
export function scanEntry(document: Document, type: ContentType): Scan {
  const survey: Scan = {
    type,
    document,
    scalars: [],
    relations: [],
    morphs: [],
    embedded: [],
    components: [],
    links: [],
    strays: [],
  };
  const localized = hasLocaleFields(type);
  const own = localized ? [...entryFields, ...localeFields] : entryFields;
  walk(document, type, { prefix: '', around: undefined, own }, survey);
  if (localized) lead([document['localizations']].flat(), 'localizations', type, false, survey);
  return survey;
}

/** What an entry holds beside its attributes, and what it holds besides where its type is localized. */
export const entryFields = ['_id', '_at', '_live', '_rank', '_refs', '_set', '_sole', '_unique'];
export const localeFields = ['locale', 'localizations'];

interface Place {
  readonly prefix: string;
  readonly around: string | undefined;
  /** Fields beside the attributes. */
  readonly own: readonly string[];
}

function walk(fields: Document, schema: ContentType | Component, { prefix, around, own }: Place, survey: Scan): void {
  for (const [name, value] of Object.entries(fields)) {
    const path = prefix + name;
    const attribute = schema.attributes.get(name);
    if (attribute === undefined && !own.includes(name)) {
      survey.strays.push({ path, rule: `is not an attribute of ${schema.uid}` });
    } else if (isNothing(value)) {
      survey.strays.push({ path, rule: 'must be absent: null and empty lists are not stored' });
    } else if (attribute !== undefined) {
      take({ path, attribute, value, around }, survey);
    }
  }
}

function take({ attribute, ...rest }: Held, survey: Scan): void {
  const { path, value, around } = rest;
  switch (attribute.kind) {
    case 'scalar':
      survey.scalars.push({ ...rest, attribute });
      return;
    case 'relation': {
      if (attribute.side === 'inverse') {
        survey.strays.push({ path, rule: `must be absent: it is stored in ${attribute.target.uid}` });
        return;
      }
      survey.relations.push({ ...rest, attribute });
      lead([value].flat(), path, attribute.target, around !== undefined || !isIndexed(attribute), survey);
      return;
    }
    case 'morph':
      survey.morphs.push({ ...rest, attribute });
      for (const link of [value].flat()) {
        const { __type, id } = isFields(link) ? link : {};
        const target = attribute.candidates.get(String(__type));
        if (target !== undefined) lead([id], path, target, true, survey);
      }
      return;
    case 'morphed':
      survey.strays.push({ path, rule: `must be absent: it is stored in ${attribute.target.uid}` });
      return;
    case 'component':
    case 'zone':
      survey.embedded.push({ ...rest, attribute });
      for (const [index, one] of [value].flat().entries()) enter(one, index, { ...rest, attribute }, survey);
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
  survey: Scan,
): void {
  const fields = isFields(value) ? value : {};
  const isZone = attribute.kind === 'zone';
  const component = componentOf(attribute, fields);
  const kind = isZone ? String(fields['__component']) : undefined;
  const place = isId(fields['id']) ? componentPath(path, fields['id'], kind) : `${path}[${index}]`;
  survey.components.push({ path: place, attribute, value, component });
  if (component === undefined) return;
  const own = isZone ? zoneFields : componentFields;
  walk(fields, component, { prefix: `${place}.`, around: component.uid, own }, survey);
}
