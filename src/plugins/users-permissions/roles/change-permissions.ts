import type { Entries } from '../../../documents/entries.js';
import { restricted } from '../../contract/access/rule.js';
import { uids } from '../uids.js';

/** Lets a role do exactly these actions. Returns what that changed. */
export async function changePermissions(entries: Entries, role: number, requested: readonly string[]) {
  const query = { filters: { role }, fields: ['action'], sort: 'id', pagination: { limit: -1 } };
  const granted = new Set(requested);
  const revoked = new Set<string>();
  for (const { id, action } of await entries.findMany(uids.permission, query)) {
    // A duplicate is granted once.
    if (granted.delete(String(action))) continue;
    await entries.delete(uids.permission, id);
    if (!requested.includes(String(action))) revoked.add(String(action));
  }
  for (const action of granted) await entries.create(uids.permission, { action, role }, { fields: ['id'] });
  return { granted: [...granted], revoked: [...revoked] };
}

const queryFor = (role: number, extra = {}) => ({
  filters: { role, ...extra },
  fields: ['action'],
  sort: 'action',
  pagination: { limit: -1 },
});

export async function readPermissions(entries: Entries, role: number): Promise<readonly string[]> {
  return (await entries.findMany(uids.permission, queryFor(role))).map(({ action }) => String(action));
}

/** Grants actions to a role. Returns those that it did not have before. */
export async function grant(entries: Entries, role: number, actions: readonly string[]): Promise<readonly string[]> {
  const existing = new Set(await readPermissions(entries, role));
  const granted = [...new Set(actions)].filter((action) => !existing.has(action));
  for (const action of granted) await entries.create(uids.permission, { action, role }, { fields: ['id'] });
  return granted;
}

/** Revokes actions from a role, whether rules limit them or not. Returns those that it had before. */
export async function revoke(entries: Entries, role: number, actions: readonly string[]): Promise<readonly string[]> {
  const permissions = await entries.findMany(
    uids.permission,
    queryFor(role, { action: { $in: [...actions, ...actions.map(restricted)] } }),
  );
  for (const { id } of permissions) await entries.delete(uids.permission, id);
  return [...new Set(permissions.map(({ action }) => String(action)))];
}
