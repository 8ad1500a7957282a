import { isRecord, type Data } from '../../../config/record.js';
import { AppError } from '../../../errors/app-error.js';

/** The discovery document of an OpenID provider. */
export interface OpenIdConfiguration {
  readonly authorize: string;
  readonly token: string;
  readonly userinfo: string;
  /** How the client authenticates with its secret. */
  readonly secretIn: 'body' | 'header';
}

/**
 * Discovers an OpenID provider.
 * Source: https://openid.net/specs/openid-connect-discovery-1_0.html
 * @throws AppError application when it does not answer, or names another issuer
 */
export async function discover(issuer: string): Promise<OpenIdConfiguration> {
  const metadata = await askProvider(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const fields = isRecord(metadata) ? metadata : {};
  const { issuer: named, authorization_endpoint, token_endpoint, userinfo_endpoint } = fields;
  const endpoints = [authorization_endpoint, token_endpoint, userinfo_endpoint].map(String);
  const [authorize = '', token = '', userinfo = ''] = endpoints;
  const usable = endpoints.every((url) => URL.canParse(url));
  if (named !== issuer || !usable) throw new AppError('application', 'The provider is not an OpenID provider');
  const methods = fields['token_endpoint_auth_methods_supported'];
  const secretIn = Array.isArray(methods) && methods.includes('client_secret_post') ? 'body' : 'header';
  return { authorize, token, userinfo, secretIn };
}

/** The time limit in milliseconds for a provider's response. */
const TIMEOUT_MS = 10_000;

/** Reads JSON from a provider. @throws AppError application if it does not respond, or refuses */
export async function askProvider(url: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const options = {
    // GitHub requires a `User-Agent`.
    headers: { accept: 'application/json', 'user-agent': 'content-service', ...headers },
    // A token must not be sent to another host by a redirect.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  } as const;
  try {
    const response = await fetch(url, options);
    if (response.ok) return await response.json();
  } catch {
    // Reported below: details of the provider's error are not for clients.
  }
  throw new AppError('silentProvider');
}

/**
 * Whether an id token is of this provider, was asked for by this client, is still valid, and about the person of the
 * profile. Its signature is not checked, because it comes directly from the provider over TLS.
 */
export const isAbout = (
  { iss, sub, exp, azp }: Data,
  { issuer, key }: { readonly issuer: string; readonly key: string },
  profile: unknown,
): boolean =>
  iss === issuer &&
  (azp === undefined || azp === key) &&
  Number(exp) * 1000 > Date.now() &&
  isRecord(profile) &&
  typeof sub === 'string' &&
  profile['sub'] === sub;

/** Characters of a subject. Source: https://openid.net/specs/openid-connect-core-1_0.html#IDToken */
const MAX_SUBJECT = 255;

/** The subject of a profile, by which the provider knows the person; undefined: it has none. */
export function subjectIn(profile: unknown): string | undefined {
  const subject = isRecord(profile) ? profile['sub'] : undefined;
  return typeof subject === 'string' && subject !== '' && subject.length <= MAX_SUBJECT ? subject : undefined;
}
