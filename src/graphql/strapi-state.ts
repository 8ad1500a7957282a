import type { Caller } from '../documents/caller.js';
import type { GraphqlState } from '../plugins/contract/graphql/parts.js';

/** What Strapi v4 tells owners' code of who asks; a copy, and only when it is looked at. */
export function strapiState({ kind, user, credentials, may }: Caller): GraphqlState {
  let copy: GraphqlState['auth']['credentials'] | undefined;
  const known = (): GraphqlState['auth']['credentials'] => {
    copy ??= (structuredClone(credentials) ?? null) as GraphqlState['auth']['credentials'];
    return copy ?? (user === undefined ? null : { id: user });
  };
  return {
    get user() {
      return kind === 'user' ? (known() ?? undefined) : undefined;
    },
    auth: {
      strategy: { name: kind === 'token' ? 'api-token' : 'users-permissions' },
      get credentials() {
        return known();
      },
      ability: { can: may },
    },
  };
}
