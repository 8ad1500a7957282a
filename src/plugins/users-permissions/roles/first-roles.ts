import type { Entries } from '../../../documents/entries.js';
import { hasCode } from '../../../errors/app-error.js';
import { uids } from '../uids.js';

const auth = (name: string): string => `plugin::users-permissions.auth.${name}`;

/** The roles that every service begins with, and what they may do at first. */
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
    const granted: number[] = [];
    for (const action of permissions) granted.push((await entries.create(uids.permission, { action })).id);
    try {
      await entries.create(uids.role, { ...role, permissions: granted });
    } catch (error) {
      // Another process that started at the same moment was faster.
      if (!hasCode(error, 'validation')) throw error;
      for (const id of granted) await entries.delete(uids.permission, id);
    }
  }
}
