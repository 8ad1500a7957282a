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
import { both, type Filter } from '../../query/ast.js';
import type { DocumentsContext, EntryRequest } from '../context.js';
import { announceMany } from '../events/announce-many.js';
import { announce } from '../events/announcement.js';
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
  const change = (): Promise<number> => context.store.updateMany(type, updates, filter);
  const matched = await announceMany(context, type, ids, now, change).catch((error: unknown) => {
    const duplicate = duplicateOf(error);
    throw duplicate === undefined ? error : new AppError('validation', [taken([duplicate.path])]);
  });
  for (const id of ids) await context.hooks.afterWrite({ ...identity, action: 'update', type, id });
  return matched;
}

/** Entries of a group get the same values: one that must be unique is refused before any of them has it. @throws AppError validation */
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
 * Deletes all entries that match a filter, and the references to them; returns their number. An error of the database can occur after some
 * of them.
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
        announcement: announce(audiences, store, type, 'delete', requestOf(id)),
      };
    }),
  );
  await Promise.all(deletions.map(async ({ id, announcement }) => announcement?.record(id, undefined)));
  const removed = await store.removeMany(type, deletions, matching);
  const finished = await Promise.allSettled(
    deletions.map(({ id, identity, announcement, afterDelete }) =>
      limit(async () => {
        if (!removed.ids.has(id)) return announcement?.discard();
        const written = { ...identity, action: 'delete', type, id } as const;
        // Events of these deletions have no entry.
        await finishWrite(context, { written, afterDelete, announcement }, async () => () => undefined);
      }),
    ),
  );
  for (const result of finished) if (result.status === 'rejected') throw result.reason;
  return removed.count;
}
