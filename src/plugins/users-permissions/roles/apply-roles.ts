import type { Entries, Entry } from '../../../documents/entries.js';
import type { RoleAccess } from '../../contract/access/access.js';
import { changePermissions } from './change-permissions.js';
import { uids } from '../uids.js';

/** Creates the roles that are declared and missing, and lets each do exactly what is declared. Gives a line for each change. */
export async function applyRoles(roles: readonly RoleAccess[], entries: Entries): Promise<readonly string[]> {
  const changes: string[] = [];
  for (const declared of roles) {
    const role = await findOrCreate(declared, entries, changes);
    const { granted, revoked } = await changePermissions(entries, role.id, declared.permissions);
    if (granted.length > 0) changes.push(`role ${declared.type}: granted ${granted.join(', ')}`);
    if (revoked.length > 0) changes.push(`role ${declared.type}: revoked ${revoked.join(', ')}`);
  }
  return changes;
}

async function findOrCreate(
  { type, name, description }: RoleAccess,
  entries: Entries,
  changes: string[],
): Promise<Entry> {
  const known = await entries.findFirst(uids.role, { filters: { type } });
  if (known === undefined) {
    const created = await entries.create(uids.role, { type, name: name ?? titleOf(type), description });
    changes.push(`role ${type} created`);
    return created;
  }
  const declared = Object.entries({ name, description }).filter(([, value]) => value !== undefined);
  const differing = declared.filter(([key, value]) => known[key] !== value);
  if (differing.length === 0) return known;
  changes.push(`role ${type}: ${differing.map(([key, value]) => `${key} is now "${value}"`).join(', ')}`);
  return entries.update(uids.role, known.id, Object.fromEntries(differing));
}

/** `content-editor` becomes `Content editor`. */
const titleOf = (type: string): string => {
  const words = type.replaceAll(/[-_]+/g, ' ').trim().padEnd(3, ' role');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
