import type { Entries } from '../../../documents/entries.js';
import { restricted } from '../../contract/access/access.js';
import { uids } from '../uids.js';

/** Lets a role do exactly these actions. Returns what that changed. */
export async function changePermissions(entries: Entries, role: number, requested: readonly string[]) {
  const granted = new Set(requested);
  const revoked = new Set<string>();
  for (const { id, action } of await findPermissions(entries, role, { sort: 'id' })) {
    // A duplicate is granted once.
    if (granted.delete(String(action))) continue;
    await entries.delete(uids.permission, id);
    if (!requested.includes(String(action))) revoked.add(String(action));
  }
  await createPermissions(entries, role, granted);
  return { granted: [...granted], revoked: [...revoked] };
}

const findPermissions = (entries: Entries, role: number, { filters = {}, sort = 'action' } = {}) =>
  entries.findMany(uids.permission, {
    filters: { role, ...filters },
    fields: ['action'],
    sort,
    pagination: { limit: -1 },
  });

async function createPermissions(entries: Entries, role: number, actions: Iterable<string>): Promise<void> {
  for (const action of actions) await entries.create(uids.permission, { action, role }, { fields: ['id'] });
}

export async function readPermissions(entries: Entries, role: number): Promise<readonly string[]> {
  return (await findPermissions(entries, role)).map(({ action }) => String(action));
}

/** Grants actions to a role. Returns those that it did not have before. */
export async function grant(entries: Entries, role: number, actions: readonly string[]): Promise<readonly string[]> {
  const existing = new Set(await readPermissions(entries, role));
  const granted = [...new Set(actions)].filter((action) => !existing.has(action));
  await createPermissions(entries, role, granted);
  return granted;
}

/** Revokes actions from a role, whether rules limit them or not. Returns those that it had before. */
export async function revoke(entries: Entries, role: number, actions: readonly string[]): Promise<readonly string[]> {
  const filters = { action: { $in: [...actions, ...actions.map(restricted)] } };
  const permissions = await findPermissions(entries, role, { filters });
  for (const { id } of permissions) await entries.delete(uids.permission, id);
  return [...new Set(permissions.map(({ action }) => String(action)))];
}
