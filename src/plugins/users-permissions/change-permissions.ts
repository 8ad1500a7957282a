import type { Entries } from '../../documents/entries.js';
import { uids } from './uids.js';

/** What was changed in the rights of a role. */
export interface PermissionChange {
  readonly granted: readonly string[];
  readonly revoked: readonly string[];
}

/** Lets a role do exactly these actions. */
export async function changePermissions(
  entries: Entries,
  role: number,
  wanted: readonly string[],
): Promise<PermissionChange> {
  const query = { filters: { role }, fields: ['action'], sort: 'id', pagination: { limit: -1 } };
  const granted = new Set(wanted);
  const revoked = new Set<string>();
  for (const { id, action } of await entries.findMany(uids.permission, query)) {
    // One that is there twice is granted once.
    if (granted.delete(String(action))) continue;
    await entries.delete(uids.permission, id);
    if (!wanted.includes(String(action))) revoked.add(String(action));
  }
  for (const action of granted) await entries.create(uids.permission, { action, role }, { fields: ['id'] });
  return { granted: [...granted], revoked: [...revoked] };
}
