import type { Document } from 'mongodb';
import { AppError } from '../errors/app-error.js';
import { attributeTypes } from '../content-types/attribute-types.js';
import type { ReadEntry, ReadNode, Slice } from './compile/plan.js';

export type Attributes = Record<string, unknown>;

/** How a transport wants what is read, so that an answer is built once, in its final form. */
export interface Shape {
  /** An entry of a content type. */
  readonly entry: (id: number, attributes: Attributes) => unknown;
  readonly one: (entry: unknown) => unknown;
  readonly many: (entries: readonly unknown[]) => unknown;
  /** What is behind a morph relation. */
  readonly morph: Shape;
}

/** The page and, by name, the lists of related entries that were fetched for it. */
export type Fetched = Readonly<Record<string, readonly Document[]>>;

/**
 * Entries in one answer, repeated ones included: populating in circles doubles them at each level, though each is
 * fetched once.
 */
const MOST_ENTRIES = 50_000;

/**
 * Puts the entries of a page together with what was fetched for them, by id. Related entries that are gone are left out.
 * @throws AppError tooCostly
 */
export function assemble(page: readonly Document[], fetched: Fetched, read: ReadEntry, shape: Shape): unknown[] {
  const lists = new Map<string, Map<unknown, Document[]>>();
  const find = (from: string, by: string): Map<unknown, Document[]> => {
    const name = `${from} ${by}`;
    const known = lists.get(name) ?? indexBy(fetched[from] ?? [], by);
    lists.set(name, known);
    return known;
  };
  let left = MOST_ENTRIES;
  const counted: Shape['entry'] = (id, attributes) => {
    left -= 1;
    if (left < 0) throw new AppError('tooCostly', 'entries in one answer', MOST_ENTRIES);
    return shape.entry(id, attributes);
  };
  return page.map((document) => readEntry(document, read, { ...shape, entry: counted }, find));
}

type Find = (from: string, by: string) => Map<unknown, Document[]>;

/** By the value under `by`; an element of several values is listed under each, those of a morph under `type id`. */
function indexBy(documents: readonly Document[], by: string): Map<unknown, Document[]> {
  const index = new Map<unknown, Document[]>();
  for (const document of documents) {
    const value: unknown = document[by];
    for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      const key = isLink(one) ? `${one.__type} ${one.id}` : one;
      const list = index.get(key);
      if (list === undefined) index.set(key, [document]);
      else list.push(document);
    }
  }
  return index;
}

interface Link {
  readonly __type: string;
  readonly id: number;
}

const isLink = (value: unknown): value is Link => typeof value === 'object' && value !== null && '__type' in value;

function readEntry(document: Document, read: ReadEntry, shape: Shape, find: Find): unknown {
  return shape.entry(document['_id'] as number, readAttributes(document, read, shape, find, {}));
}

function readAttributes(
  document: Document,
  { fields, nodes }: ReadEntry,
  shape: Shape,
  find: Find,
  attributes: Attributes,
): Attributes {
  for (const { name, type } of fields) {
    const value: unknown = document[name];
    const { decode } = attributeTypes[type];
    attributes[name] = value === undefined ? null : decode === undefined ? value : decode(value);
  }
  for (const node of nodes) {
    // As recorded: a morph to many that holds nothing is left out.
    if (node.kind === 'morph' && node.many && document[node.name] === undefined) continue;
    attributes[node.key] = readNode(document, node, shape, find);
  }
  return attributes;
}

function readNode(document: Document, node: ReadNode, shape: Shape, find: Find): unknown {
  switch (node.kind) {
    case 'component': {
      const value = document[node.name] as Document | Document[] | undefined;
      const one = (component: Document): Attributes =>
        readAttributes(component, node.entry, shape, find, { id: component['id'] });
      if (!node.repeatable) return value === undefined ? null : one(value as Document);
      return cut(sortComponents((value ?? []) as Document[], node.sort), node.slice).map(one);
    }
    case 'zone':
      return ((document[node.name] ?? []) as Document[]).flatMap((component) => {
        const { id, __component } = component;
        const entry = node.on.get(__component as string);
        return entry === undefined ? [] : [readAttributes(component, entry, shape, find, { id, __component })];
      });
    case 'owned': {
      const entries = ownedEntries(document[node.name], node, find(node.from, '_id'));
      return relation(entries, node.many, (entry) => readEntry(entry, node.entry, shape, find), shape);
    }
    case 'inverse': {
      const id = document['_id'] as number;
      const entries = find(node.from, node.by).get(node.type === undefined ? id : `${node.type} ${id}`) ?? [];
      // As recorded: the other side of a morph is null, not an empty list.
      if (node.type !== undefined && entries.length === 0) return shape.one(null);
      const sorted = node.ordered ? entries : sortByRank(entries, node.by, id);
      return relation(sorted, node.many, (entry) => readEntry(entry, node.entry, shape, find), shape);
    }
    case 'morph': {
      const links = [document[node.name] ?? []].flat() as Link[];
      const entries = links.flatMap(({ __type, id }) => {
        const target = node.on.get(__type);
        const entry = target && find(target.from, '_id').get(id)?.[0];
        if (target === undefined || entry === undefined) return [];
        const attributes = readAttributes(entry, target.entry, shape.morph, find, { __type, id });
        return [attributes];
      });
      return node.many ? entries : (entries.map(({ __type, ...attributes }) => attributes)[0] ?? null);
    }
    default:
      return node satisfies never;
  }
}

function relation(
  entries: readonly Document[],
  many: boolean,
  read: (entry: Document) => unknown,
  shape: Shape,
): unknown {
  if (many) return shape.many(entries.map(read));
  const [entry] = entries;
  return shape.one(entry === undefined ? null : read(entry));
}

function ownedEntries(
  value: unknown,
  { ordered, slice }: { ordered: boolean; slice: Slice },
  found: Map<unknown, Document[]>,
): readonly Document[] {
  const ids = Array.isArray(value) ? (value as readonly unknown[]) : value === undefined ? [] : [value];
  if (!ordered)
    return cut(
      ids.flatMap((id) => found.get(id) ?? []),
      slice,
    );
  const wanted = new Set(ids);
  return cut(
    [...found.values()].flat().filter((entry) => wanted.has(entry['_id'])),
    slice,
  );
}

const cut = <T>(list: readonly T[], { start, limit }: Slice): readonly T[] =>
  start === 0 && limit === undefined ? list : list.slice(start, limit === undefined ? undefined : start + limit);

/** The order of an inverse relation: by the rank that the owner keeps beside the id, then by id. */
function sortByRank(entries: readonly Document[], by: string, id: number): readonly Document[] {
  if (entries.length < 2) return entries;
  const rank = (entry: Document): number => {
    const ranks = (entry['_rank'] as Document | undefined)?.[by] as number | number[] | undefined;
    return (Array.isArray(ranks) ? ranks[(entry[by] as number[]).indexOf(id)] : ranks) ?? 0;
  };
  return entries.toSorted((a, b) => rank(a) - rank(b) || (a['_id'] as number) - (b['_id'] as number));
}

function sortComponents(
  components: readonly Document[],
  sort: readonly { readonly name: string; readonly descending: boolean }[],
): readonly Document[] {
  if (sort.length === 0) return components;
  return components.toSorted((a, b) => {
    for (const { name, descending } of sort) {
      const order = compareValues(a[name], b[name]);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
}

/** Nulls first, texts by code point, as the database sorts. */
function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
  return (a as number) < (b as number) ? -1 : 1;
}
