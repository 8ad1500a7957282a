import type { Caller } from '../../../documents/caller.js';
import { AppError } from '../../../errors/app-error.js';
import type { Credentials } from '../../contract/plugin.js';
import type { Services } from '../context.js';

/**
 * Users by their JSON web token, and everybody without a token by the public role. Tokens of users that are gone,
 * blocked or have a new password are refused like forged ones.
 * @throws AppError unauthorized
 */
export async function authenticate(
  { tokens, users, settings }: Services,
  { token }: Credentials,
): Promise<Caller | undefined> {
  if (token === undefined) return callerOf('public', await users.role('public'));
  const read = tokens.read(token);
  if (read === undefined) return undefined;
  const user = await users.user(read.id);
  if (user === undefined || user.blocked || read.issuedAt < user.tokensFrom) throw new AppError('unauthorized');
  if (settings.emailConfirmation && !user.confirmed) throw new AppError('unauthorized');
  const actions = user.role === undefined ? new Set<string>() : await users.role(user.role);
  return { ...callerOf('user', actions), user: read.id, credentials: user.profile };
}

const callerOf = (kind: Caller['kind'], actions: ReadonlySet<string>): Caller => ({
  kind,
  may: (action) => actions.has(action),
});
