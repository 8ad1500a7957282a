import type { Caller } from '../documents/caller.js';
import type { GraphqlState } from '../plugins/contract/graphql/parts.js';

/** Strapi v4's `state` for project code: a copy of the caller's data, made on first access. */
export function strapiState({ kind, user, credentials, may }: Caller): GraphqlState {
  let copy: GraphqlState['auth']['credentials'] | undefined;
  const credentialsCopy = (): GraphqlState['auth']['credentials'] => {
    copy ??= (structuredClone(credentials) ?? null) as GraphqlState['auth']['credentials'];
    return copy ?? (user === undefined ? null : { id: user });
  };
  return {
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
}
