import { isRecord } from '../../../config/record.js';
import { AppError } from '../../../errors/app-error.js';
import type { Reply, RouteRequest } from '../../contract/plugin.js';
import type { Services } from '../services.js';
import { claimedRole } from './claimed-role.js';
import { askProvider, isAbout, subjectIn } from './open-id.js';
import type { Exchange } from './exchange.js';
import type { Provider } from './provider-settings.js';
import type { Settings } from '../settings.js';
import { readProfile, type Profile } from './read-profile.js';

/**
 * Redirects the browser to a provider. The page that it finally returns to is the configured one, or another of
 * the same site, given as `callback`, or one that `callback.validate` of the settings accepts.
 * @throws AppError application, invalidValue
 */
export async function connect({ providers, settings }: Services, { params, query }: RouteRequest): Promise<Reply> {
  const { provider, exchange } = findProvider(providers, params['provider']);
  const callback = await allowedPage(query['callback'], provider, settings);
  if (callback === undefined && query['callback'] !== undefined) {
    throw new AppError('invalidValue', 'Invalid callback URL provided');
  }
  const { location, cookie } = await exchange.begin(callback);
  return redirectTo(location, [cookie]);
}

/** Handles the callback of a provider: redirects to the front end, with a code for logging in, or with an error. */
export async function handleCallback(
  { providers, context, settings }: Services,
  { params, message }: RouteRequest,
): Promise<Reply> {
  const { provider, exchange } = findProvider(providers, params['provider']);
  const [, query = ''] = message.url?.split(/\?(.*)/s) ?? [];
  const { response, callback, cookie } = await exchange.finish(query, message.headers.cookie);
  const page = new URL((await allowedPage(callback, provider, settings)) ?? provider.callback);
  const cookies = [cookie];
  try {
    if (response?.error !== undefined || !response?.access_token) throw refusal(response?.error);
    const profile = await fetchProfile(
      provider,
      exchange,
      response.access_token,
      response.jwt?.id_token?.payload ?? {},
    );
    const issued = await providers.codes.issue(profile);
    cookies.push(issued.cookie);
    page.searchParams.set('access_token', issued.code);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    context.log.info(`Login with ${provider.name} failed: ${error.message}`);
    page.searchParams.set('error', error.message);
  }
  return redirectTo(page.href, cookies);
}

/**
 * Reads the profile for a provider's access token.
 * @param idToken the accompanying id token; undefined for a token that the front end obtained itself
 * @throws AppError application
 */
export async function fetchProfile(
  { name, key, subdomain = '', issuer, roles, profile }: Provider,
  exchange: Exchange,
  accessToken: string,
  idToken?: Readonly<Record<string, unknown>>,
): Promise<Profile> {
  const configuration = await exchange.configuration();
  const url = configuration?.userinfo ?? profile.url.replace('[subdomain]', subdomain);
  // Twitch requires the client id.
  const headers = { authorization: `Bearer ${accessToken}`, 'client-id': key };
  const profileResponse = await askProvider(url, headers);
  if (issuer !== undefined && idToken !== undefined && !isAbout(idToken, { issuer, key }, profileResponse)) {
    throw new AppError('application', 'The provider did not return a valid id token');
  }
  const needsAddresses = profile.addresses !== undefined && !(isRecord(profileResponse) && profileResponse['email']);
  const addresses = needsAddresses ? await askProvider(profile.addresses, headers) : [];
  const read = {
    ...readProfile(name, profileResponse, profile, addresses),
    ...(issuer !== undefined && { subject: subjectIn(profileResponse) }),
  };
  if (roles === undefined) return read;
  const claims = { ...idToken, ...(isRecord(profileResponse) && profileResponse) };
  // Where a login gives rights, silence about the address is not enough: people can often enter any.
  if (![true, 'true'].some((yes) => yes === claims['email_verified'])) {
    throw new AppError('application', 'Email is not verified.');
  }
  return { ...read, role: claimedRole(roles, claims) };
}

/** @throws AppError application for a provider that is unknown or disabled */
export function findProvider(
  { byName }: Services['providers'],
  name: string | undefined,
): { readonly provider: Provider; readonly exchange: Exchange } {
  const provider = byName.get(name ?? '');
  if (provider === undefined) throw new AppError('application', 'This provider is disabled');
  return provider;
}

/** The page if the browser can return to it, otherwise undefined. */
async function allowedPage(
  page: unknown,
  provider: Provider,
  { callback }: Pick<Settings, 'callback'>,
): Promise<string | undefined> {
  if (typeof page !== 'string' || !URL.canParse(page)) return undefined;
  if (callback === undefined) {
    const [asked, own] = [new URL(page), new URL(provider.callback)];
    // The origin of `blob:https://…` is that of the site, too.
    return asked.origin === own.origin && asked.protocol === own.protocol ? page : undefined;
  }
  try {
    await callback.validate(page, provider);
    return page;
  } catch {
    return undefined;
  }
}

/** The provider's error code if it is a short word, such as `access_denied`. */
function refusal(error: unknown): AppError {
  const word = isRecord(error) ? error['error'] : error;
  const isReadable = typeof word === 'string' && /^[\w .:]{1,80}$/.test(word);
  return new AppError('application', isReadable ? word : 'The provider refused');
}

const redirectTo = (Location: string, cookies: readonly string[]): Reply => ({
  status: 302,
  headers: { Location, 'Set-Cookie': cookies },
  body: undefined,
  text: 'Redirecting.',
});
