import { isRecord } from '../../../config/record.js';
import { uids } from '../uids.js';
import type { Services } from '../services.js';
import { askCode } from './ask-code.js';
import { withoutSecrets } from './user-cache.js';

/**
 * The user with the id in a token; undefined if there is none. Code of the project that finds users decides, also about
 * their role.
 */
export async function findUserOfToken({ context, users }: Services, id: unknown) {
  const { fetchAuthenticatedUser } = context.auth.code();
  const found = fetchAuthenticatedUser === undefined ? { id } : await askCode(fetchAuthenticatedUser, id);
  if (!isRecord(found) || !Number.isSafeInteger(found['id'])) return undefined;
  const user = Number(found['id']);
  const stored = await users.user(user);
  if (stored === undefined || fetchAuthenticatedUser === undefined) return stored && { ...stored, id: user };
  const role = isRecord(found['role']) ? found['role']['id'] : undefined;
  // As in Strapi v4, nobody is identified without a role.
  if (!Number.isSafeInteger(role)) return undefined;
  const isStored = role === stored.role;
  const other = isStored ? undefined : await context.entries.findFirst(uids.role, { filters: { id: role } });
  return {
    ...stored,
    id: user,
    role: Number(role),
    roleType: isStored ? stored.roleType : (other?.['type'] as string | undefined),
    blocked: Boolean(found['blocked']),
    confirmed: Boolean(found['confirmed']),
    profile: withoutSecrets(found),
  };
}
