import type { Attribute, Component, ContentType } from '../../../content-types/model/types.js';
import { entryFields, localeFields } from '../check/scan-entry.js';
import type { Scan } from '../check/scan.js';
import { isFields, isNothing } from '../check/stored-kinds.js';

/** How a stored entry does not fit a definition that changed after it was written; the same text for all such entries. */
export type Unfit = string;

/** The names are as in definitions; `around` is the uid of a component, followed by a dot. */
export const lacks = (name: string, around = ''): Unfit => `${around}${name} is required, and has no value`;
export const strays = (name: string, around = ''): Unfit => `${around}${name} has a value, and is not an attribute`;

/**
 * Must a published entry have a value? Relations are never demanded, as in Strapi v4, nor are passwords here: who logs in by a
 * provider has none.
 */
export const isDemanded = (attribute: Attribute): boolean =>
  attribute.required &&
  (attribute.kind === 'component' ||
    attribute.kind === 'zone' ||
    (attribute.kind === 'scalar' && attribute.type !== 'password'));

/** Of a type that is no longer localized, `migrate` removes locales by itself. */
export const fieldsBesideAttributes: readonly string[] = [...entryFields, ...localeFields];

/** A part of an entry: its own fields, or those of one of its components. */
interface Part {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly schema: ContentType | Component;
  /** Fields beside the attributes. */
  readonly own: readonly string[];
  readonly around?: string;
}

const partsOf = ({ type, document, components }: Scan): readonly Part[] => [
  { fields: document, schema: type, own: fieldsBesideAttributes },
  ...components.flatMap(({ component, value }): readonly Part[] =>
    component !== undefined && isFields(value)
      ? [{ fields: value, schema: component, own: ['id', '__component'], around: `${component.uid}.` }]
      : [],
  ),
];

/** Required values that an entry lacks; drafts may lack any. */
export function findLacking(survey: Scan): readonly Unfit[] {
  const { type, document } = survey;
  if (type.draftAndPublish && isNothing(document['publishedAt'])) return [];
  const found = partsOf(survey).flatMap(({ fields, schema, around }) =>
    [...schema.attributes.values()]
      .filter((attribute) => isDemanded(attribute) && isNothing(fields[attribute.name]))
      .map(({ name }) => lacks(name, around)),
  );
  return [...new Set(found)];
}

/** How an entry does not fit its content type: required values that are missing, and values under names that nothing has. */
export function findUnfit(survey: Scan): readonly Unfit[] {
  const found = partsOf(survey).flatMap(({ fields, schema, own, around }) =>
    Object.keys(fields)
      .filter((name) => !schema.attributes.has(name) && !own.includes(name))
      .map((name) => strays(name, around)),
  );
  return [...findLacking(survey), ...new Set(found)];
}
