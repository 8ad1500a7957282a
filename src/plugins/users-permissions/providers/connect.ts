import { isRecord } from '../../../config/record.js';
import { AppError } from '../../../errors/app-error.js';
import type { Reply, RouteRequest } from '../../contract/plugin.js';
import { refusedLogIn } from '../auth/login.js';
import { editorAddress, RETURNED } from '../editor-address.js';
import type { Services } from '../services.js';
import { claimedRole } from './claimed-role.js';
import { askProvider, isAbout, subjectIn } from './open-id.js';
import type { Exchange } from './exchange.js';
import type { Provider } from './provider-settings.js';
import { readProfile, type Profile } from './read-profile.js';

/**
 * Redirects the browser to a provider. The page that it finally returns to is the configured one, or another of
 * the same site, given as `callback`, or one that `callback.validate` of the settings accepts, or one of the editor.
 * @throws AppError application, invalidValue
 */
export async function connect(services: Services, { params, query }: RouteRequest): Promise<Reply> {
  const { provider, exchange } = findProvider(services.providers, params['provider']);
  const callback = await allowedPage(services, query['callback'], provider);
  if (callback === undefined && query['callback'] !== undefined) {
    throw new AppError('invalidValue', 'Invalid callback URL provided');
  }
  try {
    const { location, cookie } = await exchange.begin(callback);
    return redirectTo(location, [cookie]);
  } catch (error) {
    // Whoever has followed a link of the editor reads the reason there.
    if (!(error instanceof AppError) || callback === undefined || !isOfEditor(services, callback, provider))
      throw error;
    return leadBack(services, provider, callback, error);
  }
}

/**
 * Handles the callback of a provider: redirects to the front end, with a code for logging in, or with an error, which
 * is recorded and counted.
 * @throws AppError application, tooManyRequests
 */
export async function handleCallback(services: Services, request: RouteRequest): Promise<Reply> {
  const { params, message, forgive } = request;
  const { provider, exchange } = findProvider(services.providers, params['provider']);
  const [, query = ''] = message.url?.split(/\?(.*)/s) ?? [];
  const { response, callback, cookie } = await exchange.finish(query, message.headers.cookie);
  const page = (await allowedPage(services, callback, provider)) ?? provider.callback;
  const outcome = await profileIn(provider, exchange, response).catch(async (error: unknown) =>
    refusedLogIn(services, undefined, asRefusal(error)),
  );
  if (outcome instanceof AppError) services.context.log.info(`Login with ${provider.name} failed: ${outcome.message}`);
  else await forgive?.();
  return leadBack(services, provider, page, outcome, [cookie]);
}

/** @throws AppError application */
async function profileIn(
  provider: Provider,
  exchange: Exchange,
  response: Awaited<ReturnType<Exchange['finish']>>['response'],
): Promise<Profile> {
  if (response?.error !== undefined || !response?.access_token) throw refusal(response?.error);
  return fetchProfile(provider, exchange, response.access_token, response.jwt?.id_token?.payload ?? {});
}

function asRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

/**
 * Leads to a page with the outcome of a log-in. A page of the editor finds in its address only that there is one: the
 * code is in a cookie that no script can read, so that it is in no log and no history.
 */
async function leadBack(
  services: Services,
  provider: Provider,
  address: string,
  outcome: Profile | AppError,
  cookies: readonly string[] = [],
): Promise<Reply> {
  const { codes } = services.providers;
  const page = new URL(address);
  if (isOfEditor(services, address, provider)) {
    const held = outcome instanceof AppError ? { provider: provider.name, refusal: outcome } : outcome;
    page.searchParams.set(RETURNED, provider.name);
    return redirectTo(page.href, [...cookies, await codes.issueCookie(held)]);
  }
  if (outcome instanceof AppError) {
    page.searchParams.set('error', outcome.message);
    return redirectTo(page.href, cookies);
  }
  const { code, cookie } = await codes.issue(outcome);
  page.searchParams.set('access_token', code);
  return redirectTo(page.href, [...cookies, cookie]);
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
    throw new AppError('incompleteLogIn', 'The provider did not return a valid id token');
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
    throw new AppError('unverifiedAddress');
  }
  return { ...read, role: claimedRole(roles, claims) };
}

/** @throws AppError application for a provider that is unknown or disabled */
export function findProvider(
  { byName }: Services['providers'],
  name: string | undefined,
): { readonly provider: Provider; readonly exchange: Exchange } {
  const provider = byName.get(name ?? '');
  if (provider === undefined) throw new AppError('disabledProvider');
  return provider;
}

/** The page if the browser can return to it, otherwise undefined. */
async function allowedPage(services: Services, page: unknown, provider: Provider): Promise<string | undefined> {
  if (typeof page !== 'string' || !URL.canParse(page)) return undefined;
  if (isOfEditor(services, page, provider)) return page;
  const { callback } = services.settings;
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

/** Whether it is a page of the editor, which shows only providers whose log-ins end in the browser that began them. */
function isOfEditor({ context }: Services, page: string, { sameBrowser }: Provider): boolean {
  const editor = sameBrowser ? editorAddress(context) : undefined;
  if (editor === undefined) return false;
  const { href } = new URL(page);
  return href === editor || ['/', '?', '#'].some((next) => href.startsWith(`${editor}${next}`));
}

/** The provider's error code if it is a short word, such as `access_denied`. */
function refusal(error: unknown): AppError {
  const word = isRecord(error) ? error['error'] : error;
  const isReadable = typeof word === 'string' && /^[\w .:]{1,80}$/.test(word);
  return new AppError('incompleteLogIn', isReadable ? word : 'The provider refused');
}

const redirectTo = (Location: string, cookies: readonly string[]): Reply => ({
  status: 302,
  headers: { Location, 'Set-Cookie': cookies },
  body: undefined,
  text: 'Redirecting.',
});
