import type { Document } from 'mongodb';
import type {
  Attribute,
  Component,
  ComponentAttribute,
  ContentType,
  MorphAttribute,
  RelationAttribute,
  ScalarAttribute,
  ZoneAttribute,
} from '../../content-types/types.js';
import { isIndexed } from '../../query/write.js';
import type { Finding } from './breach.js';
import { isFields, isId, isNothing } from './stored-kinds.js';

/** The value of an attribute, wherever in the entry it stands. */
export interface Held<A extends Attribute = Attribute> {
  readonly path: string;
  readonly attribute: A;
  readonly value: unknown;
  /** The uid of the component around it. */
  readonly around: string | undefined;
}

export interface HeldComponent {
  readonly path: string;
  readonly attribute: ComponentAttribute | ZoneAttribute;
  readonly value: unknown;
  /** Undefined when the zone has no such component. */
  readonly component: Component | undefined;
}

/** An id that the entry leads to. */
export interface HeldLink {
  readonly path: string;
  readonly target: ContentType;
  readonly id: number;
  /** It belongs into `_refs`. */
  readonly referred: boolean;
}

/** All that a stored entry holds, laid out flat: what the rules look at. */
export interface Survey {
  readonly type: ContentType;
  readonly document: Document;
  readonly scalars: Held<ScalarAttribute>[];
  readonly relations: Held<RelationAttribute>[];
  readonly morphs: Held<MorphAttribute>[];
  /** Components and zones as wholes. */
  readonly embedded: Held<ComponentAttribute | ZoneAttribute>[];
  readonly components: HeldComponent[];
  readonly links: HeldLink[];
  /** What should not be there. */
  readonly strays: Finding[];
}

/** Lays out what a stored entry of a content type holds. */
export function surveyEntry(document: Document, type: ContentType): Survey {
  const survey: Survey = {
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

const entryFields = ['_id', '_live', '_rank', '_refs', '_unique'];
const localeFields = ['locale', 'localizations'];

/** May entries have a locale and other languages, without attributes for them? */
export function hasLocaleFields({ pluginOptions: { i18n }, attributes }: ContentType): boolean {
  return isFields(i18n) && i18n['localized'] === true && !attributes.has('locale');
}

interface Place {
  readonly prefix: string;
  readonly around: string | undefined;
  /** Fields beside the attributes. */
  readonly own: readonly string[];
}

function walk(fields: Document, schema: ContentType | Component, { prefix, around, own }: Place, survey: Survey): void {
  for (const [name, value] of Object.entries(fields)) {
    const path = prefix + name;
    const attribute = schema.attributes.get(name);
    if (attribute === undefined && !own.includes(name)) {
      survey.strays.push({ path, rule: `is no attribute of ${schema.uid}` });
    } else if (isNothing(value)) {
      survey.strays.push({ path, rule: 'must be absent: null and empty lists are not stored' });
    } else if (attribute !== undefined) {
      take({ path, attribute, value, around }, survey);
    }
  }
}

function take({ attribute, ...rest }: Held, survey: Survey): void {
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

function lead(ids: readonly unknown[], path: string, target: ContentType, referred: boolean, { links }: Survey): void {
  for (const id of ids) if (isId(id)) links.push({ path, target, id, referred });
}

const componentFields = ['id'];
const zoneFields = ['id', '__component'];

function enter(
  value: unknown,
  index: number,
  { path, attribute }: Held<ComponentAttribute | ZoneAttribute>,
  survey: Survey,
): void {
  const fields = isFields(value) ? value : {};
  const isZone = attribute.kind === 'zone';
  const component = isZone ? attribute.components.get(String(fields['__component'])) : attribute.component;
  const place = isId(fields['id']) ? `${path}.${fields['id']}` : `${path}[${index}]`;
  survey.components.push({ path: place, attribute, value, component });
  if (component === undefined) return;
  const own = isZone ? zoneFields : componentFields;
  walk(fields, component, { prefix: `${place}.`, around: component.uid, own }, survey);
}
