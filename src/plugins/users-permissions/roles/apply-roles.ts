import lodash from 'lodash';
import type { Entries, Entry } from '../../../documents/entries.js';
import { type RoleAccess, storedActions } from '../../contract/access/access.js';
import { hasCode } from '../../../errors/app-error.js';
import type { Services } from '../services.js';
import { changePermissions } from './change-permissions.js';
import { uids } from '../uids.js';

/** Creates missing declared roles, and gives each exactly its declared permissions. Returns a line for each change. */
export async function applyRoles(
  roles: readonly RoleAccess[],
  { context, roleTurns }: Services,
): Promise<readonly string[]> {
  const changes: string[] = [];
  for (const declared of roles) {
    const role = await findOrCreate(declared, context.entries, changes);
    const change = () => changePermissions(context, role.id, storedActions(declared.permissions, declared.rules));
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
const titleOf = (type: string): string => lodash.upperFirst(type.replaceAll(/[-_]+/g, ' ').trim().padEnd(3, ' role'));

const auth = (name: string): string => `plugin::users-permissions.auth.${name}`;

/** The default roles and their initial permissions. */
const firstRoles = [
  {
    name: 'Authenticated',
    description: 'Default role given to authenticated user.',
    type: 'authenticated',
    permissions: [auth('changePassword'), 'plugin::users-permissions.user.me'],
  },
  {
    name: 'Public',
    description: 'Default role given to unauthenticated user.',
    type: 'public',
    permissions: [
      'callback',
      'connect',
      'forgotPassword',
      'resetPassword',
      'register',
      'emailConfirmation',
      'sendEmailConfirmation',
    ].map(auth),
  },
] as const;

/** Creates the first roles at the first start, and later the public one, should it be missing: it is needed. */
export async function createFirstRoles(entries: Entries): Promise<void> {
  const existingTypes = new Set(
    (await entries.findMany(uids.role, { pagination: { limit: -1 } })).map(({ type }) => type),
  );
  for (const { permissions, ...role } of firstRoles) {
    if (existingTypes.has(role.type) || (existingTypes.size > 0 && role.type !== 'public')) continue;
    // Permissions come first: a role that exists has all of its permissions, even if this process ends in between.
    const created = permissions.map(async (action) => entries.create(uids.permission, { action }));
    const granted = (await Promise.all(created)).map(({ id }) => id);
    try {
      await entries.create(uids.role, { ...role, permissions: granted });
    } catch (error) {
      // Another process that started at the same moment was faster.
      if (!hasCode(error, 'validation')) throw error;
      for (const id of granted) await entries.delete(uids.permission, id);
    }
  }
}
