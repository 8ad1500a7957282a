import type { IncomingHttpHeaders } from 'node:http';
import { anonymous, type Caller } from '../documents/caller.js';
import { AppError } from '../errors/app-error.js';
import type { Credentials, Plugin } from '../plugins/contract/plugin.js';

/**
 * Lets the plugins identify the caller of a request; the first that succeeds decides. Credentials that no plugin
 * accepts are refused; a request without credentials that no plugin identifies has no permissions. The data of plugins is
 * refreshed first.
 * @throws AppError unauthorized, unavailable
 */
export function createAuthenticator(plugins: readonly Plugin[]): (headers: IncomingHttpHeaders) => Promise<Caller> {
  const authenticators = plugins.flatMap(({ authenticate }) => authenticate ?? []);
  const refreshers = plugins.flatMap(({ refresh }) => refresh ?? []);
  return async (headers) => {
    for (const refresh of refreshers) await refresh();
    const credentials = credentialsOf(headers);
    for (const authenticate of authenticators) {
      const caller = await authenticate(credentials);
      if (caller !== undefined) return caller;
    }
    if (credentials.token !== undefined) throw new AppError('unauthorized');
    return anonymous;
  };
}

/** The credentials of a request: a bearer token, in the header only. */
function credentialsOf(headers: IncomingHttpHeaders): Credentials {
  const [scheme = '', token, ...rest] = headers.authorization?.split(' ') ?? [];
  return { token: scheme.toLowerCase() === 'bearer' && rest.length === 0 ? token : undefined, headers };
}
