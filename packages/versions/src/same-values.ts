import {
  holdsComponents,
  isRecord,
  mapComponents,
  type Attribute,
  type Attributes,
  type ContentType,
  type Data,
} from 'content-service/plugin';

/** Values in the written form without the ids of components: whether a write has made these anew is no difference. */
export const withoutIds = (values: Data, attributes: Attributes): Data =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, valueWithoutIds(value, attributes.get(name))]),
  );

function valueWithoutIds(value: unknown, attribute: Attribute | undefined): unknown {
  if (!holdsComponents(attribute) || value === null) return value;
  return mapComponents(value, attribute, ({ id: _id, ...own }, component) => withoutIds(own, component.attributes));
}

/** Whether two values of an attribute are the same. */
export const isSameValue = (value: unknown, other: unknown, attribute: Attribute | undefined): boolean =>
  textOf(valueWithoutIds(value, attribute)) === textOf(valueWithoutIds(other, attribute));

/** Whether two versions have the same values. */
export const isSameData = (data: Data, other: Data, { attributes }: ContentType): boolean =>
  [...new Set([...Object.keys(data), ...Object.keys(other)])].every((name) =>
    isSameValue(data[name], other[name], attributes.get(name)),
  );

/** An absent value is none; the order of keys is not part of a value, except in lists. */
const textOf = (value: unknown): string => JSON.stringify(value ?? null, sorted);

const sorted = (_: string, value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;
