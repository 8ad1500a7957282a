import { ObjectId, type Document } from 'mongodb';
import { ALL_FIELDS, haveCommon, fieldsOfFilter, fieldsOfPipeline, fieldsOfUpdate, type Fields } from './fields.js';
import type { Command } from './gate.js';
import { sequence } from './sequence.js';

/** Fields of a document; of all documents of the collection where the id is `*`. */
export interface Touch {
  /** A collection (`articles`), or values that an index makes unique (`articles!code`). */
  readonly of: string;
  readonly id: string;
  readonly fields: Fields;
}

/**
 * The documents that a command touches. Two commands that touch nothing in common, or only read or only increment it,
 * have the same effect in either order.
 */
export interface Footprint {
  readonly reads: readonly Touch[];
  readonly writes: readonly Touch[];
  readonly increments: readonly Touch[];
}

/** The fields of unique indexes, by collection. */
export type UniqueFields = ReadonlyMap<string, readonly string[]>;

export const noFootprint: Footprint = { reads: [], writes: [], increments: [] };

export function footprintOf({ name, collection, body }: Command, unique: UniqueFields): Footprint {
  const none = noFootprint;
  switch (name) {
    case 'find':
    case 'count': {
      const filter = (body['filter'] ?? body['query'] ?? {}) as Document;
      const fields = name === 'count' ? fieldsOfFilter(filter) : fieldsOfPipeline(findStages(body, filter));
      return { ...none, reads: documentsOf(collection, filter, fields) };
    }
    case 'insert': {
      return { ...none, writes: insertion(collection, sequence(body['documents']), unique) };
    }
    case 'bulkWrite': {
      const names = sequence(body['nsInfo']).map(({ ns }) => String(ns).replace(/^[^.]*\./, ''));
      const inserts = sequence(body['ops']).map(({ insert, document }) => {
        const of = names[Number(insert)] ?? '*';
        return insertion(of, [document as Document], unique);
      });
      return { ...none, writes: inserts.flat() };
    }
    case 'update': {
      const updates = sequence(body['updates']);
      const touched = updates.flatMap(({ q, u, upsert }) => {
        const fields = upsert === true ? ALL_FIELDS : fieldsOfUpdate(q as Document, u as Document);
        return documentsOf(collection, q as Document, fields);
      });
      if (collection === '_versions') return { ...none, increments: touched };
      const changes = updates.map(({ u }): unknown => u);
      return { ...none, writes: [...touched, ...uniqueIn(collection, changes, unique)] };
    }
    case 'delete': {
      const deleted = sequence(body['deletes']).flatMap(({ q }) => documentsOf(collection, q as Document, ALL_FIELDS));
      const released = (unique.get(collection) ?? []).map((field) => uniqueTouch(collection, field));
      return { ...none, writes: [...deleted, ...released] };
    }
    case 'findAndModify':
      return { ...none, writes: documentsOf(collection, body['query'] as Document, ALL_FIELDS) };
    case 'aggregate':
      return aggregation(collection, body['pipeline'] as readonly Document[], unique);
    default:
      return { ...none, writes: [{ of: collection, id: '*', fields: ALL_FIELDS }] };
  }
}

const insertion = (of: string, documents: readonly Document[], unique: UniqueFields): readonly Touch[] => [
  ...documents.flatMap(({ _id }) => documentsOf(of, { _id }, ALL_FIELDS)),
  ...uniqueIn(of, documents, unique),
];

const findStages = (body: Document, filter: Document): readonly Document[] => [
  { $match: filter },
  ...(body['projection'] === undefined ? [] : [{ $project: body['projection'] as Document }]),
];

function aggregation(collection: string, pipeline: readonly Document[], unique: UniqueFields): Footprint {
  const match = (pipeline[0]?.['$match'] as Document | undefined) ?? {};
  const merge = pipeline.at(-1)?.['$merge'] as { into: string; whenMatched: unknown } | undefined;
  const fields = fieldsOfPipeline(pipeline);
  const others = [...JSON.stringify(pipeline).matchAll(/"(?:from|coll)":"([^"]+)"/g)].map(([, of = '']): Touch => ({
    of,
    id: '*',
    fields,
  }));
  const into = merge && [{ of: merge.into, id: '*', fields }, ...uniqueIn(merge.into, [merge.whenMatched], unique)];
  return { ...noFootprint, reads: [...documentsOf(collection, match, fields), ...others], writes: into ?? [] };
}

const uniqueTouch = (collection: string, field: string): Touch => ({
  of: `${collection}!${field}`,
  id: '*',
  fields: ALL_FIELDS,
});

/** The unique values that a change writes: whether another has them decides about both. */
function uniqueIn(collection: string, changes: readonly unknown[], unique: UniqueFields): readonly Touch[] {
  const fields = unique.get(collection) ?? [];
  if (fields.length === 0) return [];
  const written = JSON.stringify(changes);
  return fields.flatMap((field) =>
    written.includes(`"${field}"`) || written.includes(`"$${field}`) ? [uniqueTouch(collection, field)] : [],
  );
}

function documentsOf(of: string, filter: Document, fields: Fields): readonly Touch[] {
  const ids = idsOf(filter);
  return ids === undefined ? [{ of, id: '*', fields }] : ids.map((id) => ({ of, id: String(id), fields }));
}

/** The ids that a filter names; undefined where it may match any. */
function idsOf(filter: Document): readonly unknown[] | undefined {
  const { _id: id, $and: all } = filter as { _id?: unknown; $and?: readonly Document[] };
  if (typeof id === 'number' || typeof id === 'string' || id instanceof ObjectId) return [id];
  const among = (id as { $in?: readonly unknown[]; $eq?: unknown } | undefined) ?? {};
  if (among.$in !== undefined) return among.$in;
  if (among.$eq !== undefined) return [among.$eq];
  return all?.map(idsOf).find((ids) => ids !== undefined);
}

const collide = (one: Touch, other: Touch): boolean =>
  one.of === other.of &&
  (one.id === other.id || one.id === '*' || other.id === '*') &&
  haveCommon(one.fields, other.fields);

const meet = (some: readonly Touch[], others: readonly Touch[]): boolean =>
  some.some((one) => others.some((other) => collide(one, other)));

/** Does the order of the two matter? */
export function areDependent(one: Footprint, other: Footprint): boolean {
  return (
    meet(one.writes, other.writes) ||
    meet(one.writes, other.reads) ||
    meet(one.reads, other.writes) ||
    meet(one.writes, other.increments) ||
    meet(one.increments, other.writes) ||
    meet(one.increments, other.reads) ||
    meet(one.reads, other.increments)
  );
}
