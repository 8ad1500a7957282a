import { changedAttributes, changesOf, dataOf, type Data } from '../body.js';
import { withoutIds } from '../copy.js';
import { formAttributes, isScalar, type Attribute, type Content, type ContentType } from '../schema.js';
import { isLinks, noLinks, valuesOf, withKeysOf, type Link, type Links, type Value, type Values } from '../values.js';

interface Stored {
  readonly id: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** What becomes of the related entries of an entry: others join them, some of them go, or others take their place. */
export const changeWays = ['add', 'remove', 'replace'] as const;
export type ChangeWay = (typeof changeWays)[number];

/** An attribute, and the value that many entries get; or the related entries that they get or lose. */
export interface Change {
  readonly attribute: Attribute;
  readonly way: ChangeWay;
  readonly value: Value;
}

/** Whether some entries can be added and removed while the others stay: requests say that of relations to many. */
export const isGrowing = (attribute: Attribute): boolean =>
  attribute.type === 'relation' && attribute.multiple && !attribute.morph;

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

/** The entries that a change makes different; of a hidden value nobody knows. */
export function changedByValue<T extends Stored>(
  content: Content,
  type: ContentType,
  change: Change,
  entries: readonly T[],
): readonly T[] {
  const { attribute } = change;
  if (!attribute.read) return entries;
  const model = withOnly(type, attribute);
  return entries.filter(({ attributes }) => {
    const before = valuesOf(content, model, attributes);
    const known = linksIn(before[attribute.name]);
    return known.truncated || changedAttributes(model, before, valuesAfter(change, before)).length > 0;
  });
}

const linksIn = (value: Value | undefined): Links => (isLinks(value) ? value : noLinks);

const without = (items: readonly Link[], others: readonly Link[]): readonly Link[] =>
  items.filter(({ id }) => !others.some((other) => other.id === id));

/** What an entry has after a change. */
function valuesAfter({ attribute: { name }, way, value }: Change, before: Values): Values {
  if (way === 'replace') return { [name]: value };
  const links = linksIn(before[name]);
  const { items } = linksIn(value);
  const kept = without(links.items, way === 'remove' ? items : []);
  return { [name]: { ...links, items: way === 'remove' ? kept : [...kept, ...without(items, links.items)] } };
}

/**
 * The operations of a batch that makes a change. As in a form, that of a published entry is prepared if its type has
 * working copies, and is published at once otherwise.
 */
export const changeOperations = (
  content: Content,
  type: ContentType,
  { attribute, way, value }: Change,
  entries: readonly Stored[],
): readonly object[] => {
  const ids = linksIn(value).items.map(({ id }) => id);
  // What others add or remove meanwhile stays as they want it.
  const ways = { add: { connect: ids }, remove: { disconnect: ids }, replace: undefined };
  const data = { [attribute.name]: ways[way] ?? dataOf(content, attribute, value) };
  return entries.map(({ id }) => updateOf(type, id, data));
};

const updateOf = ({ path, workingCopies }: ContentType, id: number, data: Data): object => ({
  update: path,
  id,
  ...(workingCopies === true && { status: 'draft' }),
  data,
});

/**
 * The operation of a batch that takes a change back; undefined: the entry has another value by now, or more related
 * entries than were read.
 * @param former the entry before the change
 */
export function undoOperation(
  content: Content,
  type: ContentType,
  change: Change,
  former: Stored,
  now: Stored,
): object | undefined {
  const model = withOnly(type, change.attribute);
  const before = valuesOf(content, model, former.attributes);
  const current = valuesOf(content, model, now.attributes);
  const expected = valuesAfter(change, before);
  if ([before, current].some((values) => linksIn(values[change.attribute.name]).truncated)) return undefined;
  // Components that the change made have ids by now.
  if (changedAttributes(model, withoutIds(expected), withoutIds(current)).length > 0) return undefined;
  return updateOf(type, now.id, changesOf(content, model, current, withKeysOf(current, withoutIds(before))));
}
