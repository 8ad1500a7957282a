import { groupBy } from '../../../config/group-by.js';
import type { Data } from '../../../config/record.js';
import type { Entries } from '../../../documents/entries.js';
import { type DeclaredRules, rightsOf, type Rights, type DraftRules } from '../../contract/access/access.js';
import { createTtlCache } from '../../contract/ttl-cache.js';
import { MAX_VALUES } from '../../contract/access/parse-where.js';
import { ownAttributes } from '../own-attributes.js';
import { uids } from '../uids.js';
import { factorOf } from '../factor/factor.js';
import { tokensFrom } from './jwt.js';

const secrets = new Set([...ownAttributes, 'password', 'resetPasswordToken', 'confirmationToken']);

/** The values of a user that code of the project gets with the caller: without login data. */
export const withoutSecrets = (user: Data): Data =>
  Object.fromEntries(Object.entries(user).filter(([name]) => !secrets.has(name)));

/** The populate for rules: one more related entry than a rule can use, so that larger relations are refused. */
function populateOf(paths: readonly string[]): Readonly<Record<string, unknown>> {
  const nested = groupBy(
    paths.map((path) => path.split('.')),
    ([name = '']) => name,
  );
  return Object.fromEntries(
    [...nested].map(([name, below]) => {
      const inner = below.flatMap(([, ...rest]) => (rest.length > 0 ? [rest.join('.')] : []));
      return [name, { limit: MAX_VALUES + 1, populate: populateOf(inner) }];
    }),
  );
}

const MAX_CACHED_USERS = 10_000;
const MAX_CACHED_ROLES = 1000;

/** A role by its id or its type, for a user or for a caller without one. */
export interface Holder {
  readonly role: number | string | undefined;
  readonly roleType: string | undefined;
  /** The user, populated for rules. */
  readonly values?: Data;
}

/**
 * Users and permissions of roles, each looked up at most once a second.
 * @param ofDrafts see `rulesOfDrafts`
 */
export function createUserCache(
  entries: Entries,
  rules: Pick<DeclaredRules, 'of' | 'userPaths'>,
  ofDrafts: () => DraftRules,
) {
  const read = async (id: number) => {
    const paths = rules.userPaths();
    const values = await entries.findFirst(uids.user, {
      filters: { id },
      populate: { role: true, ...populateOf(paths) },
    });
    if (values === undefined) return undefined;
    const populated = new Set(paths.map((path) => path.split('.', 1)[0]));
    const role = values['role'] as { readonly id: number; readonly type: string } | null;
    const profile = Object.entries(withoutSecrets(values)).filter(([name]) => name === 'role' || !populated.has(name));
    return {
      role: role?.id,
      roleType: role?.type,
      blocked: values['blocked'] === true,
      confirmed: values['confirmed'] === true,
      tokensFrom: tokensFrom(values),
      hasFactor: factorOf(values) !== undefined,
      /** The user with their role, without login data. */
      profile: Object.fromEntries(profile),
      values,
    };
  };
  const users = createTtlCache(MAX_CACHED_USERS, read);
  const roles = createTtlCache(MAX_CACHED_ROLES, async (role: number | string): Promise<ReadonlySet<string>> => {
    const filters = { role: typeof role === 'number' ? { id: role } : { type: role } };
    const every = { pagination: { limit: -1 } };
    const permissions = await entries.findMany(uids.permission, { filters, fields: ['action'], ...every });
    return new Set(permissions.map(({ action }) => String(action)));
  });
  return {
    /** What authorizes the requests of a user; undefined if there is none. */
    user: users.get,
    /** The same, as it is now in the database. */
    read,
    /** What a role may do. A user without one may do nothing. */
    rights: async ({ role, roleType, values }: Holder): Promise<Rights> => {
      const actions = role === undefined ? new Set<string>() : await roles.get(role);
      return rightsOf(actions, rules.of(roleType), { now: new Date(), user: values }, ofDrafts());
    },
    /** Something of this content type was changed here; undefined: anything. */
    clear: (uid?: string): void => {
      if (uid !== uids.permission) users.clear();
      if (uid !== uids.user) roles.clear();
    },
  };
}

export type CachedUser = NonNullable<Awaited<ReturnType<ReturnType<typeof createUserCache>['read']>>>;
