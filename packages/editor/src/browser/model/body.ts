import { fromText } from './scalars.js';
import {
  componentOf,
  formAttributes,
  isParts,
  type Attribute,
  type Content,
  type Model,
  type RelationAttribute,
} from './schema.js';
import { isLinks, noLinks, type Link, type Links, type Part, type Value, type Values } from './values.js';

export type Data = Readonly<Record<string, unknown>>;

/**
 * The data of a new entry: every value that is not empty, and required lists of components: as in Strapi, also a draft
 * must have them.
 */
export function creationOf(content: Content, model: Model, values: Values): Data {
  const pairs = formAttributes(model)
    .filter(({ create }) => create)
    .filter((attribute) => !isEmpty(values[attribute.name]) || isRequiredList(attribute))
    .map((attribute) => [attribute.name, dataOf(content, attribute, values[attribute.name] ?? null)] as const);
  return Object.fromEntries(pairs);
}

/** The data of an update: the attributes whose value changed, so that a form overwrites nothing else. */
export function changesOf(content: Content, model: Model, before: Values, after: Values): Data {
  return Object.fromEntries(
    changedAttributes(model, before, after)
      .filter(({ update }) => update)
      .map((attribute) => [attribute.name, dataOf(content, attribute, after[attribute.name] ?? null)]),
  );
}

export const changedAttributes = (model: Model, before: Values, after: Values): readonly Attribute[] =>
  formAttributes(model).filter((attribute) => {
    const { name } = attribute;
    return before[name] !== after[name] && contentsOf(before[name]) !== contentsOf(after[name]);
  });

/** Compares values as they are in the form: also a string that cannot be parsed as JSON yet is a change. */
function contentsOf(value: Value | undefined): string {
  if (isLinks(value)) return value.items.map(({ uid, id }) => `${uid} ${id}`).join();
  if (!Array.isArray(value)) return JSON.stringify(value ?? null);
  const parts = (value as readonly Part[]).map(({ component, id, values }) => [
    component,
    id,
    Object.entries(values).map(([name, inner]) => [name, contentsOf(inner)]),
  ]);
  return JSON.stringify(parts);
}

const isRequiredList = (attribute: Attribute): boolean =>
  isParts(attribute) && attribute.multiple && attribute.required;

export const isEmpty = (value: Value | undefined): boolean =>
  value === undefined || value === null || value === '' || (isLinks(value) ? value.items : listOf(value))?.length === 0;

const listOf = (value: Value): readonly Part[] | undefined =>
  Array.isArray(value) ? (value as readonly Part[]) : undefined;

/** A value as the API takes it. @throws SyntaxError for a string that cannot be parsed as JSON */
export function dataOf(content: Content, attribute: Attribute, value: Value): unknown {
  if (isParts(attribute)) {
    const parts = (value ?? []) as readonly Part[];
    const list = parts.map((part) => ({
      ...(attribute.type === 'dynamiczone' && { __component: part.component }),
      ...partData(content, part),
    }));
    return attribute.multiple ? list : (list[0] ?? null);
  }
  if (attribute.type === 'media') {
    const ids = linksIn(value).items.map(({ id }) => id);
    return attribute.multiple ? ids : (ids[0] ?? null);
  }
  if (attribute.type === 'relation') return relationData(attribute, linksIn(value));
  if (typeof value !== 'string') return typeof value === 'boolean' ? value : null;
  return fromText(attribute, value);
}

const linksIn = (value: Value): Links => (isLinks(value) ? value : noLinks);

function relationData(attribute: RelationAttribute, { items, stored, truncated }: Links): unknown {
  const reference = ({ id, uid }: Link): unknown => (attribute.morph ? { id, __type: uid } : id);
  // A link of unknown type stays as it is: what is undefined is not sent.
  if (items.some(({ uid }) => uid === '')) return undefined;
  if (!attribute.multiple) return items[0] === undefined ? null : reference(items[0]);
  if (!truncated) return items.map(reference);
  const without = (list: readonly Link[], others: readonly Link[]): readonly Link[] =>
    list.filter(({ id, uid }) => !others.some((other) => other.id === id && other.uid === uid));
  return {
    connect: without(items, stored).map(reference),
    disconnect: without(stored, items).map(reference),
  };
}

/** Hidden values of a component are sent only if they were typed: the stored component keeps those that are missing. */
function partData(content: Content, { component, id, values }: Part): Data {
  const attributes = formAttributes(componentOf(content, component));
  const sent = attributes.filter((attribute) => {
    const { name, read } = attribute;
    const isTyped = !isEmpty(values[name]);
    return isTyped || (id === undefined ? isRequiredList(attribute) : read);
  });
  const pairs = sent.map((attribute) => [attribute.name, dataOf(content, attribute, values[attribute.name] ?? null)]);
  return { ...(id !== undefined && { id }), ...Object.fromEntries(pairs) };
}
