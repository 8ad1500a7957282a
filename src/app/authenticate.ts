import type { Socket } from 'node:net';
import type { Config } from '../config/config.js';
import { anonymous, type Caller } from '../documents/caller.js';
import { authorOf } from '../documents/write/sign-write.js';
import { AppError } from '../errors/app-error.js';
import type { Logger } from '../errors/logger.js';
import type { Signatures } from '../mongo/write/signatures.js';
import type { BuiltInPlugin } from '../plugins/contract/built-in.js';
import type { Credentials, Request } from '../plugins/contract/plugin.js';
import type { Authenticate } from '../plugins/contract/plugin-context.js';
import { requestIdOf } from '../rest/request-id.js';
import type { Door, Origin } from '../query/receipt.js';
import type { openStrategies } from '../strapi/serve-project.js';

/**
 * Lets the plugins identify the caller of a request; the first that succeeds decides. Strategies of project code
 * follow, as in Strapi v4: for credentials that no plugin accepts, and for requests without credentials if the public
 * has no permissions. Credentials that nobody accepts are refused, by default also those of another scheme; a request
 * without credentials that nobody identifies has no permissions. The data of plugins is refreshed first.
 * @param actions every action that can be granted
 * @throws AppError unauthorized, unavailable
 */
export function createAuthenticator(
  plugins: readonly BuiltInPlugin[],
  actions: readonly string[],
  {
    config: { environment, http },
    log,
    strategies,
    sign,
  }: {
    readonly config: Pick<Config, 'environment' | 'http'>;
    readonly log: Pick<Logger, 'warn'>;
    readonly strategies?: ReturnType<typeof openStrategies> | undefined;
    /** Notes who sends the request that runs. */
    readonly sign?: Signatures['sign'] | undefined;
  },
): Authenticate {
  const isRefused = http.unknownAuthorization === 'refuse';
  const authenticators = plugins.flatMap(({ authenticate }) => authenticate ?? []);
  const refreshers = plugins.flatMap(({ refresh }) => refresh ?? []);
  const identify = async (credentials: Credentials): Promise<Caller | undefined> => {
    for (const authenticate of authenticators) {
      const caller = await authenticate(credentials);
      if (caller !== undefined) return caller;
    }
    if (credentials.token === undefined) return anonymous;
    return undefined;
  };
  const isDecided = (caller: Caller | undefined): caller is Caller =>
    caller !== undefined && (strategies?.exist() !== true || caller.kind !== 'public' || actions.some(caller.may));
  const authenticate: Authenticate = async (request, response) => {
    for (const refresh of refreshers) await refresh();
    const reasons: (() => string)[] = [];
    const credentials = { ...credentialsOf(request.headers), explain: (reason: () => string) => reasons.push(reason) };
    const identified = await identify(credentials);
    const isUnknown = credentials.token === undefined && (request.headers.authorization ?? '') !== '';
    if (isUnknown && environment === 'development' && strategies?.exist() !== true)
      log.warn(`The header Authorization is ${isRefused ? 'refused' : 'ignored'}: it must be "Bearer <token>"`);
    const caller = isUnknown && isRefused && identified?.kind === 'public' ? undefined : identified;
    if (isDecided(caller)) return caller;
    const decided = (await strategies?.authenticate(request, response, actions)) ?? caller;
    if (decided !== undefined) return decided;
    throw new AppError('unauthorized').because(reasons.map((reason) => reason()).join('; ') || 'no Bearer token');
  };
  return async (request, response, door) => {
    const caller = await authenticate(request, response);
    const origin = originOf(request, response, door);
    sign?.({ by: authorOf(caller), origin });
    return { ...caller, origin };
  };
}

/** Where a request came from. A request of the service to itself comes from whoever makes it. */
function originOf(
  request: Pick<Request, 'socket'> & { readonly ip?: string },
  response: Parameters<typeof requestIdOf>[0],
  given: Door = 'rest',
): Origin {
  const { door = given } = request.socket as Socket & { readonly door?: string };
  const { ip: address } = request;
  const id = requestIdOf(response);
  return { door, ...(address !== undefined && { address }), ...(id !== '' && { request: id }) };
}

/** The credentials of a request: a bearer token, in the header only. */
function credentialsOf(headers: Credentials['headers']): Credentials {
  const [scheme = '', token, ...rest] = headers.authorization?.split(' ') ?? [];
  return { token: scheme.toLowerCase() === 'bearer' && rest.length === 0 ? token : undefined, headers };
}
