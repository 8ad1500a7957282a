import type { Document } from 'mongodb';
import { AppError } from '../../errors/app-error.js';
import { attributeTypes } from '../../content-types/model/attribute-types.js';
import type { ScalarAttribute } from '../../content-types/model/types.js';
import type { EntryIds } from '../../query/change.js';
import type { Cardinality, MainRead, ReadEntry, ReadNode } from '../compile/plan.js';
import { listName } from '../compile/read/look-up.js';
import { storedRanks } from '../stored/relation.js';
import type { MorphLink } from '../../query/mutation.js';
import type { EntryValues, AvailableLocale, EntryPresenter, LazyEntry } from '../../query/entry-presenter.js';
import { documentOf, type Fetched, type Row, type RowPage } from './read-batch.js';
import { cutLinks, cutZone, cut, indexBy, ownedEntries, sortByRank, sortComponents } from './order-entries.js';

/**
 * Entries in one response, including repeated ones: circular populates double them at each level, although each is
 * fetched once.
 */
const MAX_ENTRIES = 50_000;

/**
 * Assembles the entries of a page from the lists that were fetched for it, by id; each when it is called. Related entries
 * that no longer exist are left out.
 */
export function assemble(page: readonly Row[], fetched: Fetched, read: ReadEntry): LazyEntry[] {
  const indexes = new Map<string, Map<string, Map<unknown, Document[]>>>();
  let left = MAX_ENTRIES;
  const find: Find = (from, by) => {
    const existing = indexes.get(from)?.get(by);
    if (existing !== undefined) return existing;
    const index = indexBy(fetched[from] ?? [], by);
    indexes.set(from, (indexes.get(from) ?? new Map()).set(by, index));
    return index;
  };
  const spend = (): void => {
    left -= 1;
    if (left < 0) throw new AppError('tooCostly', 'entries in one response', MAX_ENTRIES);
  };
  return page.map((row) => {
    let count = spend;
    return (presenter) => {
      const entry = readEntry(documentOf(row), read, { presenter, find, spend: count });
      // It counts once, even if it is assembled again.
      count = () => undefined;
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
    attributes[field.name] = readValue(value, field);
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
      const readOne = (component: Document): EntryValues =>
        readAttributes(component, node.entry, reading, { id: component['id'] });
      if (!node.repeatable) return value === undefined ? null : readOne(value);
      return cut(sortComponents((value ?? []) as Document[], node.sort), node.slice).map(readOne);
    }
    case 'zone': {
      const stored = (document[node.name] ?? []) as Document[];
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
      return relation(sorted, node.cardinality, (entry) => readEntry(entry, node.entry, reading), presenter);
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
      return entries.length === 0 ? presenter.one(null) : presenter.many(entries.map(read));
    case 'count':
      return presenter.one(presenter.entry(undefined, { count: entries.length }));
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
