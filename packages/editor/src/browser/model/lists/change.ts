import { changedAttributes, dataOf } from '../body.js';
import { formAttributes, isScalar, type Attribute, type Content, type ContentType } from '../schema.js';
import { valuesOf, type Value, type Values } from '../values.js';

interface Stored {
  readonly id: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** An attribute, and the value that many entries get. */
export interface Change {
  readonly attribute: Attribute;
  readonly value: Value;
}

/** The attributes that several entries can have the same value of, if the user may write them. */
export function changeable(type: ContentType): readonly Attribute[] {
  // A batch writes content only.
  if (type.plain || !type.actions.includes('update')) return [];
  return formAttributes(type).filter((attribute) => {
    if (!attribute.update) return false;
    if (attribute.type === 'relation') return attribute.exclusive !== true;
    return !isScalar(attribute) || !(attribute.unique || ['uid', 'password'].includes(attribute.type));
  });
}

/** The content type with one of its attributes alone. */
export const withOnly = (type: ContentType, attribute: Attribute): ContentType => ({
  ...type,
  attributes: [attribute],
});

/** The entries that have another value; of a hidden one nobody knows. */
export function changedByValue<T extends Stored>(
  content: Content,
  type: ContentType,
  { attribute, value }: Change,
  entries: readonly T[],
): readonly T[] {
  if (!attribute.read) return entries;
  const model = withOnly(type, attribute);
  const wanted: Values = { [attribute.name]: value };
  return entries.filter(
    ({ attributes }) => changedAttributes(model, valuesOf(content, model, attributes), wanted).length > 0,
  );
}

/**
 * The operations of a batch that gives entries a value. As in a form, that of a published entry is prepared if its type
 * has working copies, and is published at once otherwise.
 */
export const changeOperations = (
  content: Content,
  type: ContentType,
  { attribute, value }: Change,
  entries: readonly Stored[],
): readonly object[] =>
  entries.map(({ id }) => ({
    update: type.path,
    id,
    ...(type.workingCopies === true && { status: 'draft' }),
    data: { [attribute.name]: dataOf(content, attribute, value) },
  }));
