import type { GrantConfig, GrantResponse } from 'grant';
import { AppError } from '../../../errors/app-error.js';
import { discover, type OpenIdConfiguration } from './open-id.js';
import type { Provider } from './provider-settings.js';

interface ExchangeSettings {
  /** Where clients reach this service. */
  readonly publicUrl: string;
  /** The path of the routes that lead to providers, `/api/connect`. */
  readonly prefix: string;
  /** Signs the cookie. */
  readonly secret: string;
}

/** The time limit in seconds for logging in at the provider. */
const LOGIN_SECONDS = 600;
const COOKIE = 'content-service-connect';
/** Maximum milliseconds of the provider's response. */
const TIMEOUT_MS = 10_000;

/** Grant's result in the form for serverless functions, where requests are data. */
interface Answer {
  readonly session: {
    get(): Promise<{
      readonly grant?: { readonly provider?: string; readonly dynamic?: { readonly callback?: unknown } };
    }>;
    remove(): Promise<void>;
    readonly headers: { readonly 'set-cookie': readonly string[] };
  };
  readonly redirect?: { readonly headers: { readonly location: string } };
  readonly response?: GrantResponse;
}

type Ask = (event: object) => Promise<Answer>;

/** The OAuth exchange with one provider: a signed cookie has its state, and for OpenID its nonce and code verifier. */
export function createExchange(provider: Provider, settings: ExchangeSettings) {
  const { name, issuer } = provider;
  let discovering: Promise<OpenIdConfiguration> | undefined;
  /** Undefined if it is not an OpenID provider. */
  const configuration = async (): Promise<OpenIdConfiguration | undefined> => {
    if (issuer === undefined) return undefined;
    discovering ??= discover(issuer).catch((error: unknown) => {
      // A failed discovery is retried.
      discovering = undefined;
      throw error;
    });
    return discovering;
  };
  const request = async (path: string, query: string, cookies?: string): Promise<Answer> => {
    // Loaded for the first login: most services have no providers.
    const { default: grant } = await import('grant');
    const handler = grant.default.aws(optionsFor(provider, await configuration(), settings)) as unknown as Ask;
    const event = { version: '2.0', rawPath: `${settings.prefix}/${path}`, rawQueryString: query };
    return handler({ ...event, requestContext: { http: { method: 'GET' } }, cookies: cookies ? [cookies] : [] });
  };
  return {
    configuration,
    /**
     * The URL of the provider, and the cookie that its callback requires.
     * @throws AppError application if it cannot be discovered
     */
    begin: async (callback: string | undefined) => {
      const query = callback === undefined ? '' : new URLSearchParams({ callback }).toString();
      const { redirect, session } = await request(name, query);
      if (redirect === undefined) throw new AppError('disabledProvider');
      return { location: redirect.headers.location, cookie: cookieOf(session) };
    },
    /**
     * The tokens and the requested `callback` page, if the callback belongs to a login of this browser, and the cookie
     * that ends it.
     * @param query the query of the provider's callback
     */
    finish: async (query: string, cookies: string | undefined) => {
      const { session, response } = await request(`${name}/callback`, query, cookies);
      const begun = (await session.get()).grant;
      await session.remove();
      const isOurs = begun?.provider === name;
      return {
        response: isOurs ? response : undefined,
        callback: isOurs ? begun.dynamic?.callback : undefined,
        cookie: cookieOf(session),
      };
    },
  };
}

export type Exchange = ReturnType<typeof createExchange>;

const cookieOf = ({ headers }: Answer['session']): string => headers['set-cookie'].at(-1) ?? '';

function optionsFor(
  { name, key, secret, scope, subdomain }: Provider,
  configuration: OpenIdConfiguration | undefined,
  settings: ExchangeSettings,
): GrantConfig {
  const { protocol, pathname } = new URL(settings.publicUrl);
  const openId = configuration !== undefined && {
    oauth: 2,
    authorize_url: configuration.authorize,
    access_url: configuration.token,
    scope_delimiter: ' ',
    nonce: true,
    pkce: true,
    ...(configuration.secretIn === 'header' && { token_endpoint_auth_method: 'client_secret_basic' }),
  };
  const ownSettings = { key, secret, scope: [...scope], ...(subdomain !== undefined && { subdomain }), ...openId };
  const cookie = {
    path: `${pathname.replace(/\/$/, '')}${settings.prefix}`,
    httpOnly: true,
    secure: protocol === 'https:',
    // The browser comes back from another site, by a link.
    sameSite: 'lax',
    maxAge: LOGIN_SECONDS,
  };
  const defaults = { origin: settings.publicUrl, prefix: settings.prefix, transport: 'state', state: true };
  return {
    config: { defaults: { ...defaults, response: ['tokens', 'jwt'] }, [name]: ownSettings },
    session: { name: COOKIE, secret: settings.secret, cookie },
    request: { timeout: TIMEOUT_MS },
  } as unknown as GrantConfig;
}
