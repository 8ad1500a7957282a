import { changedAttributes, type Data } from './body.js';
import {
  componentOf,
  formAttributes,
  isParts,
  isReadInForm,
  isScalar,
  type Attribute,
  type Content,
  type ContentType,
  type Model,
} from './schema.js';
import { FILE, isLinks, valuesOf, withKeysOf, type Part, type Value, type Values } from './values.js';

/** What an entry was after a write. */
export interface Version {
  readonly id: number;
  readonly at: string;
  /** The user who wrote it; null: it was no user, or one who was deleted. */
  readonly by: string | null;
  /** Null: it was a draft. */
  readonly publishedAt?: string | null;
  /** It was prepared, and not published by this write. */
  readonly copy?: true;
  /** The attributes that it prepares. */
  readonly changes?: readonly string[];
  /** Its values as a request has them: related entries and files are ids. */
  readonly data: Data;
}

/** The attributes that differ from the version before; undefined: that is not known. */
export const writtenIn = ({ data, changes }: Version, before: Version | undefined): readonly string[] | undefined =>
  changes ??
  (before &&
    Object.keys({ ...before.data, ...data }).filter(
      (name) => JSON.stringify(before.data[name] ?? null) !== JSON.stringify(data[name] ?? null),
    ));

/** What is known of a related entry or a file. */
export type EntryOf = (uid: string, id: number) => Data;

/** The ids of the entries and files in a version, by their types. */
export function linkedIn(content: Content, type: ContentType, { data }: Version): ReadonlyMap<string, Set<number>> {
  const linked = new Map<string, Set<number>>();
  asRead(content, type, data, (uid, id) => {
    linked.set(uid, (linked.get(uid) ?? new Set<number>()).add(id));
    return { id };
  });
  return linked;
}

/** The values of a version in the form; its components take the places of those that are there now. */
export const formerValues = (
  content: Content,
  type: ContentType,
  { data }: Version,
  now: Values,
  entryOf: EntryOf,
): Values => withKeysOf(now, valuesOf(content, type, asRead(content, type, data, entryOf)));

/**
 * The attributes that differ from a version and that the user can restore, so not those with more related entries than
 * a form reads.
 */
export const restorable = (type: ContentType, { data }: Version, now: Values, then: Values): readonly Attribute[] =>
  changedAttributes(type, now, then).filter(
    ({ name, read, update }) =>
      read && update && name in data && [now[name], then[name]].every((value) => isWhole(value ?? null)),
  );

/**
 * Whether a request can write all that differs between two states of an entry: nothing of it is hidden, locked, or
 * longer than what a form reads.
 */
export const canBeWritten = (content: Content, type: ContentType, one: Values, other: Values): boolean =>
  !hidesSome(content, type) &&
  changedAttributes(type, one, other).every(
    ({ name, update }) => update && [one[name], other[name]].every((value) => isWhole(value ?? null)),
  );

const hidesSome = (content: Content, model: Model): boolean =>
  formAttributes(model).some(
    (attribute) =>
      !isReadInForm(attribute) ||
      (isParts(attribute) && attribute.components.some((uid) => hidesSome(content, componentOf(content, uid)))),
  );

function isWhole(value: Value): boolean {
  if (isLinks(value)) return !value.truncated;
  return (
    !Array.isArray(value) ||
    (value as readonly Part[]).every(({ values }) => Object.values(values).every((inner) => isWhole(inner)))
  );
}

/** Values of a request as a response has them. */
const asRead = (content: Content, model: Model, data: Data, entryOf: EntryOf): Data =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const attribute = model.attributes.find((one) => one.name === name);
      if (attribute === undefined || isScalar(attribute) || value === null) return [name, value];
      const readOne = (one: unknown): unknown =>
        isParts(attribute)
          ? partAsRead(content, attribute.components[0] ?? '', one as Data, entryOf)
          : entryAsRead(attribute.type === 'media' ? FILE : (attribute.targets[0] ?? ''), one, entryOf);
      return [name, Array.isArray(value) ? value.map(readOne) : readOne(value)];
    }),
  );

function partAsRead(content: Content, component: string, part: Data, entryOf: EntryOf): Data {
  const { __component = component, ...values } = part;
  return { __component, ...asRead(content, componentOf(content, String(__component)), values, entryOf) };
}

/** The link of a morph relation names the type of its entry. */
function entryAsRead(target: string, link: unknown, entryOf: EntryOf): Data {
  if (typeof link === 'number') return entryOf(target, link);
  const { __type, id } = link as { readonly __type: string; readonly id: number };
  return { ...entryOf(__type, id), __type };
}
