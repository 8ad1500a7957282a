import lodash from 'lodash';
import type { Data } from '../../../config/record.js';
import type { ContentType } from '../../../content-types/model/types.js';
import { system } from '../../../documents/caller.js';
import type { EntryRequest } from '../../../documents/context.js';
import type { Entries } from '../../../documents/entries.js';
import { plainEntry } from '../../../query/entry-presenter.js';
import { restricted } from '../../contract/access/access.js';
import type { Services } from '../services.js';
import { uids } from '../uids.js';

/** What writes several entries together. */
type Writes = Pick<Services['context'], 'entries' | 'documents' | 'registry'>;

/** The maximum number of entries that are written together. */
const BATCH = 500;

const request: EntryRequest = { caller: system, presenter: plainEntry, selection: { fields: [], populate: [] } };

/** Creates entries or, by their ids, changes them: for each batch of them some commands. @throws AppError validation */
export async function writeTogether(
  { documents, registry }: Pick<Writes, 'documents' | 'registry'>,
  uid: string,
  rows: readonly { readonly id?: number; readonly data: Data }[],
): Promise<void> {
  const type = registry.contentTypes.get(uid) as ContentType;
  for (const batch of lodash.chunk(rows, BATCH))
    await documents.batch(
      batch.map(({ id, data }) =>
        id === undefined
          ? ({ kind: 'create', type, request, data } as const)
          : ({ kind: 'update', type, request, id, data } as const),
      ),
    );
}

/**
 * Lets a role do exactly these actions. Returns what that changed. The number of commands does not depend on that of
 * actions, up to a batch.
 */
export async function changePermissions(writes: Writes, role: number, requested: readonly string[]) {
  const granted = new Set(requested);
  // A duplicate is granted once.
  const left = (await findPermissions(writes.entries, role, { sort: 'id' })).filter(
    ({ action }) => !granted.delete(String(action)),
  );
  await deletePermissions(
    writes,
    left.map(({ id }) => id),
  );
  await createPermissions(writes, role, granted);
  const revoked = new Set(left.map(({ action }) => String(action)).filter((action) => !requested.includes(action)));
  return { granted: [...granted], revoked: [...revoked] };
}

const findPermissions = (entries: Entries, role: number, { filters = {}, sort = 'action' } = {}) =>
  entries.findMany(uids.permission, {
    filters: { role, ...filters },
    fields: ['action'],
    sort,
    pagination: { limit: -1 },
  });

const createPermissions = (writes: Writes, role: number, actions: Iterable<string>): Promise<void> =>
  writeTogether(
    writes,
    uids.permission,
    [...actions].map((action) => ({ data: { action, role } })),
  );

async function deletePermissions({ entries }: Writes, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await entries.deleteMany(uids.permission, { filters: { id: { $in: [...ids] } } });
}

export async function readPermissions(entries: Entries, role: number): Promise<readonly string[]> {
  return (await findPermissions(entries, role)).map(({ action }) => String(action));
}

/** Grants actions to a role. Returns those that it did not have before. */
export async function grant(writes: Writes, role: number, actions: readonly string[]): Promise<readonly string[]> {
  const existing = new Set(await readPermissions(writes.entries, role));
  const granted = [...new Set(actions)].filter((action) => !existing.has(action));
  await createPermissions(writes, role, granted);
  return granted;
}

/** Revokes actions from a role, whether rules limit them or not. Returns those that it had before. */
export async function revoke(writes: Writes, role: number, actions: readonly string[]): Promise<readonly string[]> {
  const filters = { action: { $in: [...actions, ...actions.map(restricted)] } };
  const permissions = await findPermissions(writes.entries, role, { filters });
  await deletePermissions(
    writes,
    permissions.map(({ id }) => id),
  );
  return [...new Set(permissions.map(({ action }) => String(action)))];
}
