import { BSON, MaxKey, type Db, type Document } from 'mongodb';
import { DOCUMENT_ID } from '../../content-types/model/system-attributes.js';
import type { ContentType } from '../../content-types/model/types.js';
import { hasCode } from '../../errors/app-error.js';
import type { Cursor, Filter } from '../../query/ast.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import { uniteIds, type EntryIds } from '../../query/change.js';
import { assemble, idsOf } from './assemble.js';
import { bothConditions, compileCount, isGrouped, pipelineOf, plainRead } from '../compile/read/compile-query.js';
import type { CountRead, MainRead, ReadPlan } from '../compile/plan.js';
import { PARENT } from '../compile/read/populate.js';
import { CURSOR } from '../compile/read/sort.js';
import { bindIds, idCommand } from '../compile/filter/semi-join.js';
import {
  documentOf,
  pageIn,
  readBatch,
  readRows,
  type ResultRow,
  type CountBytes,
  type ReadCommand,
  type RowPage,
} from './read-batch.js';
import type { EntryName, FindEntry } from './entry-loader.js';
import { translated } from '../errors.js';
import { CHANGES, COPIED } from '../stored/working-copy.js';
import type { IdCache } from '../cache/id-cache.js';
import type { TypeVersions, Versions } from '../cache/versions.js';

interface CommandOptions {
  /** The time limit of a command in milliseconds. */
  readonly timeout: number;
  /** Cancels the read. */
  readonly signal?: AbortSignal | undefined;
}

export interface ReadOptions extends CommandOptions {
  /** Whether the total is needed. Default: false. */
  readonly withCount?: boolean;
  /** Reads the versions of the types, so that the total, and ids, can be cached. */
  readonly readVersions?: Versions['read'];
  /** Contains ids that precede the read; it needs the versions. */
  readonly idCache?: IdCache;
  /** Reads an entry by its id, in a command that concurrent requests share. */
  readonly findEntry: FindEntry;
  /** Called with the number of bytes of entries. */
  readonly count?: CountBytes | undefined;
}

/** The names of the attributes that working copies change, by the ids of their entries. */
export type CopiedChanges = ReadonlyMap<number, readonly string[]>;

/** The result of a plan: the entries, and what their total is counted by. */
export interface PageRead {
  readonly entries: readonly LazyEntry[];
  /** The cursor of each entry, if the plan adds it. */
  readonly cursors: readonly (() => Cursor)[];
  /** The condition of the total, with the ids of the reads that came first. */
  readonly filter: Document;
  /** Those of all entries that were read. */
  readonly ids: () => EntryIds;
  /**
   * What the working copies among the entries change, by their ids; absent: they are not read in their latest state.
   */
  readonly copies?: CopiedChanges | undefined;
  /** Those that were read before the total and the ids; undefined if neither can be cached. */
  readonly versions: TypeVersions | undefined;
}

/**
 * Runs the preceding reads and the main one, and assembles the entries. One command each; if the reply
 * does not fit into one document, the page is read in halves, until these exceed the read budget.
 * @throws AppError unavailable, outOfTime, answerTooLarge, tooCostly
 */
export async function executeRead(db: Db, plan: ReadPlan, options: ReadOptions): Promise<PageRead> {
  return translated(async () => {
    const { before, main, count } = plan;
    const cachedTypes = options.idCache === undefined ? [] : before.flatMap(({ type }) => type ?? []);
    const isCached = options.withCount === true || cachedTypes.length > 0;
    const versionsRead = isCached ? options.readVersions?.([...count.dependencies.keys(), ...cachedTypes]) : undefined;
    const read = async (): Promise<Omit<PageRead, 'versions'>> => {
      // Ids are at least as new as the version with which they, and the total of entries that they select, are cached.
      const versions = before.length === 0 ? undefined : await versionsRead;
      const ids = await readIds(db, before, options, versions);
      const page = await readParts(db, partsOf(withIds(main, ids)), options);
      return { ...page, filter: before.length === 0 ? count.filter : bindIds(count.filter, ids) };
    };
    const [page, versions] = await Promise.all([read(), versionsRead]);
    return { ...page, versions };
  });
}

/** The read with ids instead of placeholders. */
export function withIds(main: MainRead, ids: Ids): MainRead {
  const { filter, tables, order, project, lookups } = main;
  return ids.length === 0 ? main : { ...main, ...bindIds({ filter, tables, order, project, lookups }, ids) };
}

type Counted = Pick<ReadPlan, 'before' | 'count'>;

/** The filter of a plan with the ids of its preceding reads. @throws the driver's error */
const readFilter = async (db: Db, { before, count }: Counted, options: CommandOptions): Promise<CountRead['filter']> =>
  bindIds(count.filter, await readIds(db, before, options));

/**
 * A filter as the database understands it, after the reads of the relations in it.
 * @param timeout milliseconds of a command
 */
export const readMatching = (
  db: Db,
  type: ContentType,
  filter: Filter | undefined,
  timeout: number,
): Promise<Document> => readFilter(db, compileCount(type, filter), { timeout });

/**
 * Counts the entries that match a plan's filter.
 * @throws AppError unavailable, outOfTime
 */
export async function executeCount(db: Db, plan: Counted, options: CommandOptions): Promise<number> {
  return translated(async () => {
    const filter = await readFilter(db, plan, options);
    return readTotal(db, { ...plan.count, filter }, options);
  });
}

async function readTotal(
  db: Db,
  count: Omit<CountRead, 'dependencies'>,
  { timeout, signal }: CommandOptions,
): Promise<number> {
  const [counted] = await readBatch<{ total: number }>(db, countCommand(count), timeout, signal);
  return counted?.total ?? 0;
}

/** The results of the preceding reads. */
type Ids = readonly (readonly unknown[])[];

/**
 * Runs the preceding reads in order; each can use the results of those before it.
 * @param versions allow to use and to cache ids
 * @throws the driver's error
 */
export async function readIds(
  db: Db,
  before: ReadPlan['before'],
  { timeout, signal, idCache }: CommandOptions & Pick<ReadOptions, 'idCache'>,
  versions?: TypeVersions,
): Promise<Ids> {
  const ids: (readonly unknown[])[] = [];
  for (const query of before) {
    const read = async (): Promise<readonly unknown[]> => {
      const command = idCommand(query.collection, bindIds(query.pipeline, ids));
      return (await readBatch(db, command, timeout, signal)).map(({ _id }) => _id as unknown);
    };
    ids.push(versions === undefined || idCache === undefined ? await read() : await idCache.get(query, versions, read));
  }
  return ids;
}

/** The command that reads a page. */
export function commandOf(main: MainRead): ReadCommand & Document {
  const { collection, hint } = main;
  const plain = plainRead(main);
  const hinted = hint === undefined ? {} : { hint };
  if (plain !== undefined) return { find: collection, ...plain, ...hinted };
  return { aggregate: collection, pipeline: pipelineOf(main), ...hinted };
}

/** The command that counts the entries. */
export const countCommand = (count: Omit<CountRead, 'dependencies'>): ReadCommand & Document => {
  const { collection, copies, source, filter, hint } = count;
  const counting = [{ $match: filter }, { $count: 'total' }];
  const pipeline = copies === undefined ? counting : [...counting, ...countLatest(collection, copies, filter)];
  return { aggregate: collection, pipeline: [...source, ...pipeline], ...(hint && { hint }) };
};

/**
 * The number of all entries becomes that of their latest states: few have a copy, and these are counted by an index.
 */
const countLatest = (collection: string, copies: string, filter: Document): readonly Document[] => [
  {
    $unionWith: {
      coll: collection,
      pipeline: [
        { $match: { $and: [{ [COPIED]: 1 }, filter] } },
        { $count: 'total' },
        { $set: { total: { $subtract: [0, '$total'] } } },
      ],
    },
  },
  { $unionWith: { coll: copies, pipeline: [{ $match: filter }, { $count: 'total' }] } },
  { $group: { _id: null, total: { $sum: '$total' } } },
];

/** Copies that may be stored between their count and the read. */
const MORE_COPIES = 100;

/**
 * A page far behind reads no entry that can only be before it, wherever the copies are: not more of those that are have
 * a copy than there are copies.
 */
export async function skipBefore(db: Db, main: MainRead, { timeout: maxTimeMS }: CommandOptions): Promise<MainRead> {
  const { copies, start } = main;
  if (copies === undefined || start <= MORE_COPIES) return main;
  const counted = await db.collection(copies).countDocuments({}, { limit: start, hint: '_id_', maxTimeMS });
  const skipped = Math.max(0, start - counted - MORE_COPIES);
  return { ...main, skipped };
}

async function readMain(db: Db, asked: MainRead, options: ReadOptions): Promise<RowPage> {
  const { collection } = asked;
  const plain = plainRead(asked);
  const name = nameIn(asked);
  if (name === undefined || plain === undefined) {
    const main = await skipBefore(db, asked, options);
    const { rows, bytes } = await readRows(db, commandOf(main), options.timeout, options.signal);
    options.count?.(bytes);
    return isGrouped(main) ? pageIn(rows[0] ?? {}) : { page: rows, fetched: {} };
  }
  const entry = await options.findEntry({ collection, ...name, projection: plain.projection });
  if (entry === undefined) return { page: [], fetched: {} };
  options.count?.(BSON.calculateObjectSize(entry));
  return { page: [entry], fetched: {} };
}

/** What names the only entry of a read. */
function nameIn({ id, document }: MainRead): EntryName | undefined {
  if (id !== undefined) return { path: '_id', value: id };
  return document && { path: DOCUMENT_ID, value: document.documentId, others: document.others };
}

/** Where missing values are last, the stages of a sort write them as the highest. */
const cursorOf = (document: Document): Cursor =>
  (document[CURSOR] as Cursor).map((value) => ((value as unknown) instanceof MaxKey ? null : value));

type ReadEntries = Pick<PageRead, 'entries' | 'cursors' | 'ids' | 'copies'>;

/** The reads of the parts of a page, in its order; see `ranges`. */
export const partsOf = ({ ranges, ...main }: MainRead): readonly MainRead[] =>
  ranges === undefined ? [main] : ranges.map((range) => ({ ...main, filter: bothConditions(main.filter, range) }));

/** Reads a page from its parts, each where those before it end. */
async function readParts(db: Db, parts: readonly MainRead[], options: ReadOptions): Promise<ReadEntries> {
  const pages: ReadEntries[] = [];
  let { start = 0, limit = 0 } = parts[0] ?? {};
  for (const [index, part] of parts.entries()) {
    if (limit <= 0) break;
    const page = await readPage(db, { ...part, start, limit }, options);
    pages.push(page);
    limit -= page.entries.length;
    const isLast = index === parts.length - 1;
    if (page.entries.length > 0) start = 0;
    else if (start > 0 && !isLast) start = Math.max(0, start - (await readTotal(db, part, options)));
  }
  return joinPages(pages);
}

function joinPages(pages: readonly ReadEntries[]): ReadEntries {
  const [first] = pages;
  if (first !== undefined && pages.length === 1) return first;
  return {
    entries: pages.flatMap(({ entries }) => entries),
    cursors: pages.flatMap(({ cursors }) => cursors),
    ids: () => uniteIds(pages.map(({ ids }) => ids())),
    ...(first?.copies && { copies: new Map(pages.flatMap(({ copies }) => [...(copies ?? [])])) }),
  };
}

/**
 * An entry that was read in both collections, see `branchesOf`, is shown once: as it is without its copy, which comes
 * or goes.
 */
function onceEach({ page, fetched }: RowPage, { copies, united }: MainRead): RowPage {
  if (copies === undefined && united.size === 0) return { page, fetched };
  const lists = Object.entries(fetched).map(
    ([name, list]) => [name, united.has(name) ? withoutTwins(list) : list] as const,
  );
  return { page: copies === undefined ? page : withoutTwins(page), fetched: Object.fromEntries(lists) };
}

const copiesIn = (page: readonly ResultRow[]): CopiedChanges =>
  new Map(
    page
      .map(documentOf)
      .flatMap(({ _id, [CHANGES]: names }) =>
        Array.isArray(names) ? [[_id as number, names.map(String)] as const] : [],
      ),
  );

function withoutTwins<R extends ResultRow>(rows: readonly R[]): readonly R[] {
  const documents = rows.map((row) => ({ row, document: documentOf(row) }));
  // A list can have an entry for each of several parents.
  const nameOf = ({ _id, [PARENT]: parent }: Document): string => `${String(_id)} ${String(parent)}`;
  const isCopy = (document: Document): boolean => document[CHANGES] !== undefined;
  const entries = new Set(documents.flatMap(({ document }) => (isCopy(document) ? [] : [nameOf(document)])));
  return documents.flatMap(({ row, document }) => (isCopy(document) && entries.has(nameOf(document)) ? [] : [row]));
}

async function readPage(db: Db, main: MainRead, options: ReadOptions): Promise<ReadEntries> {
  try {
    const { page, fetched } = onceEach(await readMain(db, main, options), main);
    return {
      entries: assemble(page, fetched, main.read),
      cursors: page.map((row) => () => cursorOf(documentOf(row))),
      ids: () => idsOf({ page, fetched }, main.types),
      ...((main.copies !== undefined || main.isOfCopies === true) && { copies: copiesIn(page) }),
    };
  } catch (error) {
    // The tables of a sort are the same for half of the page.
    const isHalved = hasCode(error, 'answerTooLarge') || (hasCode(error, 'stepTooLarge') && main.tables === undefined);
    if (!isHalved || main.limit <= 1) throw error;
    const half = Math.ceil(main.limit / 2);
    const first = await readPage(db, { ...main, limit: half }, options);
    const rest = { ...main, start: main.start + half, limit: main.limit - half };
    const second = await readPage(db, rest, options);
    return joinPages([first, second]);
  }
}
