import type { Data } from '../../../config/record.js';
import type { Entry } from '../../../documents/entries.js';
import { AppError } from '../../../errors/app-error.js';
import { matchPassword } from './match-password.js';
import type { Proof } from '../factor/factor.js';
import { proveFactor } from '../factor/second-factor.js';
import { findUsers, type StoredUser } from '../users/find-user.js';
import type { OperationContext, Services } from '../services.js';
import { parseTexts } from '../users/parse-input.js';
import { uids } from '../uids.js';
import { logInAs, refusePassword, type LogIn } from '../users/present-user.js';

/**
 * Logs a user in by address or name and password. An unknown user and a wrong password cannot be told
 * apart, not even by the response time.
 * @throws AppError validation, invalidValue, application for blocked and unconfirmed users, tooManyRequests, and as
 * `proveFactor`
 */
export async function logIn(services: Services, input: Data, context: OperationContext): Promise<LogIn> {
  const user = await checkPassword(services, input, context);
  const proof = await proveAtLogIn(services, user, input, context);
  return logInAs(services, user, context, { first: 'password', proof });
}

/** What proves the second factor of who logs in. A refusal is recorded. @throws AppError as `proveFactor` */
export const proveAtLogIn = (
  services: Services,
  user: StoredUser | Entry,
  input: Data,
  context: Pick<OperationContext, 'address'>,
): Promise<Proof | undefined> =>
  proveFactor(services, user, input, context).catch(async (error: unknown) => {
    throw await refusedLogIn(services, user, error);
  });

/** The user with this address or name and password, who may log in. @throws as `logIn` */
export async function checkPassword(
  services: Services,
  input: Data,
  { address, forgive }: OperationContext,
): Promise<StoredUser> {
  refusePassword(services);
  const { identifier, password } = parseTexts(input, [{ name: 'identifier' }, { name: 'password' }]);
  const user = await findByIdentifier(services, identifier);
  // A user is one account, for both identifiers.
  const account = user === undefined ? `name ${identifier.toLowerCase()}` : `id ${user.id}`;
  const forgiveAccount = await services.attempts.countAccount('login', address, account);
  const matches = await matchPassword(services, password, user);
  if (user === undefined || !matches) {
    services.context.auth.observeFailedLogin();
    throw await refusedLogIn(services, user, new AppError('wrongCredentials'));
  }
  await forgive?.();
  await forgiveAccount();
  if (services.settings.emailConfirmation && user['confirmed'] !== true)
    throw await refusedLogIn(services, user, new AppError('unconfirmedAccount'));
  await refuseBlocked(services, user);
  return user;
}

/** @throws AppError application */
export async function refuseBlocked(services: Services, user: StoredUser | Entry): Promise<void> {
  if (user['blocked'] === true) throw await refusedLogIn(services, user, new AppError('blockedAccount'));
}

/**
 * Records that a log-in is refused, of a user if they are known: what was entered as a name is not recorded, as it may
 * be a password. Returns the error, to be thrown.
 */
export async function refusedLogIn<T>(
  { context }: Services,
  user: StoredUser | Entry | undefined,
  error: T,
): Promise<T> {
  const about = user !== undefined && { entry: user.id };
  await context.storage.recordActivity({ action: 'failedLogin', type: uids.user, ...about });
  return error;
}

/** If one user has this address and another this name, the one with the address is used. */
async function findByIdentifier(services: Services, identifier: string): Promise<StoredUser | undefined> {
  const email = identifier.toLowerCase();
  const users = await findUsers(services, { provider: 'local', $or: [{ email }, { username: identifier }] });
  return users.find((user) => user['email'] === email) ?? users[0];
}
