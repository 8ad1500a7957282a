import type { Context } from 'koa';
import { authenticatedIn, type CodeAuth } from '../../plugins/contract/code-state.js';
import { StartError } from '../../errors/start-error.js';
import { withAbsent } from '../absent-members.js';
import { markGuarded } from './guarded-members.js';
import type { KeepsOwn } from './guards.js';
import type { Named, StrapiLog } from '../strapi.js';
import { errors } from '../utilities/errors.js';

/** An authentication strategy of project code, by Strapi v4's contract. */
export interface Strategy {
  readonly name?: string;
  authenticate(context: Context): unknown;
  /** Checks that the caller may use `config.scope`; without it the caller may use everything. @throws to refuse */
  verify?(auth: Named, config: Named): unknown;
}

/** `ctx.state.auth`, over REST and GraphQL. */
interface Authenticated extends CodeAuth {
  readonly strategy: Partial<Strategy>;
  readonly credentials: Named | null;
  readonly ability: { can(action: string): boolean };
}

/** The strategies of the service. */
export const ownStrategies: Readonly<Record<'token' | 'user', string>> = {
  token: 'api-token',
  user: 'users-permissions',
};

/**
 * `strapi.auth.verify`: checks that the caller has the permissions of `scope`; without a scope, that it is a user or a
 * full-access token. A strategy of project code decides for its callers.
 * @throws UnauthorizedError, ForbiddenError, and what a strategy throws
 */
export async function verify(
  auth: Authenticated | null | undefined,
  config: false | { readonly scope?: string | readonly string[] } = {},
): Promise<void> {
  if (config === false) return;
  if (!auth) throw new errors.UnauthorizedError();
  const { strategy, credentials, ability } = auth;
  const caller = authenticatedIn(auth);
  if (typeof strategy.verify === 'function') return void (await strategy.verify(auth, config));
  if (caller?.kind === 'strategy') return;
  const { scope } = config;
  if (scope !== undefined) {
    if (![scope].flat().every((action) => ability.can(action))) throw new errors.ForbiddenError();
    return;
  }
  if (credentials === null) throw new errors.UnauthorizedError();
  if (caller?.kind === 'token' && credentials['type'] !== 'full-access') throw new errors.ForbiddenError();
}

/** Whether it has the name of a strategy of the service. */
const isOwn = (strategy: unknown): boolean =>
  Object.values(ownStrategies).includes(String((strategy as Named | null)?.['name']));

/** @throws StartError for an object that is no strategy */
export function checkStrategy(strategy: unknown): asserts strategy is Strategy {
  const { authenticate, verify: own } = (strategy ?? {}) as Named;
  if (typeof authenticate !== 'function' || (own !== undefined && typeof own !== 'function')) {
    throw new StartError(
      'Invalid auth strategy. Expecting an object with properties {name: string, authenticate: function, verify: function}',
    );
  }
}

interface CreatedAuth {
  readonly auth: object;
  readonly strategies: readonly Strategy[];
}

/** `strapi.auth`, and the strategies that code registers for the content API. */
export function createAuth(log: StrapiLog, keepsOwn: KeepsOwn): CreatedAuth {
  const strategies: Strategy[] = [];
  const auth: object = withAbsent('strapi.auth', {
    // Each project has its own, which is marked.
    verify: (state: Parameters<typeof verify>[0], config: Parameters<typeof verify>[1] = {}) => verify(state, config),
    register: (type: string, strategy: unknown) => {
      checkStrategy(strategy);
      if (isOwn(strategy)) {
        keepsOwn('strategy');
        return auth;
      }
      const name = `the authentication strategy "${strategy.name}"`;
      if (type !== 'content-api') log.warn(`${name} has no effect: there is no API "${type}"`);
      else {
        strategies.push(strategy);
        if (strategy.verify === undefined)
          log.warn(`${name} has no verify: as in Strapi v4, its callers may use every route and action`);
      }
      return auth;
    },
  });
  return { auth: markGuarded('strapi.auth', auth), strategies };
}
