import type { Service } from '../../src/app/app.js';
import type { Access, TokenAccess } from '../../src/plugins/contract/access/access.js';
import type { World, WorldToken } from './world.js';

/**
 * Brings a service into the state that `world.json` describes. A database that was in it once is left as it is: what
 * was changed since then stays changed.
 */
export async function applyWorld({ entries, applyAccess }: Service, world: World): Promise<void> {
  // Tokens are written last, so if they exist, everything else does too.
  const stored = await entries.findMany('admin::api-token', { fields: ['name'], pagination: { limit: 10_000 } });
  const names = new Set(stored.map(({ name }) => name));
  if (names.size === 0 || !Object.keys(world.tokens).every((name) => names.has(name)))
    await applyAccess(accessOf(world));
}

/** The world's declarations in the form of `access.json`. */
function accessOf({ locales, tokens, permissions, usersPermissions }: World): Access {
  const roles = Object.values(usersPermissions.roles ?? {});
  const types = new Set([...roles.map(({ type }) => type), ...Object.keys(permissions)]);
  return {
    locales,
    roles: [...types].map((type) => ({
      type,
      name: roles.find((role) => role.type === type)?.name,
      description: undefined,
      permissions: permissions[type] ?? [],
    })),
    tokens: Object.entries(tokens).map(([name, token]) => tokenOf(name, token)),
  };
}

const tokenOf = (name: string, { type, accessKey, permissions = [], expiresAt }: WorldToken): TokenAccess => ({
  name,
  description: undefined,
  type,
  permissions,
  key: accessKey,
  expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
});
