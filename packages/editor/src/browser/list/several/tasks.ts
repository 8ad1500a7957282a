import { RequestError, type Api } from '../../api/api.js';
import { entryIn, type Entry, type EntryRead } from '../../api/entries.js';
import { changedBy, operationsOf, refusalsOf, stateOf, type BulkAction, type Refusal } from '../../model/lists/bulk.js';
import { changedByValue, changeOperations, undoOperation, type Change } from '../../model/lists/change.js';
import { firstPage } from '../../model/lists/list-state.js';
import { writeInPortions, type Outcome, type PortionedWork, type Written } from '../../model/lists/portions.js';
import type { ContentType } from '../../model/schema.js';
import { undoDeletions } from '../../trash/deleted-entries.js';
import { readStillMatching, type Matching } from './matching-entries.js';

/** What can be done with many entries. */
export type TaskKind =
  BulkAction | 'change' | 'restore' | 'unpublishAgain' | 'publishAgain' | 'changeBack' | 'schedule' | 'scheduleBack';

/** Something that is done with many entries, which is shown and can be stopped. */
export interface Task {
  readonly kind: TaskKind;
  readonly type: ContentType;
  readonly entries: readonly Entry[];
  readonly run: (control: Pick<PortionedWork<Entry, unknown>, 'isStopped' | 'onProgress'>) => Promise<TaskOutcome>;
  /** What takes it back; undefined: nothing does. */
  readonly undo?: ((outcome: TaskOutcome) => Task | undefined) | undefined;
}

export type TaskOutcome = Outcome<Entry, Entry | undefined>;

/** How far a task is, and at its end what became of it. */
export interface ShownTask {
  readonly task: Task;
  readonly ended: number;
  /** It ends with what is being written now. */
  readonly isStopping: boolean;
  readonly outcome: TaskOutcome | undefined;
}

type WrittenEntry = Written<Entry, Entry | undefined>;

/** Entries that a batch writes: few enough that others seldom wait for it. */
const SIZE = 50;
/** Entries that are read one by one before they are written. */
export const READ_SIZE = 20;

/** The statuses of refusals that may be about some of the entries only. */
const ofEntries: ReadonlySet<number> = new Set([400, 403, 404, 409, 412, 422]);

/** Why a batch was refused; undefined: it is about none of its entries. */
export const reasonsOf = (error: unknown): readonly Refusal[] | undefined =>
  error instanceof RequestError && ofEntries.has(error.status) ? refusalsOf(error) : undefined;

/** Writes all of them or none, and returns the entries as they are then. */
export async function sendBatch(api: Api, operations: readonly object[]): Promise<readonly Entry[]> {
  const { body } = await api.send('POST', 'batch', { body: { operations } });
  return (body as { readonly data: readonly Entry[] }).data;
}

export const idsOf = (entries: readonly Entry[]): readonly number[] => entries.map(({ id }) => id);

/** Takes an action for entries of a list, those that it still has when it is their turn. */
export const actionTask = (api: Api, matching: Matching, action: BulkAction, entries: readonly Entry[]): Task => ({
  kind: action,
  type: matching.type,
  entries,
  run: (control) =>
    writeInPortions({
      ...control,
      items: entries,
      size: SIZE,
      current: async (portion) => changedBy(action, await readStillMatching(api, matching, idsOf(portion))),
      write: (portion) => sendBatch(api, operationsOf(matching.type, action, portion)),
      refusalsOf: reasonsOf,
    }),
  undo: ({ written }) => undoTask(api, matching.type, action, written),
});

/** Gives entries of a list a value, those that it still has and whose value is another when it is their turn. */
export const changeTask = (api: Api, matching: Matching, change: Change, entries: readonly Entry[]): Task => {
  const { content, type } = matching;
  return {
    kind: 'change',
    type,
    entries,
    run: (control) =>
      writeInPortions({
        ...control,
        items: entries,
        size: SIZE,
        current: async (portion) =>
          changedByValue(content, type, change, await readStillMatching(api, matching, idsOf(portion))),
        write: (portion) => sendBatch(api, changeOperations(content, type, change, portion)),
        refusalsOf: reasonsOf,
      }),
    undo: ({ written }) => undoChangeTask(api, matching, change, written),
  };
};

/** Gives entries their own former values again, those that nobody has given another one since. */
function undoChangeTask(
  api: Api,
  matching: Matching,
  change: Change,
  written: readonly WrittenEntry[],
): Task | undefined {
  const { content, type, state } = matching;
  // Of a hidden value nobody knows what it was.
  if (written.length === 0 || !change.attribute.read) return undefined;
  const items = written.map(({ item }) => item);
  const everywhere = { ...matching, state: { ...firstPage, locale: state.locale } };
  const operations = new Map<number, object>();
  return {
    kind: 'changeBack',
    type,
    entries: items,
    run: (control) =>
      writeInPortions({
        ...control,
        items,
        size: READ_SIZE,
        current: async (portion) => {
          const latest = type.workingCopies === true ? { status: 'draft' } : {};
          // The values are read after the versions, so that a version is never newer than what was compared.
          const versions = await readVersions(api, type, portion, latest);
          for (const now of await readStillMatching(api, everywhere, idsOf(portion))) {
            const former = portion.find(({ id }) => id === now.id);
            const ifMatch = versions.get(now.id)?.etag;
            const operation = former && undoOperation(content, type, change, former, now);
            // Without a version the write could not be refused.
            if (operation !== undefined && ifMatch !== undefined) operations.set(now.id, { ...operation, ifMatch });
          }
          return portion.filter(({ id }) => operations.has(id));
        },
        write: (portion) =>
          sendBatch(
            api,
            portion.flatMap(({ id }) => operations.get(id) ?? []),
          ),
        refusalsOf: reasonsOf,
      }),
  };
}

/** Entries with their versions, by their ids, without those that are gone. */
async function readVersions(
  api: Api,
  type: ContentType,
  entries: readonly Entry[],
  query: object = {},
): Promise<ReadonlyMap<number, EntryRead>> {
  const read = await Promise.all(
    entries.map(async ({ id }): Promise<readonly (readonly [number, EntryRead])[]> => {
      const answer = await api.get(`${type.path}/${id}`, query).catch((error: unknown) => {
        if (error instanceof RequestError && error.status === 404) return undefined;
        throw error;
      });
      return answer === undefined ? [] : [[id, entryIn(type, answer)]];
    }),
  );
  return new Map(read.flat());
}

/** Takes back what was done; undefined: that is not possible. */
export function undoTask(
  api: Api,
  type: ContentType,
  action: BulkAction,
  written: readonly WrittenEntry[],
): Task | undefined {
  if (action === 'delete') return restoreTask(api, type, written);
  // What had changes that are published now, or that are part of the draft, cannot be what it was.
  const former = action === 'publish' ? 'draft' : 'published';
  const own = written.filter(({ item, result }) => stateOf(item) === former && isDated(result));
  if (own.length === 0) return undefined;
  const afterwards = new Map(own.map(({ item: { id }, result }) => [id, result]));
  let versions: ReadonlyMap<number, EntryRead> = new Map();
  /** Whether nobody has written it since. */
  const isUntouched = ({ id }: Entry): boolean => {
    const { entry, etag } = versions.get(id) ?? {};
    // Without a version the write could not be refused.
    if (entry === undefined || etag === undefined) return false;
    return times.every((name) => entry.attributes[name] === afterwards.get(id)?.attributes[name]);
  };
  return {
    kind: action === 'publish' ? 'unpublishAgain' : 'publishAgain',
    type,
    entries: own.map(({ item }) => item),
    run: (control) =>
      writeInPortions({
        ...control,
        items: own.map(({ item }) => item),
        size: READ_SIZE,
        current: async (portion) => {
          versions = await readVersions(api, type, portion);
          return portion.filter(isUntouched);
        },
        write: (portion) =>
          sendBatch(
            api,
            portion.map(({ id, attributes: { publishedAt } }) => ({
              update: type.path,
              id,
              ifMatch: versions.get(id)?.etag,
              data: { publishedAt },
            })),
          ),
        refusalsOf: reasonsOf,
      }),
  };
}

/** What each write of an entry changes. */
const times = ['updatedAt', 'publishedAt'] as const;

/** Whether the answer to a write says when that was. */
const isDated = (entry: Entry | undefined): boolean => typeof entry?.attributes['updatedAt'] === 'string';

const restoreTask = (api: Api, type: ContentType, written: readonly WrittenEntry[]): Task | undefined =>
  type.trash === undefined || written.length === 0
    ? undefined
    : {
        kind: 'restore',
        type,
        entries: written.map(({ item }) => item),
        run: (control) =>
          writeInPortions({
            ...control,
            items: written.map(({ item }) => item),
            size: 1,
            current: async (portion) => portion,
            write: async (portion) => {
              await undoDeletions(api, type, portion);
              return [undefined];
            },
            refusalsOf: reasonsOf,
          }),
      };
