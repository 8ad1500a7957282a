import type { Document } from 'mongodb';
import type { Command } from './gate.js';

/**
 * What a command touches: names of documents (`articles#3`), of all documents of a collection (`articles#*`), or of
 * values that an index makes unique (`articles!code`). Two commands that touch nothing in common, or only read or only
 * increment it, have the same effect in either order.
 */
export interface Footprint {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly increments: readonly string[];
}

/** The fields of unique indexes, by collection. */
export type UniqueFields = ReadonlyMap<string, readonly string[]>;

const none: Footprint = { reads: [], writes: [], increments: [] };

export function footprintOf({ name, collection, body }: Command, unique: UniqueFields): Footprint {
  switch (name) {
    case 'find':
    case 'count':
      return { ...none, reads: documentsOf(collection, (body['filter'] ?? body['query'] ?? {}) as Document) };
    case 'insert': {
      const documents = sequence(body['documents']);
      const inserted = documents.flatMap((document) => documentsOf(collection, { _id: document['_id'] }));
      return { ...none, writes: [...inserted, ...uniqueIn(collection, documents, unique)] };
    }
    case 'update': {
      const updates = sequence(body['updates']);
      const touched = updates.flatMap(({ q }) => documentsOf(collection, q as Document));
      if (collection === '_versions') return { ...none, increments: touched };
      return {
        ...none,
        writes: [
          ...touched,
          ...uniqueIn(
            collection,
            updates.map(({ u }): unknown => u),
            unique,
          ),
        ],
      };
    }
    case 'delete': {
      const deletes = sequence(body['deletes']);
      const released = (unique.get(collection) ?? []).map((field) => `${collection}!${field}`);
      return { ...none, writes: [...deletes.flatMap(({ q }) => documentsOf(collection, q as Document)), ...released] };
    }
    case 'findAndModify':
      return { ...none, writes: documentsOf(collection, body['query'] as Document) };
    case 'aggregate':
      return aggregation(collection, body['pipeline'] as readonly Document[], unique);
    default:
      return { ...none, writes: [`${collection}#*`] };
  }
}

/** Bulks are sent as sequences beside the command. */
export const sequence = (list: unknown): readonly Document[] =>
  Array.isArray(list) ? (list as readonly Document[]) : (list as { readonly documents: readonly Document[] }).documents;

function aggregation(collection: string, pipeline: readonly Document[], unique: UniqueFields): Footprint {
  const [first] = pipeline;
  const read = documentsOf(collection, (first?.['$match'] as Document | undefined) ?? {});
  const others = [...JSON.stringify(pipeline).matchAll(/"(?:from|coll)":"([^"]+)"/g)].map(([, from]) => `${from}#*`);
  const into = pipeline.flatMap((stage) => {
    const merge = stage['$merge'] as { into: string; whenMatched: unknown } | undefined;
    return merge === undefined ? [] : [`${merge.into}#*`, ...uniqueIn(merge.into, [merge.whenMatched], unique)];
  });
  return { ...none, reads: [...read, ...others], writes: into };
}

/** The unique values that a change writes: whether another has them decides about both. */
function uniqueIn(collection: string, changes: readonly unknown[], unique: UniqueFields): readonly string[] {
  const written = JSON.stringify(changes);
  return (unique.get(collection) ?? []).flatMap((field) =>
    written.includes(`"${field}"`) ? [`${collection}!${field}`] : [],
  );
}

function documentsOf(collection: string, filter: Document): readonly string[] {
  const ids = idsOf(filter);
  return ids === undefined ? [`${collection}#*`] : ids.map((id) => `${collection}#${String(id)}`);
}

/** The ids that a filter names; undefined where it may match any. */
function idsOf(filter: Document): readonly unknown[] | undefined {
  const { _id: id, $and: all } = filter as { _id?: unknown; $and?: readonly Document[] };
  if (typeof id === 'number' || typeof id === 'string') return [id];
  const among = (id as { $in?: readonly unknown[]; $eq?: unknown } | undefined) ?? {};
  if (among.$in !== undefined) return among.$in;
  if (among.$eq !== undefined) return [among.$eq];
  return all?.map(idsOf).find((ids) => ids !== undefined);
}

const collide = (one: string, other: string): boolean => {
  if (one === other) return true;
  const [collection, id] = one.split('#');
  const [otherCollection, otherId] = other.split('#');
  return collection === otherCollection && id !== undefined && otherId !== undefined && (id === '*' || otherId === '*');
};

const meet = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((one) => others.some((other) => collide(one, other)));

/** Does the order of the two matter? */
export function areDependent(one: Footprint, other: Footprint): boolean {
  const [all, allOthers] = [one, other].map(({ reads, writes, increments }) => [...reads, ...writes, ...increments]);
  return (
    meet(one.writes, allOthers ?? []) ||
    meet(other.writes, all ?? []) ||
    meet(one.increments, other.reads) ||
    meet(other.increments, one.reads)
  );
}
