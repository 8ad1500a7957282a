import type { Entries } from '../../documents/entries.js';
import { rememberBriefly } from '../remember-briefly.js';
import { uids } from './uids.js';
import { tokensFrom } from './web-tokens.js';

/** What decides about the requests of a user. */
export interface Person {
  /** The id of the role. */
  readonly role: number | undefined;
  readonly blocked: boolean;
  readonly confirmed: boolean;
  /** Tokens that are older are good no more; seconds since 1970. */
  readonly tokensFrom: number;
}

/** Users and what roles may do, each looked up at most once a second. */
export interface People {
  user(id: number): Promise<Person | undefined>;
  /** The actions of a role, by its id or its type. */
  role(role: number | string): Promise<ReadonlySet<string>>;
  /** Something of this content type was changed here. */
  forget(uid: string): void;
}

const MOST_USERS = 10_000;
const MOST_ROLES = 1000;

export function knowPeople(entries: Entries): People {
  const users = rememberBriefly(MOST_USERS, async (id: number): Promise<Person | undefined> => {
    const fields = ['blocked', 'confirmed', 'passwordChangedAt'];
    const user = await entries.findFirst(uids.user, {
      filters: { id },
      fields,
      populate: { role: { fields: ['id'] } },
    });
    if (user === undefined) return undefined;
    const role = user['role'] as { readonly id: number } | null;
    return {
      role: role?.id,
      blocked: user['blocked'] === true,
      confirmed: user['confirmed'] === true,
      tokensFrom: tokensFrom(user),
    };
  });
  const roles = rememberBriefly(MOST_ROLES, async (role: number | string): Promise<ReadonlySet<string>> => {
    const filters = { role: typeof role === 'number' ? { id: role } : { type: role } };
    const every = { pagination: { limit: -1 } };
    const permissions = await entries.findMany(uids.permission, { filters, fields: ['action'], ...every });
    return new Set(permissions.map(({ action }) => String(action)));
  });
  return {
    user: (id) => users.of(id),
    role: (role) => roles.of(role),
    forget: (uid) => {
      if (uid === uids.user) users.forget();
      if (uid === uids.role || uid === uids.permission) roles.forget();
    },
  };
}
