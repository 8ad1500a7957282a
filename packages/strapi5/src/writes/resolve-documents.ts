import { textOf, type FormContext } from 'content-service/content-api';
import {
  AppError,
  isLocalized,
  isRecord,
  mapComponents,
  type Attribute,
  type Attributes,
  type Caller,
  type Component,
  type ContentType,
  type Data,
} from 'content-service/plugin';
import { defaultLocaleOf } from '../locale.js';
import { below, invalidDataKey } from '../strict/invalid-key.js';

interface Writing extends Pick<FormContext, 'documents'> {
  readonly type: ContentType;
  readonly caller: Caller;
  /** Of the written entry; undefined: its type is not localized. */
  readonly locale: string | undefined;
  readonly isNew: boolean;
  /** Code of the project writes: what names no entry links none (recorded: code/46-relation-forms). */
  readonly byCode?: true | undefined;
}

/** A related entry that data names by its document; null: its type is not localized. */
interface Named {
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string | null;
}

/** The id of a named entry. */
type LookUp = (named: Named) => number;

/**
 * Data in the forms of Strapi v4: with the ids of entries in place of documents, and the values of JSON texts. All
 * documents of one type are found with one command. An entry that is deleted afterwards is missing like any other that
 * data names by its id.
 * @throws AppError invalidValue for a document that does not exist for the caller
 */
export async function resolveDocuments(data: Data, writing: Writing): Promise<Data> {
  const named = new Map<ContentType, Set<string>>();
  withIds(data, writing, ({ type, documentId }) => {
    named.set(type, (named.get(type) ?? new Set()).add(documentId));
    return 0;
  });
  const ids = new Map<string, number>();
  const find = async (type: ContentType, documentIds: ReadonlySet<string>): Promise<void> => {
    for (const { id, documentId, locale } of await writing.documents.identify(type, [...documentIds], {
      caller: writing.caller,
    }))
      ids.set(keyOf({ type, documentId, locale: isLocalized(type) ? locale : null }), id);
  };
  await Promise.all([...named].map(([type, documentIds]) => find(type, documentIds)));
  return withIds(data, writing, (entry) => {
    const id = ids.get(keyOf(entry));
    if (id !== undefined) return id;
    const message = `Document with id "${entry.documentId}", locale "${entry.locale}" not found`;
    throw new AppError('invalidValue', message);
  });
}

const keyOf = ({ type, documentId, locale }: Named): string => JSON.stringify([type.uid, documentId, locale]);

/** What all relations of one write have in common. */
interface Resolving extends Pick<Writing, 'locale' | 'isNew' | 'byCode'> {
  readonly lookUp: LookUp;
}

const withIds = (data: Data, { type, locale, isNew, byCode }: Writing, lookUp: LookUp): Data =>
  valuesWithIds(data, type.attributes, null, { locale, isNew, byCode, lookUp });

const valuesWithIds = (data: Data, attributes: Attributes, path: string | null, resolving: Resolving): Data =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      valueWithIds(value, attributes.get(name), below(path, name), resolving),
    ]),
  );

function valueWithIds(value: unknown, attribute: Attribute | undefined, path: string, resolving: Resolving): unknown {
  switch (attribute?.kind) {
    case 'relation':
    case 'morphed':
      return relationWithIds(value, attribute, path, resolving);
    case 'morph':
      return morphWithIds(value, attribute, path, resolving);
    case 'component':
    case 'zone':
      return mapComponents(value, attribute, (data: Data, component: Component) =>
        valuesWithIds(data, component.attributes, path, resolving),
      );
    case 'scalar':
      return attribute.type === 'json' && typeof value === 'string' ? valueOfJson(value) : value;
    case undefined:
      return value;
    default:
      return attribute satisfies never;
  }
}

/**
 * The value that a text in JSON stands for, also where it was encoded twice; another text is kept.
 * Source: `JSONField` of Strapi 5.54, which reads what it has stored so.
 */
function valueOfJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? JSON.parse(value) : value;
  } catch {
    return text;
  }
}

type Kind<K extends Attribute['kind']> = Attribute & { readonly kind: K };

function relationWithIds(
  value: unknown,
  attribute: Kind<'relation'> | Kind<'morphed'>,
  path: string,
  resolving: Resolving,
): unknown {
  const { target, many } = attribute;
  const isNamed = (item: unknown): boolean => resolving.byCode !== true || canName(item);
  // Of a list Strapi 5 links the last one (recorded: 21-relations/20).
  const listed = (list: unknown): readonly unknown[] => {
    const items = [list]
      .flat()
      .filter(isNamed)
      .map((item) => itemWithId(item, target, resolving));
    return many ? items : items.slice(-1);
  };
  if (Array.isArray(value)) return listed(value);
  if (!isRecord(value) || isItem(value)) {
    if (!isNamed(value) && value !== null) return { connect: [] };
    return value === null ? null : itemWithId(value, target, resolving);
  }
  const { set, connect, disconnect, ...others } = value;
  if (isGiven(set)) return { ...others, set: listed(set) };
  // Strapi 5 links no files so, and says nothing.
  if (attribute.kind === 'relation' && attribute.media)
    for (const [name, list] of Object.entries({ connect, disconnect }))
      if (isGiven(list)) throw invalidDataKey(name, path);
  return {
    ...others,
    // Of those that are connected, the first one (recorded: code/46-relation-forms). Each in the same form: one that is
    // named twice in two forms is connected once.
    ...(isGiven(connect) && {
      connect: listed(many ? connect : [connect].flat().slice(0, 1)).map((item) =>
        typeof item === 'number' ? { id: item } : item,
      ),
    }),
    ...(isGiven(disconnect) && { disconnect: [disconnect].flat().map((item) => itemWithId(item, target, resolving)) }),
  };
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
const isItem = (value: Data): boolean => isGiven(value['documentId']) || isGiven(value['id']);

/** Whether it can name an entry. */
const canName = (item: unknown): boolean =>
  isRecord(item) ? isItem(item) : typeof item === 'string' || typeof item === 'number';

/** A text that does not begin as a number does names a document, as in Strapi 5. */
const namesDocument = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && Number.isNaN(Number.parseInt(value, 10));

function itemWithId(item: unknown, target: ContentType, resolving: Resolving): unknown {
  if (namesDocument(item)) return idOf(item, undefined, target, resolving);
  if (!isRecord(item)) return item;
  const { documentId, locale, status: _status, position, ...rest } = item;
  const placed = isRecord(position) ? { position: placeWithIds(position, target, resolving) } : {};
  return isGiven(documentId)
    ? { id: idOf(textOf(documentId), locale, target, resolving), ...placed }
    : { ...rest, ...placed };
}

/** The place of a connected entry: before or after another one, which has a locale of its own. */
function placeWithIds({ locale, status: _status, ...position }: Data, target: ContentType, resolving: Resolving): Data {
  const anchors = (['before', 'after'] as const).flatMap((name) => {
    const anchor = position[name];
    return isGiven(anchor)
      ? [
          [
            name,
            namesDocument(anchor) ? idOf(anchor, locale, target, resolving) : itemWithId(anchor, target, resolving),
          ],
        ]
      : [];
  });
  return { ...position, ...(Object.fromEntries(anchors) as Data) };
}

/**
 * In the locale of the written entry where both types are localized, otherwise in that of the item, or the default one.
 */
function idOf(documentId: string, locale: unknown, type: ContentType, { locale: own, lookUp }: Resolving): number {
  const named = typeof locale === 'string' && locale !== '' ? locale : defaultLocaleOf(type);
  return lookUp({ type, documentId, locale: isLocalized(type) ? (own ?? named ?? null) : null });
}

function morphWithIds(value: unknown, attribute: Kind<'morph'>, path: string, resolving: Resolving): unknown {
  if (!isRecord(value) || !('set' in value || 'connect' in value || 'disconnect' in value))
    return linksWithIds(value, attribute, resolving);
  const { set, connect, disconnect } = value;
  if (isGiven(set)) return linksWithIds(set, attribute, resolving);
  // The links that an entry has cannot be told from those that it gets.
  if (isGiven(disconnect)) throw invalidDataKey('disconnect', path);
  if (!resolving.isNew && attribute.many) throw invalidDataKey('connect', path);
  return linksWithIds(connect, attribute, resolving);
}

function linksWithIds(value: unknown, { candidates, many }: Kind<'morph'>, resolving: Resolving): unknown {
  const withId = (link: unknown): unknown => {
    if (!isRecord(link) || !isGiven(link['documentId'])) return link;
    const { __type: uid, documentId, locale } = link;
    const target = candidates.get(textOf(uid));
    return target === undefined ? link : { __type: uid, id: idOf(textOf(documentId), locale, target, resolving) };
  };
  if (!Array.isArray(value)) return withId(value);
  return (many ? value : value.slice(-1)).map(withId);
}
