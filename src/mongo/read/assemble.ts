import type { Document } from 'mongodb';
import { AppError } from '../../errors/app-error.js';
import { attributeTypes } from '../../content-types/model/attribute-types.js';
import type { ScalarType } from '../../content-types/model/types.js';
import type { ListRead, ReadEntry, ReadNode } from '../compile/plan.js';
import { documentOf, type Row } from './read-batch.js';
import { cutLinks, cutZone } from './cut-parts.js';
import { cut, indexBy, ownedEntries, sortByRank, sortComponents, type Link } from './order-entries.js';

export type Attributes = Record<string, unknown>;

/** Another localization of an entry. */
export interface AvailableLocale {
  readonly id: number;
  readonly locale: string;
}

/** How a transport wants what is read, so that an answer is built once, in its final form. */
export interface Shape {
  /** Entries tell which other localizations they have. */
  readonly locales?: true;
  /** An entry of a content type; without an id, what is said of several. */
  readonly entry: (
    id: number | undefined,
    attributes: Attributes,
    availableLocales?: readonly AvailableLocale[],
  ) => unknown;
  readonly one: (entry: unknown) => unknown;
  readonly many: (entries: readonly unknown[]) => unknown;
  /** A `datetime`; absent: as it is. */
  readonly moment?: (moment: Date) => unknown;
  /** What is behind a morph relation. */
  readonly morph: Shape;
  /**
   * What is behind a morph relation to one tells its type, as what is behind one to many always does; one to many that
   * holds nothing is an empty list.
   */
  readonly typed?: true;
}

/** The page and, by name, the lists of related entries that were fetched for it. */
export type Fetched = Readonly<Record<string, readonly Document[]>>;

/**
 * Entries in one answer, repeated ones included: populating in circles doubles them at each level, though each is
 * fetched once.
 */
const MOST_ENTRIES = 50_000;

/** Puts an entry together, anew each time. @throws AppError tooCostly */
export type MakeEntry = () => unknown;

/**
 * Puts the entries of a page together with what was fetched for them, by id; each when it is wanted. Related entries that
 * are gone are left out.
 */
export function assemble(page: readonly Row[], fetched: Fetched, read: ReadEntry, shape: Shape): MakeEntry[] {
  const lists = new Map<string, Map<unknown, Document[]>>();
  let left = MOST_ENTRIES;
  const find: Find = (from, by) => {
    const name = `${from} ${by}`;
    const known = lists.get(name) ?? indexBy(fetched[from] ?? [], by);
    lists.set(name, known);
    return known;
  };
  const spend = (): void => {
    left -= 1;
    if (left < 0) throw new AppError('tooCostly', 'entries in one answer', MOST_ENTRIES);
  };
  const free = { shape, find, spend: () => undefined };
  return page.map((row) => {
    let reading: Reading = { shape, find, spend };
    return () => {
      const entry = readEntry(documentOf(row), read, reading);
      // It counts once, however often it is put together.
      reading = free;
      return entry;
    };
  });
}

type Find = (from: string, by: string) => Map<unknown, Document[]>;

interface Reading {
  readonly shape: Shape;
  readonly find: Find;
  /** Counts one entry. @throws AppError tooCostly */
  readonly spend: () => void;
}

function readEntry(document: Document, read: ReadEntry, reading: Reading): unknown {
  reading.spend();
  const attributes = readAttributes(document, read, reading, {});
  return reading.shape.entry(document['_id'] as number, attributes, localesOf(document, read, reading));
}

function localesOf(
  document: Document,
  { availableLocales }: ReadEntry,
  { find }: Reading,
): readonly AvailableLocale[] | undefined {
  if (availableLocales === false) return undefined;
  if (availableLocales !== true) {
    const found = ownedEntries(document[availableLocales.name], availableLocales, find(availableLocales.from, '_id'));
    return found.map(({ _id, locale }) => ({ id: Number(_id), locale: locale as string }));
  }
  const { localizations = [], _rank } = document;
  const locales = ((_rank as Document | undefined)?.['localizations'] ?? []) as readonly string[];
  return locales.map((locale, index) => ({ id: (localizations as readonly number[])[index] as number, locale }));
}

function readAttributes(
  document: Document,
  { fields, nodes }: ReadEntry,
  reading: Reading,
  attributes: Attributes,
): Attributes {
  for (const { name, type } of fields) {
    attributes[name] = readValue(document[name], type, reading.shape);
  }
  for (const node of nodes) {
    // As recorded of REST: a morph to many that holds nothing is left out.
    if (!reading.shape.typed && node.kind === 'morph' && node.many && document[node.name] === undefined) continue;
    attributes[node.key] = readNode(document, node, reading);
  }
  return attributes;
}

function readValue(value: unknown, type: ScalarType, { moment }: Shape): unknown {
  if (value === undefined) return null;
  const { decode } = attributeTypes[type];
  if (decode !== undefined) return decode(value);
  return value instanceof Date && moment !== undefined ? moment(value) : value;
}

function readNode(document: Document, node: ReadNode, reading: Reading): unknown {
  const { shape, find } = reading;
  switch (node.kind) {
    case 'component': {
      const value = document[node.name] as Document | Document[] | undefined;
      const one = (component: Document): Attributes =>
        readAttributes(component, node.entry, reading, { id: component['id'] });
      if (!node.repeatable) return value === undefined ? null : one(value);
      return cut(sortComponents((value ?? []) as Document[], node.sort), node.slice).map(one);
    }
    case 'zone': {
      const stored = (document[node.name] ?? []) as Document[];
      return (node.cut ? cutZone(stored, node.on) : stored).flatMap((component) => {
        const { id, __component } = component;
        const part = node.on.get(__component as string);
        return part === undefined ? [] : [readAttributes(component, part.entry, reading, { id, __component })];
      });
    }
    case 'owned': {
      const entries = ownedEntries(document[node.name], node, find(node.from, '_id'));
      return relation(entries, node.answer, (entry) => readEntry(entry, node.entry, reading), shape);
    }
    case 'inverse': {
      const id = document['_id'] as number;
      const entries = find(node.from, node.by).get(node.type === undefined ? id : `${node.type} ${id}`) ?? [];
      const sorted = node.ordered ? entries : sortByRank(entries, node.by, id);
      return relation(sorted, node.answer, (entry) => readEntry(entry, node.entry, reading), shape);
    }
    case 'morph': {
      const stored = [document[node.name] ?? []].flat() as Link[];
      const links = node.cut ? cutLinks(stored, node.on, (from) => find(from, '_id')) : stored;
      const entries = links.flatMap(({ __type, id }) => {
        const target = node.on.get(__type);
        const entry = target && find(target.from, '_id').get(id)?.[0];
        if (target === undefined || entry === undefined) return [];
        reading.spend();
        return [readAttributes(entry, target.entry, { ...reading, shape: shape.morph }, { __type, id })];
      });
      if (node.many) return entries;
      return (shape.typed ? entries : entries.map(({ __type, ...attributes }) => attributes))[0] ?? null;
    }
    default:
      return node satisfies never;
  }
}

function relation(
  entries: readonly Document[],
  answer: ListRead,
  read: (entry: Document) => unknown,
  shape: Shape,
): unknown {
  switch (answer) {
    case 'one':
      return shape.one(entries[0] === undefined ? null : read(entries[0]));
    case 'many':
      return shape.many(entries.map(read));
    case 'manyOrNull':
      return entries.length === 0 ? shape.one(null) : shape.many(entries.map(read));
    case 'count':
      return shape.one(shape.entry(undefined, { count: entries.length }));
    default:
      return answer satisfies never;
  }
}
