import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { readPage, type Entry, type Page } from '../api/entries.js';
import { aheadOf, readSchedule, readSchedules, type Times } from '../api/schedules.js';
import { useSession } from '../api/session.js';
import { bulkActions, stateOf } from '../model/lists/bulk.js';
import { recentQuery } from '../model/lists/list-query.js';
import type { ContentType } from '../model/schema.js';
import type { Recent } from './recent-entries.js';

/** How many entries a list of the home page shows. */
const SHOWN = 8;
/** How many it reads of those that were changed last: drafts and scheduled ones are shown before. */
const CHANGED = 4 * SHOWN;

interface Read extends Page {
  readonly type: ContentType;
  readonly schedules: ReadonlyMap<number, Times>;
}

/**
 * The ids of the latest drafts of a type that the user created or last changed, of those of others, and of published
 * entries whose changes the user has prepared.
 */
export interface Drafts extends Readonly<Record<'own' | 'others' | 'prepared', readonly number[]>> {
  readonly total: number;
}

/** Somebody asks to publish an entry. */
export interface Waiting {
  readonly id: number;
  readonly tag: string;
  readonly by: string | null;
  readonly at: string;
  readonly changed: boolean;
  readonly note: string | null;
}

/** What waits for the user, and what was done, of one type. */
export interface Desk {
  /** Undefined: they are not told. */
  readonly drafts?: Drafts;
  /** The ids of the entries that users have changed last, and how many entries there are. Undefined: as above. */
  readonly changed?: readonly number[];
  readonly total?: number;
  readonly waiting: readonly Waiting[];
  /** What the user has asked for, and was sent back. */
  readonly back: readonly Omit<Waiting, 'tag' | 'changed'>[];
  /** `changes`: of what was published before. */
  readonly published: readonly {
    readonly id: number;
    readonly by: string | null;
    readonly at: string;
    readonly changes: boolean;
  }[];
}

/** Milliseconds between two looks. */
const INTERVAL_MS = 20_000;

/** Others ask, publish, send back and rename meanwhile. */
const lively = { refetchInterval: INTERVAL_MS, refetchOnMount: 'always', refetchOnWindowFocus: 'always' } as const;

/** The desk by the uid of a type; none of types whose lists code of the project answers. */
export function useDesk() {
  const { api } = useSession();
  return useQuery({
    queryKey: ['list', 'desk'],
    queryFn: async () => ((await api.get('admin/desk')).body as { readonly data: Record<string, Desk> }).data,
    ...lively,
  });
}

/** Reads the entries with these ids of each type, as they are prepared. */
export function useNamed(types: readonly ContentType[], idsOf: (type: ContentType) => readonly number[]) {
  const { api } = useSession();
  return useQueries({
    queries: types
      .filter((type) => idsOf(type).length > 0)
      .map((type) => {
        const ids = [...new Set(idsOf(type))];
        const query = recentQuery(type, ids.length, { id: { $in: ids } });
        return {
          queryKey: ['list', type.path, 'recent', query],
          queryFn: async (): Promise<Read> => ({ ...(await readPage(api, type, query)), type, schedules: new Map() }),
          ...lively,
        };
      }),
    combine,
  });
}

/** Rows of several types with their entries, in the order of their times. */
export const rowsOf = <R extends { readonly id: number; readonly at: string }>(
  reads: readonly Read[],
  desk: Readonly<Record<string, Desk>>,
  pick: (desk: Desk) => readonly R[],
  order: 'oldest' | 'newest',
): readonly (Recent & { readonly row: R })[] =>
  reads
    .flatMap(({ type, entries }) =>
      (desk[type.uid] === undefined ? [] : pick(desk[type.uid] as Desk)).flatMap((row) => {
        const entry = entries.find(({ id }) => id === row.id);
        return entry === undefined ? [] : [{ type, entry, times: undefined, row }];
      }),
    )
    .toSorted((left, right) => (Date.parse(left.row.at) - Date.parse(right.row.at)) * (order === 'oldest' ? 1 : -1))
    .slice(0, SHOWN);

/** Of what was read by their ids, the entries with these. */
export const pickFrom = (reads: readonly Read[], idsOf: (type: ContentType) => readonly number[]): readonly Read[] =>
  reads.map((read) => {
    const ids = new Set(idsOf(read.type));
    return { ...read, entries: read.entries.filter(({ id }) => ids.has(id)) };
  });

/** Reads the entries of each type that were changed last, where the desk does not name them. */
export function useChanged(types: readonly ContentType[]) {
  const { api } = useSession();
  return useQueries({
    queries: types.map((type) => {
      const query = recentQuery(type, CHANGED);
      return {
        queryKey: ['list', type.path, 'recent', query],
        queryFn: async (): Promise<Read> => ({ ...(await readPage(api, type, query)), type, schedules: new Map() }),
      };
    }),
    combine,
  });
}

/** Reads the latest drafts of each type, with their schedules: those with these ids, or without ids all of them. */
export function useDraftsOf(
  types: readonly ContentType[],
  idsOf: (type: ContentType) => readonly number[] | undefined,
) {
  const { api } = useSession();
  const read = async (type: ContentType, query: object): Promise<Read> => {
    const page = await readPage(api, type, query);
    const ids = page.entries.map(({ id }) => id);
    const isScheduled = bulkActions(type).includes('publish') && ids.length > 0;
    return { ...page, type, schedules: isScheduled ? await readSchedules(api, type, ids) : new Map() };
  };
  return useQueries({
    queries: types
      .filter((type) => idsOf(type)?.length !== 0)
      .map((type) => {
        const ids = idsOf(type);
        const query = recentQuery(type, SHOWN, { publishedAt: { $null: true }, ...(ids && { id: { $in: ids } }) });
        return { queryKey: ['list', type.path, 'recent', query], queryFn: () => read(type, query), ...lively };
      }),
    combine,
  });
}

const combine = (results: readonly UseQueryResult<Read>[]) => ({
  read: results.flatMap(({ data }) => data ?? []),
  error: results.find(({ error }) => error !== null)?.error ?? null,
  isPending: results.some(({ isPending }) => isPending),
});

/** Reads the entries of each type that are published or unpublished next. */
export function useScheduled(types: readonly ContentType[]) {
  const { api } = useSession();
  const read = async (type: ContentType): Promise<Read> => {
    if (type.kind === 'singleType') {
      const page = await readPage(api, type, recentQuery(type, SHOWN));
      const times = page.entries.map(async ({ id }) => [id, await readSchedule(api, `${type.path}/${id}`)] as const);
      return { ...page, type, schedules: new Map(await Promise.all(times)) };
    }
    const schedules = await readSchedules(api, type);
    const soonest = [...schedules.keys()].slice(0, SHOWN);
    if (soonest.length === 0) return { type, schedules, entries: [], total: 0 };
    return { ...(await readPage(api, type, recentQuery(type, SHOWN, { id: { $in: soonest } }))), type, schedules };
  };
  return useQueries({
    queries: types
      .filter((type) => bulkActions(type).includes('publish'))
      .map((type) => ({ queryKey: ['list', type.path, 'scheduled'], queryFn: () => read(type) })),
    combine,
  });
}

/** Undefined for single types, and until it is read. */
export function totalOf(reads: readonly Read[], { uid }: ContentType): number | undefined {
  const totals = reads.flatMap(({ type, total }) => (type.uid === uid && total !== undefined ? [total] : []));
  return totals.length === 0 ? undefined : totals.reduce((sum, total) => sum + total);
}

const timeIn = ({ attributes }: Entry): number => Date.parse(String(attributes['updatedAt'])) || 0;

const allIn = (reads: readonly Read[]): readonly Recent[] =>
  reads.flatMap(({ type, entries, schedules }) =>
    entries.map((entry) => ({ type, entry, times: schedules.get(entry.id) })),
  );

/** What was read but for the entries that are shown already. */
export const without = (reads: readonly Read[], shown: readonly Recent[]): readonly Read[] =>
  reads.map((read) => ({
    ...read,
    entries: read.entries.filter(
      ({ id }) => !shown.some(({ type, entry }) => type.uid === read.type.uid && entry.id === id),
    ),
  }));

/** The latest entries of all types. */
export const latest = (reads: readonly Read[]): readonly Recent[] =>
  allIn(reads)
    .toSorted((left, right) => timeIn(right.entry) - timeIn(left.entry))
    .slice(0, SHOWN);

/** When an entry is published or unpublished next. */
function nextIn({ entry, times }: Recent): number {
  const ahead = times && aheadOf(times, stateOf(entry) !== 'published');
  return Math.min(...[ahead?.publishAt, ahead?.unpublishAt].map((time) => Date.parse(time ?? '') || Infinity));
}

/** The entries of all types that are published or unpublished next. */
export const next = (reads: readonly Read[]): readonly Recent[] =>
  allIn(reads)
    .filter((one) => nextIn(one) < Infinity)
    .toSorted((left, right) => nextIn(left) - nextIn(right))
    .slice(0, SHOWN);
