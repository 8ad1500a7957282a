import type { Attribute, Component, ContentType } from '../../../content-types/model/types.js';
import { entryFields, localeFields, type Scan } from '../check/scan-entry.js';
import { isFields, isNothing } from '../check/stored-kinds.js';

/** The mismatch of a stored entry with a definition that changed later; the same message for all such entries. */
export type Unfit = string;

/** The names are as in definitions; `around` is the uid of a component, followed by a dot. */
export const lacksValue = (name: string, around = ''): Unfit => `${around}${name} is required, and has no value`;
export const isUnexpected = (name: string, around = ''): Unfit => `${around}${name}${UNEXPECTED}`;
const UNEXPECTED = ' has a value, and is not an attribute';

/** The name with `around` of a value without an attribute; undefined for other mismatches. */
export const unexpectedName = (unfit: Unfit): string | undefined =>
  unfit.endsWith(UNEXPECTED) ? unfit.slice(0, -UNEXPECTED.length) : undefined;

/**
 * Whether a published entry needs a value. Relations are never required, as in Strapi v4, nor are passwords: users who log in by a
 * provider have none.
 */
export const isDemanded = (attribute: Attribute): boolean =>
  attribute.required &&
  (attribute.kind === 'component' ||
    attribute.kind === 'zone' ||
    (attribute.kind === 'scalar' && attribute.type !== 'password'));

/** `migrate` removes locales from types that are no longer localized. */
export const fieldsBesideAttributes: readonly string[] = [...entryFields, ...localeFields];

/** The fields of an entry itself or of one of its components. */
interface Part {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly schema: ContentType | Component;
  /** Fields beside the attributes. */
  readonly allowedFields: readonly string[];
  readonly around?: string;
}

const partsOf = ({ type, document, components }: Scan): readonly Part[] => [
  { fields: document, schema: type, allowedFields: fieldsBesideAttributes },
  ...components.flatMap(({ component, value }): readonly Part[] =>
    component !== undefined && isFields(value)
      ? [{ fields: value, schema: component, allowedFields: ['id', '__component'], around: `${component.uid}.` }]
      : [],
  ),
];

/** Missing required values; drafts may lack any. */
export function findLacking(scan: Scan): readonly Unfit[] {
  const { type, document } = scan;
  if (type.draftAndPublish && isNothing(document['publishedAt'])) return [];
  const lacking = partsOf(scan).flatMap(({ fields, schema, around }) =>
    [...schema.attributes.values()]
      .filter((attribute) => isDemanded(attribute) && isNothing(fields[attribute.name]))
      .map(({ name }) => lacksValue(name, around)),
  );
  return [...new Set(lacking)];
}

/** The mismatches of an entry with its content type: missing required values, and values without an attribute. */
export function findUnfit(scan: Scan): readonly Unfit[] {
  const unfit = partsOf(scan).flatMap(({ fields, schema, allowedFields, around }) =>
    Object.keys(fields)
      .filter((name) => !schema.attributes.has(name) && !allowedFields.includes(name))
      .map((name) => isUnexpected(name, around)),
  );
  return [...findLacking(scan), ...new Set(unfit)];
}
