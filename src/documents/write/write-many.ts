import { isDeepStrictEqual } from 'node:util';
import lodash from 'lodash';
import pLimit from 'p-limit';
import type { Data } from '../../config/record.js';
import { isLocalized } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import { isUnique } from '../../content-types/model/unique.js';
import { AppError, hasCode } from '../../errors/app-error.js';
import { duplicateOf } from '../../mongo/errors.js';
import { UPDATED_BY } from '../../mongo/stored/writers.js';
import { both, idIn, type Filter } from '../../query/ast.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import type { DocumentsContext, EntryRequest } from '../context.js';
import { announced } from '../events/announced.js';
import { announce, announceQuietly } from '../events/announcement.js';
import type { WriteIdentity } from '../hooks.js';
import { parseAsIs } from '../input/parse-data.js';
import { findIds, queryFor } from '../read.js';
import { encodeEntry, liveMark, publicationMarks } from './encode.js';
import { finishWrite } from './finish-write.js';
import { prepareChange } from './prepare-data.js';
import { referenceRemovals } from './references.js';
import { actionOf, identityOf, receiptOf } from './sign-write.js';
import { taken } from './taken-values.js';
import { updateEntry } from './update.js';

/**
 * Updates all entries that match a filter, without validation; returns their number. Each update is atomic: an error
 * of the database can occur after some of them.
 * @throws AppError validation, invalidValue
 */
export async function updateEntries(
  context: DocumentsContext,
  type: ContentType,
  filter: Filter | undefined,
  data: Data,
  request: EntryRequest,
): Promise<number> {
  const matching = both(queryFor(context, type, 'update', request).filter, filter);
  const ids = await findIds(context, type, matching);
  const identity = identityOf(request);
  const groups = await prepareAll(context, type, ids, data, request, identity);
  // The other changes can cause writes to other entries.
  const isPlain = (group: Group): boolean =>
    !isLocalized(type) && Object.keys(group.data).every((name) => isScalar(type, name));
  const plain = groups.filter(isPlain);
  let count = plain.length === 0 ? 0 : await updateTogether(context, type, plain, matching, request, identity);
  for (const group of groups) if (!isPlain(group)) count += await updateEach(context, type, group, request);
  return count;
}

const isScalar = ({ attributes }: ContentType, name: string): boolean => {
  const kind = attributes.get(name)?.kind;
  return kind === undefined || kind === 'scalar';
};

/** Entries that get the same data. */
interface Group {
  readonly data: Data;
  readonly ids: number[];
}

/** The data of each entry after the hooks. */
async function prepareAll(
  context: DocumentsContext,
  type: ContentType,
  ids: readonly number[],
  data: Data,
  request: EntryRequest,
  identity: WriteIdentity,
): Promise<readonly Group[]> {
  const groups: Group[] = [];
  for (const id of ids) {
    const { data: prepared } = await prepareChange(context, type, id, data, request, { identity });
    const last = groups.at(-1);
    if (last !== undefined && isDeepStrictEqual(last.data, prepared)) last.ids.push(id);
    else groups.push({ data: prepared, ids: [id] });
  }
  return groups;
}

async function updateTogether(
  context: DocumentsContext,
  type: ContentType,
  groups: readonly Group[],
  filter: Filter | undefined,
  request: EntryRequest,
  identity: WriteIdentity,
): Promise<number> {
  for (const group of groups) refuseRepeated(type, group);
  const now = new Date();
  const updates = await Promise.all(
    groups.map(async ({ ids, data }) => {
      const input = await parseAsIs(context, type, data, false);
      const encoded = await encodeEntry(context, type, input, { isNew: false, raw: true });
      const { values } = encoded;
      const action = actionOf({ action: 'update', values }, undefined);
      const receipt = receiptOf(context, type, request, { ...identity, action, encoded });
      const marks = [...liveMark(values, type), ...publicationMarks(values, type, {})];
      const own = [...marks, ['updatedAt', now], [UPDATED_BY, undefined]] as const;
      return { ids, values: new Map<string, unknown>([...values, ...own]), receipt };
    }),
  );
  const ids = groups.flatMap((group) => group.ids);
  const { audiences, store } = context;
  const findChanged = async (): Promise<ReadonlySet<number>> =>
    new Set(await findIds(context, type, both(idIn(ids), wasUpdatedAt(type, now))));
  return announced(
    store,
    ids.map(() => announceQuietly(audiences, type)),
    {
      record: (event, index) => event.record(ids[index] as number, now),
      write: async () => {
        try {
          const count = await store.updateMany(type, updates, filter);
          return { count, changed: count === ids.length ? new Set(ids) : await findChanged() };
        } catch (refusal) {
          // Outside of a transaction, entries before the refused one are changed.
          const isRefused = duplicateOf(refusal) !== undefined || hasCode(refusal, 'conflict');
          const isPartial = isRefused && store.transactions.current() === undefined;
          const changed = isPartial ? await findChanged() : new Set<number>();
          if (changed.size === 0) throw refusal;
          return { count: changed.size, changed, refusal };
        }
      },
      explain: explained,
      isDone: ({ changed }, index) => changed.has(ids[index] as number),
      finish: async ({ count, changed, refusal }) => {
        const done = ids.filter((id) => changed.has(id));
        const written = done.map((id) => ({ written: { ...identity, action: 'update', type, id } as const }));
        await finishAll(context, written, 1);
        if (refusal !== undefined) throw explained(refusal);
        return count;
      },
      entryOf: () => noEntry,
    },
  );
}

const explained = (error: unknown): unknown => {
  const duplicate = duplicateOf(error);
  return duplicate === undefined ? error : new AppError('validation', [taken([duplicate.path])]);
};

/** The condition for entries that were last changed at a time. */
function wasUpdatedAt({ attributes }: ContentType, time: Date): Filter | undefined {
  const field = attributes.get('updatedAt');
  return field?.kind === 'scalar' ? { kind: 'comparison', field, operator: '$eq', operands: [time] } : undefined;
}

/** Events of entries that are written together have none, or read it. */
const noEntry: LazyEntry = () => undefined;

/** Finishes writes that were done together, all of them. @throws the first error of a hook */
async function finishAll(
  context: DocumentsContext,
  writes: readonly Parameters<typeof finishWrite>[1][],
  concurrent: number,
): Promise<void> {
  const limit = pLimit(concurrent);
  const finished = await Promise.allSettled(
    writes.map((done) => limit(() => finishWrite(context, done, async () => noEntry))),
  );
  for (const result of finished) if (result.status === 'rejected') throw result.reason;
}

/**
 * Entries of a group get the same values: one that must be unique is refused before any of them has it.
 * @throws AppError validation
 */
function refuseRepeated({ attributes }: ContentType, { ids, data }: Group): void {
  if (ids.length === 1) return;
  const repeated = Object.entries(data).flatMap(([name, value]) => {
    const attribute = attributes.get(name);
    return attribute !== undefined && isUnique(attribute) && value !== null && value !== undefined ? [name] : [];
  });
  if (repeated.length > 0)
    throw new AppError(
      'validation',
      repeated.map((name) => taken([name])),
    );
}

async function updateEach(
  context: DocumentsContext,
  type: ContentType,
  { ids, data }: Group,
  request: EntryRequest,
): Promise<number> {
  let count = 0;
  for (const id of ids) {
    try {
      await updateEntry(context, type, id, data, request, { raw: true, isPrepared: true });
      count += 1;
    } catch (error) {
      if (!hasCode(error, 'notFound')) throw error;
    }
  }
  return count;
}

/** The maximum number of entries that are deleted together. */
const BATCH = 1000;
/** Hooks that run at the same time, e.g. of providers that store files. */
const CONCURRENT = 10;

/** The request of the deletion of one entry. Only the caller shows entries in events. */
export type RequestOf = (id: number) => EntryRequest;

/**
 * Deletes all entries that match a filter, and the references to them; returns their number. An error of the database
 * can occur after some of them.
 * @throws AppError the refusal of a hook, before any entry of its batch is deleted
 */
export async function deleteEntries(
  context: DocumentsContext,
  type: ContentType,
  filter: Filter | undefined,
  request: EntryRequest,
  requestOf: RequestOf = () => request,
): Promise<number> {
  const matching = both(queryFor(context, type, 'delete', request).filter, filter);
  const ids = await findIds(context, type, matching);
  let count = 0;
  for (const batch of lodash.chunk(ids, BATCH))
    count += await deleteTogether(context, type, batch, matching, requestOf);
  return count;
}

async function deleteTogether(
  context: DocumentsContext,
  type: ContentType,
  ids: readonly number[],
  matching: Filter | undefined,
  requestOf: RequestOf,
): Promise<number> {
  const { audiences, hooks, registry, store } = context;
  const limit = pLimit(CONCURRENT);
  const at = new Date();
  const deletions = await Promise.all(
    ids.map(async (id) => {
      const identity = identityOf(requestOf(id));
      return {
        id,
        identity,
        receipt: receiptOf(context, type, requestOf(id), { ...identity, action: 'delete' }),
        references: referenceRemovals(type, id, registry),
        deletion: { at, by: requestOf(id).caller.user },
        afterDelete: await limit(() => hooks.beforeDelete({ ...identity, type, id })),
      };
    }),
  );
  return announced(
    store,
    ids.map((id) => announce(audiences, store, type, 'delete', requestOf(id))),
    {
      record: (event, index) => event.record(ids[index] as number, undefined),
      write: () => store.removeMany(type, deletions, matching),
      isDone: (removed, index) => removed.ids.has(ids[index] as number),
      finish: async (removed) => {
        const done = deletions.filter(({ id }) => removed.ids.has(id));
        const written = done.map(({ id, identity, afterDelete }) => ({
          written: { ...identity, action: 'delete', type, id } as const,
          afterDelete,
        }));
        await finishAll(context, written, CONCURRENT);
        return removed.count;
      },
      entryOf: () => noEntry,
    },
  );
}
