import type { Entries, Entry } from '../../../documents/entries.js';
import type { RoleAccess } from '../../contract/access/access.js';
import { hasCode } from '../../../errors/app-error.js';
import type { Services } from '../context.js';
import { changePermissions } from './change-permissions.js';
import { uids } from '../uids.js';

/** Creates the roles that are declared and missing, and lets each do exactly what is declared. Returns a line for each change. */
export async function applyRoles(
  roles: readonly RoleAccess[],
  { context: { entries }, roleTurns }: Pick<Services, 'context' | 'roleTurns'>,
): Promise<readonly string[]> {
  const changes: string[] = [];
  for (const declared of roles) {
    const role = await findOrCreate(declared, entries, changes);
    const change = () => changePermissions(entries, role.id, declared.permissions);
    const { granted, revoked } = await roleTurns(String(role.id), change);
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
  const find = () => entries.findFirst(uids.role, { filters: { type } });
  const stored = await find();
  if (stored === undefined) {
    try {
      const created = await entries.create(uids.role, { type, name: name ?? titleOf(type), description });
      changes.push(`role ${type} created`);
      return created;
    } catch (error) {
      // Another request that created it at the same moment was faster.
      const faster = hasCode(error, 'validation') ? await find() : undefined;
      if (faster === undefined) throw error;
      return faster;
    }
  }
  const declared = Object.entries({ name, description }).filter(([, value]) => value !== undefined);
  const differing = declared.filter(([key, value]) => stored[key] !== value);
  if (differing.length === 0) return stored;
  changes.push(`role ${type}: ${differing.map(([key, value]) => `${key} is now "${value}"`).join(', ')}`);
  return entries.update(uids.role, stored.id, Object.fromEntries(differing));
}

/** `content-editor` becomes `Content editor`. */
const titleOf = (type: string): string => {
  const displayName = type.replaceAll(/[-_]+/g, ' ').trim().padEnd(3, ' role');
  return displayName.charAt(0).toUpperCase() + displayName.slice(1);
};
