import { randomBytes } from 'node:crypto';
import { system } from '../../../documents/caller.js';
import type { Entry } from '../../../documents/entries.js';
import { plainEntry } from '../../../query/entry-presenter.js';
import { AppError } from '../../../errors/app-error.js';
import { parseSelection } from '../../../query/parse/parse-selection.js';
import { findDefaultRole, findUsers } from '../users/find-user.js';
import type { OperationContext, Services } from '../services.js';
import { logInAs, type LogIn } from '../users/present-user.js';
import { isNameTaken, whileReserved } from '../users/taken-names.js';
import { asApplicationError } from '../users/write-users.js';
import { proveFactor } from '../factor/second-factor.js';
import { recordFailedLogIn } from '../auth/login.js';
import { fetchProfile, findProvider } from './connect.js';
import { looksLikeCode } from './exchange-codes.js';
import type { Profile } from './read-profile.js';

/**
 * Logs in the user whom a provider identifies, and registers them the first time. The access token is the code that
 * `connect` ended with; a token of the provider itself counts where the settings say so.
 * @throws AppError application, tooManyRequests, secondFactorNeeded, secondFactorMissing
 */
export async function logInWith(
  services: Services,
  name: string | undefined,
  token: unknown,
  {
    address,
    forgive,
    entryForm,
    cookies,
  }: Pick<OperationContext, 'address' | 'forgive' | 'entryForm'> & { readonly cookies?: string | undefined },
): Promise<LogIn> {
  const hasToken = typeof token === 'string' && token !== '';
  // In Strapi v4, passwords are a provider with this name: it is enabled, but no token is one of its.
  const isEnabled = name === 'email' && services.settings.passwords;
  if (isEnabled && !hasToken) throw new AppError('application', 'No access_token.');
  const { provider, exchange } = findProvider(services.providers, name);
  if (!hasToken) throw new AppError('application', 'No access_token.');
  const redeemed = await services.providers.codes.redeem(provider, token, cookies);
  if (redeemed === undefined && (!provider.acceptAccessTokens || looksLikeCode(token))) {
    throw new AppError('application', 'Invalid access_token.');
  }
  const profile = redeemed ?? (await fetchProfile(provider, exchange, token));
  const user = await findOrRegister(services, profile);
  await forgive?.();
  if (user['blocked'] === true) {
    await recordFailedLogIn(services, user);
    throw new AppError('application', 'Your account has been blocked by an administrator');
  }
  // A provider says nothing about its own factors, and its address takes no code.
  await proveFactor(services, user, {}, { address });
  return logInAs(services, user, entryForm, false);
}

/** Only a user who has logged in with the same provider before is the same person: an address alone proves nothing. */
async function findOrRegister(services: Services, profile: Profile): Promise<Entry> {
  const { provider, email } = profile;
  const { settings, context, userType } = services;
  const [existing] = await findUsers(services, { email, provider });
  if (existing !== undefined) return existing;
  if (!settings.allowRegister) throw new AppError('application', 'Register action is actually not available.');
  const role = await findDefaultRole(services);
  return whileReserved(services, [profile.username, email], async () => {
    const users = await findUsers(services, { email });
    // The user may have sent two concurrent requests.
    const faster = users.find((user) => user['provider'] === provider);
    if (faster !== undefined) return faster;
    if (users.length > 0 && settings.uniqueEmail) throw new AppError('application', 'Email is already taken.');
    const username = await freeName(services, profile.username.slice(0, MAX_LENGTH));
    const data = { username, email, provider, role, confirmed: true };
    const request = {
      caller: system,
      presenter: plainEntry,
      selection: parseSelection({}, userType, 'internal', context.limits),
      // As in Strapi v4.
      event: 'none',
    } as const;
    return (await context.documents.create(userType, data, request).catch(asApplicationError)) as Entry;
  });
}

const MIN_LENGTH = 3;
const MAX_LENGTH = 200;

/** The name from the provider, or a similar one that is not taken. */
async function freeName(services: Services, name: string): Promise<string> {
  const free = name.length >= MIN_LENGTH && !(await isNameTaken(services, name));
  return free ? name : `${name}-${randomBytes(4).toString('hex')}`;
}
