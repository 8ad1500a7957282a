import { nobody, type Caller } from './documents/caller.js';
import { AppError } from './errors/app-error.js';
import type { Credentials, Plugin } from './plugins/plugin.js';

/**
 * Asks the plugins, in order, who sends a request: the first that knows decides. Credentials that nobody knows are
 * refused; who has none, and is known to nobody, may do nothing.
 * @throws AppError unauthorized
 */
export function authenticateWith(plugins: readonly Plugin[]): (credentials: Credentials) => Promise<Caller> {
  const known = plugins.flatMap(({ authenticate }) => authenticate ?? []);
  return async (credentials) => {
    for (const authenticate of known) {
      const caller = await authenticate(credentials);
      if (caller !== undefined) return caller;
    }
    if (credentials.token !== undefined) throw new AppError('unauthorized');
    return nobody;
  };
}
