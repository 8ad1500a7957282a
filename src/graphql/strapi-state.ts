import type { Caller } from '../documents/caller.js';
import type { GraphqlState } from '../plugins/contract/graphql/parts.js';

/**
 * Strapi v4's `state` for project code: a copy of the caller's data, made on first access.
 * @param state the state of the Koa context that it becomes a part of
 */
export function strapiState({ kind, user, credentials, may }: Caller, state: object = {}): GraphqlState {
  let copy: GraphqlState['auth']['credentials'] | undefined;
  const credentialsCopy = (): GraphqlState['auth']['credentials'] => {
    copy ??= (structuredClone(credentials) ?? null) as GraphqlState['auth']['credentials'];
    return copy ?? (user === undefined ? null : { id: user });
  };
  const described: GraphqlState = {
    get user() {
      return kind === 'user' ? (credentialsCopy() ?? undefined) : undefined;
    },
    auth: {
      strategy: { name: kind === 'token' ? 'api-token' : 'users-permissions' },
      get credentials() {
        return credentialsCopy();
      },
      ability: { can: may },
    },
  };
  return Object.defineProperties(state, Object.getOwnPropertyDescriptors(described)) as GraphqlState;
}
