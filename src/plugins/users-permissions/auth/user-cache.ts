import type { Entries } from '../../../documents/entries.js';
import { createTtlCache } from '../../contract/ttl-cache.js';
import { ownAttributes, uids } from '../uids.js';
import { tokensFrom } from './jwt.js';

/** What decides about the requests of a user. */
export interface AuthUser {
  /** The id of the role. */
  readonly role: number | undefined;
  readonly blocked: boolean;
  readonly confirmed: boolean;
  /** Tokens that are older are good no more; seconds since 1970. */
  readonly tokensFrom: number;
  /** The user with their role, without what has to do with log-ins. */
  readonly profile: Readonly<Record<string, unknown>>;
}

/** Users and what roles may do, each looked up at most once a second. */
export interface UserCache {
  user(id: number): Promise<AuthUser | undefined>;
  /** The actions of a role, by its id or its type. */
  role(role: number | string): Promise<ReadonlySet<string>>;
  /** Something of this content type was changed here. */
  clear(uid: string): void;
}

const secrets = new Set<string>([...ownAttributes, 'password', 'resetPasswordToken', 'confirmationToken']);

const MAX_CACHED_USERS = 10_000;
const MAX_CACHED_ROLES = 1000;

export function createUserCache(entries: Entries): UserCache {
  const users = createTtlCache(MAX_CACHED_USERS, async (id: number): Promise<AuthUser | undefined> => {
    const user = await entries.findFirst(uids.user, { filters: { id }, populate: ['role'] });
    if (user === undefined) return undefined;
    const role = user['role'] as { readonly id: number } | null;
    const profile = Object.entries(user).filter(([name]) => !secrets.has(name));
    return {
      role: role?.id,
      blocked: user['blocked'] === true,
      confirmed: user['confirmed'] === true,
      tokensFrom: tokensFrom(user),
      profile: Object.fromEntries(profile),
    };
  });
  const roles = createTtlCache(MAX_CACHED_ROLES, async (role: number | string): Promise<ReadonlySet<string>> => {
    const filters = { role: typeof role === 'number' ? { id: role } : { type: role } };
    const every = { pagination: { limit: -1 } };
    const permissions = await entries.findMany(uids.permission, { filters, fields: ['action'], ...every });
    return new Set(permissions.map(({ action }) => String(action)));
  });
  return {
    user: (id) => users.get(id),
    role: (role) => roles.get(role),
    clear: (uid) => {
      if (uid === uids.user || uid === uids.role) users.clear();
      if (uid === uids.role || uid === uids.permission) roles.clear();
    },
  };
}
