import { strictProxy } from '../../plugins/contract/strict-proxy.js';
import type { Named } from '../strapi.js';
import { errors } from '../utilities/errors.js';

/** `ctx.state.auth`, over REST and GraphQL. */
interface Authenticated {
  readonly strategy: { readonly name: string };
  readonly credentials: Named | null;
  readonly ability: { can(action: string): boolean };
}

/**
 * `strapi.auth.verify`: checks that the caller has the permissions of `scope`; without a scope, that it is a user or a full-access
 * token.
 * @throws UnauthorizedError, ForbiddenError
 */
async function verify(
  auth: Authenticated | null | undefined,
  config: false | { readonly scope?: string | readonly string[] } = {},
): Promise<void> {
  if (config === false) return;
  if (!auth) throw new errors.UnauthorizedError();
  const { strategy, credentials, ability } = auth;
  const { scope } = config;
  if (scope !== undefined) {
    if (![scope].flat().every((action) => ability.can(action))) throw new errors.ForbiddenError();
    return;
  }
  if (credentials === null) throw new errors.UnauthorizedError();
  if (strategy.name === 'api-token' && credentials['type'] !== 'full-access') throw new errors.ForbiddenError();
}

/** `strapi.auth`. */
export const createAuth = (): object => strictProxy('strapi.auth', { verify });
