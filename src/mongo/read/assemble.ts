import type { Document } from 'mongodb';
import { AppError } from '../../errors/app-error.js';
import { attributeTypes } from '../../content-types/model/attribute-types.js';
import type { ScalarAttribute } from '../../content-types/model/types.js';
import type { EntryIds } from '../../query/change.js';
import type {
  Cardinality,
  MainRead,
  ReadEntry,
  ReadNode,
  ComponentSort,
  Slice,
  ReadMorphPart,
  ReadComponents,
} from '../compile/plan.js';
import { listName } from '../compile/read/populate.js';
import { listIn } from '../stored/entry-edit.js';
import { storedRanks, rankOf } from '../stored/relation.js';
import type { MorphLink } from '../../query/mutation.js';
import type { EntryValues, AvailableLocale, EntryPresenter, LazyEntry } from '../../query/entry-presenter.js';
import { documentOf, type Fetched, type ResultRow, type RowPage } from './read-batch.js';
import { compareTexts } from '../stored/compare-texts.js';

/**
 * Entries in one response, including repeated ones: circular populates double them at each level, although each is
 * fetched once.
 */
const MAX_ENTRIES = 50_000;

/**
 * Assembles the entries of a page from the lists that were fetched for it, by id; each when it is called. Related
 * entries that no longer exist are left out.
 */
export function assemble(page: readonly ResultRow[], fetched: Fetched, read: ReadEntry): LazyEntry[] {
  const indexes = new Map<string, Map<string, Map<unknown, Document[]>>>();
  let remaining = MAX_ENTRIES;
  const find: Find = (from, by) => {
    const existing = indexes.get(from)?.get(by);
    if (existing !== undefined) return existing;
    const index = indexBy(fetched[from] ?? [], by);
    indexes.set(from, (indexes.get(from) ?? new Map()).set(by, index));
    return index;
  };
  const spend = (): void => {
    remaining -= 1;
    if (remaining < 0) throw new AppError('tooCostly', 'entries in one response', MAX_ENTRIES);
  };
  return page.map((row) => {
    let isCounted = false;
    return (presenter) => {
      // An entry that is assembled again counts once.
      const entry = readEntry(documentOf(row), read, { presenter, find, spend: isCounted ? () => undefined : spend });
      isCounted = true;
      return entry;
    };
  });
}

type Find = (from: string, by: string) => Map<unknown, Document[]>;

interface Reading {
  readonly presenter: EntryPresenter;
  readonly find: Find;
  /** Counts one entry. @throws AppError tooCostly */
  readonly spend: () => void;
}

function readEntry(document: Document, read: ReadEntry, reading: Reading): unknown {
  reading.spend();
  const attributes = readAttributes(document, read, reading, {});
  return reading.presenter.entry(document['_id'] as number, attributes, localesOf(document, read, reading));
}

function localesOf(
  document: Document,
  { availableLocales }: ReadEntry,
  { find }: Reading,
): readonly AvailableLocale[] | undefined {
  if (availableLocales === false) return undefined;
  if (availableLocales !== true) {
    const entries = ownedEntries(document[availableLocales.name], availableLocales, find(availableLocales.from, '_id'));
    return entries.map(({ _id, locale }) => ({ id: Number(_id), locale: locale as string }));
  }
  const { localizations = [] } = document;
  const locales = storedRanks(document, 'localizations') as readonly string[];
  return locales.map((locale, index) => ({ id: (localizations as readonly number[])[index] as number, locale }));
}

function readAttributes(
  document: Document,
  { fields, nodes }: ReadEntry,
  reading: Reading,
  attributes: EntryValues,
): EntryValues {
  for (const field of fields) {
    const value: unknown = document[field.name];
    if (value === undefined && field.omitsNull === true) continue;
    attributes[field.alias?.name ?? field.name] = readValue(value, field);
  }
  for (const node of nodes) {
    // As recorded from REST: an empty to-many morph is omitted.
    const mayBeAbsent = !reading.presenter.typed && node.kind === 'morph' && node.many;
    if (mayBeAbsent && document[node.name] === undefined) continue;
    const value = readNode(document, node, reading);
    if (mayBeAbsent && node.narrowed && (value as readonly unknown[]).length === 0) continue;
    attributes[node.key] = value;
  }
  return attributes;
}

function readValue(value: unknown, { type, dialect }: ScalarAttribute): unknown {
  if (value === undefined) return null;
  const { decode } = attributeTypes[type];
  return decode === undefined ? value : decode(value, dialect);
}

function readNode(document: Document, node: ReadNode, reading: Reading): unknown {
  const { presenter, find } = reading;
  switch (node.kind) {
    case 'component': {
      const value = document[node.name] as Document | Document[] | undefined;
      if (node.counted) return countOf(value, presenter);
      const readOne = (component: Document): EntryValues =>
        readAttributes(component, node.entry, reading, { id: component['id'] });
      if (!node.repeatable) return value === undefined ? null : readOne(value);
      return cut(sortComponents((value ?? []) as Document[], node.sort), node.slice).map(readOne);
    }
    case 'zone': {
      const stored = (document[node.name] ?? []) as Document[];
      if (node.counted) return countOf(stored, presenter);
      const components: EntryValues[] = [];
      for (const component of node.cut ? cutZone(stored, node.on) : stored) {
        const { id, __component } = component;
        const part = node.on.get(__component as string);
        if (part !== undefined) components.push(readAttributes(component, part.entry, reading, { id, __component }));
      }
      return components;
    }
    case 'owned': {
      const entries = ownedEntries(document[node.name], node, find(node.from, '_id'));
      return relation(entries, node.cardinality, (entry) => readEntry(entry, node.entry, reading), presenter);
    }
    case 'inverse': {
      const id = document['_id'] as number;
      const entries = find(node.from, node.by).get(node.type === undefined ? id : `${node.type} ${id}`) ?? [];
      const sorted = node.ordered ? entries : sortByRank(entries, node.by, id);
      const { morphed = same } = node.type === undefined ? {} : presenter;
      return relation(sorted, node.cardinality, (entry) => morphed(readEntry(entry, node.entry, reading)), presenter);
    }
    case 'morph': {
      const stored = [document[node.name] ?? []].flat() as MorphLink[];
      const links = node.cut ? cutLinks(stored, node.on, (from) => find(from, '_id')) : stored;
      const entries = links.flatMap(({ __type, id }) => {
        const target = node.on.get(__type);
        const entry = target && find(target.from, '_id').get(id)?.[0];
        if (target === undefined || entry === undefined) return [];
        reading.spend();
        return [readAttributes(entry, target.entry, { ...reading, presenter: presenter.morph }, { __type, id })];
      });
      if (node.many) return entries;
      return (presenter.typed ? entries : entries.map(({ __type, ...attributes }) => attributes))[0] ?? null;
    }
    default:
      return node satisfies never;
  }
}

/** The number of related entries or components in place of them. */
const countOf = (list: unknown, presenter: EntryPresenter): unknown =>
  presenter.one(presenter.entry(undefined, { count: listIn(list).length }));

const same = (entry: unknown): unknown => entry;

function relation(
  entries: readonly Document[],
  list: Cardinality,
  read: (entry: Document) => unknown,
  presenter: EntryPresenter,
): unknown {
  switch (list) {
    case 'one':
      return presenter.one(entries[0] === undefined ? null : read(entries[0]));
    case 'many':
      return presenter.many(entries.map(read));
    case 'manyOrNull':
      return entries.length === 0 && !presenter.emptyLists ? presenter.one(null) : presenter.many(entries.map(read));
    case 'count':
      return countOf(entries, presenter);
    default:
      return list satisfies never;
  }
}

/** The ids of the entries of a page and of those that were fetched for it. */
export function idsOf({ page, fetched }: RowPage, { page: type, lists }: MainRead['types']): EntryIds {
  const ids = new Map([[type, new Set(page.map((row) => documentOf(row)['_id'] as number))]]);
  for (const [index, uid] of lists.entries()) {
    const ofType = ids.get(uid) ?? new Set();
    for (const { _id } of fetched[listName(index)] ?? []) ofType.add(_id as number);
    ids.set(uid, ofType);
  }
  return ids;
}

const isLink = (value: unknown): value is MorphLink => typeof value === 'object' && value !== null && '__type' in value;

/**
 * Documents by the value of `by`; a document with several values is listed under each, those of a morph under `type
 * id`.
 */
function indexBy(documents: readonly Document[], by: string): Map<unknown, Document[]> {
  const index = new Map<unknown, Document[]>();
  for (const document of documents) {
    const value: unknown = document[by];
    for (const element of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      const key = isLink(element) ? `${element.__type} ${element.id}` : element;
      const list = index.get(key);
      if (list === undefined) index.set(key, [document]);
      else list.push(document);
    }
  }
  return index;
}

/** The entries with an owner's ids, in the order of the ids or of the sort. */
function ownedEntries(
  value: unknown,
  { ordered, slice }: { ordered: boolean; slice: Slice },
  byId: Map<unknown, Document[]>,
): readonly Document[] {
  const ids = Array.isArray(value) ? (value as readonly unknown[]) : value === undefined ? [] : [value];
  if (!ordered) return cut(entriesWithIds(ids, byId), slice);
  const requestedIds = new Set(ids);
  return cut(
    [...byId.values()].flat().filter((entry) => requestedIds.has(entry['_id'])),
    slice,
  );
}

/** A loop, because `flatMap` takes ten times as long and most entries of a page are looked up here. */
function entriesWithIds(ids: readonly unknown[], byId: Map<unknown, Document[]>): readonly Document[] {
  const entries: Document[] = [];
  for (const id of ids) {
    const entry = byId.get(id)?.[0];
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

/** The requested slice. */
export const cut = <T>(list: readonly T[], { start, limit }: Slice): readonly T[] =>
  start === 0 && limit === undefined ? list : list.slice(start, limit === undefined ? undefined : start + limit);

/** The order of an inverse relation: by the rank stored with the owner's id, then by id. */
function sortByRank(entries: readonly Document[], by: string, id: number): readonly Document[] {
  if (entries.length < 2) return entries;
  return entries.toSorted(
    (a, b) => rankOf(a, by, id) - rankOf(b, by, id) || (a['_id'] as number) - (b['_id'] as number),
  );
}

/** Components in the requested order. */
function sortComponents(components: readonly Document[], sort: readonly ComponentSort[]): readonly Document[] {
  if (sort.length === 0) return components;
  return components.toSorted((a, b) => {
    for (const { path, descending, ...rules } of sort) {
      const order = compareValues(valueAt(a, path), valueAt(b, path), rules);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
}

const valueAt = (component: Document, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Document | undefined)?.[name], component);

/** Like the database. */
function compareValues(
  a: unknown,
  b: unknown,
  { nulls, collation }: Pick<ComponentSort, 'nulls' | 'collation'>,
): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return (a === undefined) === (nulls === 'first') ? -1 : 1;
  if (collation !== undefined && typeof a === 'string' && typeof b === 'string') return compareTexts(a, b, collation);
  return (a as number) < (b as number) ? -1 : 1;
}

/**
 * The components of a zone within the slices of their types, at their positions. As in Strapi v4, the sort of a type
 * determines which of them remain.
 */
function cutZone(components: readonly Document[], on: ReadonlyMap<string, ReadComponents>): readonly Document[] {
  return cutParts(components, on, ({ sort }, uid) => {
    const ofKind = components.filter(({ __component }) => __component === uid);
    return sort.length > 0
      ? sortComponents(ofKind, sort)
      : ofKind.toSorted((a, b) => Number(a['id']) - Number(b['id']));
  });
}

/** The links of a morph to existing entries, within the slices of their types, at their positions. */
function cutLinks(
  links: readonly MorphLink[],
  on: ReadonlyMap<string, ReadMorphPart>,
  find: (from: string) => ReadonlyMap<unknown, unknown>,
): readonly MorphLink[] {
  return cutParts(links, on, ({ from, ordered }, type) => {
    const byId = find(from);
    const ofType = links.filter(({ __type, id }) => __type === type && byId.has(id));
    const places = new Map(ordered ? [...byId.keys()].map((id, position) => [id, position]) : []);
    const placeOf = ({ id }: MorphLink): number => places.get(id) ?? id;
    return ofType.toSorted((a, b) => placeOf(a) - placeOf(b));
  });
}

/** The rest of a list after each part was sorted and sliced. */
function cutParts<T, P extends { readonly slice: Slice }>(
  list: readonly T[],
  on: ReadonlyMap<string, P>,
  inOrder: (part: P, name: string) => readonly T[],
): readonly T[] {
  const kept = new Set([...on].flatMap(([name, part]) => cut(inOrder(part, name), part.slice)));
  return list.filter((element) => kept.has(element));
}
