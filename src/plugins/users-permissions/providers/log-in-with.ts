import { randomBytes } from 'node:crypto';
import { system } from '../../../documents/caller.js';
import type { Entry } from '../../../documents/entries.js';
import { plainEntry } from '../../../query/entry-presenter.js';
import { AppError } from '../../../errors/app-error.js';
import { parseSelection } from '../../../query/parse/parse-selection.js';
import { findDefaultRole, findUsers, passwordTime, type StoredUser } from '../users/find-user.js';
import type { OperationContext, Services } from '../services.js';
import { logInAs, type LogIn } from '../users/present-user.js';
import { isNameTaken, whileReserved } from '../users/taken-names.js';
import { asApplicationError } from '../users/write-users.js';
import { nextSecond } from '../auth/jwt.js';
import { proveAtLogIn, refuseBlocked, refusedLogIn } from '../auth/login.js';
import { uids } from '../uids.js';
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
  { address, forgive, entryForm, message }: Pick<OperationContext, 'address' | 'forgive' | 'entryForm' | 'message'>,
): Promise<LogIn> {
  const hasToken = typeof token === 'string' && token !== '';
  // In Strapi v4, passwords are a provider with this name: it is enabled, but no token is one of its.
  const isEnabled = name === 'email' && services.settings.passwords;
  if (isEnabled && !hasToken) throw new AppError('incompleteLogIn', 'No access_token.');
  const { provider, exchange } = findProvider(services.providers, name);
  if (!hasToken) throw new AppError('incompleteLogIn', 'No access_token.');
  const redeemed = await services.providers.codes.redeem(provider, token, message?.headers.cookie);
  if (redeemed === undefined && (!provider.acceptAccessTokens || looksLikeCode(token)))
    throw await refusedLogIn(services, undefined, new AppError('incompleteLogIn', 'Invalid access_token.'));
  const profile = redeemed ?? (await fetchProfile(provider, exchange, token));
  const role = provider.roles && (await findClaimedRole(services, profile));
  const user = await findOrRegister(services, profile, role);
  await forgive?.();
  await refuseBlocked(services, user);
  if (role !== undefined) await giveRole(services, user, role);
  // A provider says nothing about its own factors, and its address takes no code.
  await proveAtLogIn(services, user, {}, { address });
  return logInAs(services, user, { entryForm, message }, { first: 'provider', provider: provider.name });
}

/**
 * The id of the role that the claims of a user give. Without one the login is refused, and earlier tokens of the user
 * end, because they are of claims that are gone.
 * @throws AppError application
 */
async function findClaimedRole(services: Services, profile: Profile): Promise<number> {
  const { provider, role: type } = profile;
  const { entries, log } = services.context;
  const role = type && (await entries.findFirst(uids.role, { filters: { type }, fields: ['id'] }));
  if (role) return role.id;
  if (type) log.warn(`The table of roles of the provider ${provider} names a role that is not there: ${type}`);
  const user = await findAccount(services, profile);
  if (user !== undefined) await entries.update(uids.user, user.id, { passwordChangedAt: nextSecond().toISOString() });
  throw await refusedLogIn(services, user, new AppError('noRole'));
}

async function giveRole({ context: { entries } }: Services, user: Entry, role: number): Promise<void> {
  const filters = { id: user.id, role: { id: role } };
  if ((await entries.findFirst(uids.user, { filters, fields: ['id'] })) === undefined)
    await entries.update(uids.user, user.id, { role });
}

/** What is stored of the subject of a person; null: the provider names none. */
const storedSubject = ({ provider, subject }: Profile): string | null =>
  subject === undefined ? null : `${provider} ${subject}`;

/**
 * The account of a person at a provider; undefined: there is none yet. A subject is one person's for ever, and an
 * address can be given to another, so it counts only where the account has no subject.
 * @throws AppError application for the address of another person's account
 */
async function findAccount(services: Services, profile: Profile): Promise<StoredUser | undefined> {
  const { provider, email } = profile;
  const providerSubject = storedSubject(profile);
  const [known] = providerSubject === null ? [] : await findUsers(services, { providerSubject });
  if (known !== undefined) return known;
  const [user] = await findUsers(services, { email, provider });
  if (user === undefined || user['providerSubject'] === null) return user;
  const refusal = new AppError('application', 'This address belongs to the account of another person');
  throw await refusedLogIn(services, user, refusal);
}

/** Only a user who has logged in with the same provider before is the same person: an address alone proves nothing. */
async function findOrRegister(services: Services, profile: Profile, claimed: number | undefined): Promise<Entry> {
  const { provider, email } = profile;
  const { settings, context, userType } = services;
  const providerSubject = storedSubject(profile);
  const existing = await findAccount(services, profile);
  if (existing !== undefined) {
    // It is of before accounts had one.
    if (existing['providerSubject'] !== providerSubject)
      await context.entries.update(uids.user, existing.id, { providerSubject });
    return existing;
  }
  // A table of roles says who may have an account.
  if (claimed === undefined && !settings.allowRegister)
    throw await refusedLogIn(services, undefined, new AppError('noRegistration'));
  const role = claimed ?? (await findDefaultRole(services));
  return whileReserved(services, [profile.username, email], async () => {
    const users = await findUsers(services, { email });
    // The user may have sent two concurrent requests.
    const isSame = (user: Entry): boolean =>
      user['provider'] === provider && user['providerSubject'] === providerSubject;
    const faster = users.find(isSame);
    if (faster !== undefined) return faster;
    if (users.length > 0 && settings.uniqueEmail)
      throw await refusedLogIn(services, users[0], new AppError('addressTaken'));
    const username = await freeName(services, profile.username.slice(0, MAX_LENGTH));
    const data = { username, email, provider, providerSubject, role, confirmed: true };
    const request = {
      caller: system,
      presenter: plainEntry,
      selection: parseSelection({}, userType, 'internal', context.limits),
      // As in Strapi v4.
      event: 'none',
    } as const;
    const created = (await context.documents.create(userType, data, request).catch(asApplicationError)) as Entry;
    return { ...created, ...(await passwordTime(services, created.id)) };
  });
}

const MIN_LENGTH = 3;
const MAX_LENGTH = 200;

/** The name from the provider, or a similar one that is not taken. */
async function freeName(services: Services, name: string): Promise<string> {
  const free = name.length >= MIN_LENGTH && !(await isNameTaken(services, name));
  return free ? name : `${name}-${randomBytes(4).toString('hex')}`;
}
