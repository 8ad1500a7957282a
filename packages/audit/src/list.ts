import {
  AppError,
  type Data,
  type Entry,
  isRecord,
  type PluginContext,
  type RouteRequest,
} from 'content-service/plugin';
import { record } from './definition.js';

const { uid } = record;
const known = new Set(['filters', 'sort', 'fields', 'pagination']);
const DEFAULT_SIZE = 25;

const numberOf = (pagination: Data, name: string, otherwise: number): number => {
  const value = pagination[name];
  if (value === undefined) return otherwise;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new AppError('invalidParameter', `pagination[${name}]`);
  return number;
};

/**
 * A page of the log as its caller may see it, by default the newest first.
 * @throws AppError invalidParameter
 */
export async function listRecords(
  { entries, limits }: PluginContext,
  { caller, query }: Pick<RouteRequest, 'caller' | 'query'>,
): Promise<Data> {
  const unknown = Object.keys(query).find((name) => !known.has(name));
  if (unknown !== undefined) throw new AppError('invalidParameter', unknown);
  const pagination = isRecord(query['pagination']) ? query['pagination'] : {};
  const other = Object.keys(pagination).find((name) => !['page', 'pageSize'].includes(name));
  if (other !== undefined) throw new AppError('invalidParameter', `pagination[${other}]`);
  const page = numberOf(pagination, 'page', 1);
  const pageSize = Math.min(numberOf(pagination, 'pageSize', DEFAULT_SIZE), limits.maxLimit);
  const start = (page - 1) * pageSize;
  const wanted = { sort: 'id:desc', ...query, pagination: { start, limit: pageSize } };
  const data = await entries.as(caller).findMany(uid, wanted);
  const next = { ...wanted, fields: ['at'], pagination: { start: start + pageSize, limit: 1 } };
  const hasMore = data.length === pageSize && (await entries.as(caller).findMany(uid, next)).length > 0;
  return { data, meta: { pagination: { page, pageSize, hasMore } } };
}

/** All records, the oldest first. @param after the id of the last one that is known */
export async function* recordsOf({ entries }: PluginContext, after = 0): AsyncGenerator<Entry> {
  const size = 1000;
  for (let last = after, length = size; length === size;) {
    const filters = { id: { $gt: last } };
    const found = await entries.findMany(uid, { filters, sort: 'id:asc', pagination: { limit: size } });
    yield* found;
    last = found.at(-1)?.id ?? last;
    length = found.length;
  }
}

/**
 * Milliseconds after which a number that is not there stays missing: whoever had it has stored its record by then, or
 * failed.
 */
const SETTLED_MS = 60_000;

/**
 * All records that no other will precede: a process takes numbers before it stores the records, and meanwhile others
 * may have stored some with higher ones. Whoever goes on after the last one misses none.
 */
export async function* settledRecords(records: AsyncIterable<Entry>, after: number): AsyncGenerator<Entry> {
  let last = after;
  for await (const one of records) {
    const isRecent = Date.parse(String(one['createdAt'])) > Date.now() - SETTLED_MS;
    if (one.id !== last + 1 && isRecent) return;
    yield one;
    last = one.id;
  }
}

/** The records as lines of JSON. @param after as of `recordsOf` */
export async function* linesOf(context: PluginContext, after = 0): AsyncGenerator<string> {
  for await (const record of settledRecords(recordsOf(context, after), after)) {
    const { salt: _, createdAt: __, updatedAt: ___, ...shown } = record;
    yield JSON.stringify(shown);
  }
}
