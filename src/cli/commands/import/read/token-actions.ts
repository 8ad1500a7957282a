import type { LinkEnd } from '../source.js';

/** Collects the permissions of API tokens: Strapi stores them as separate entries, this service in the token. */
export interface TokenActions {
  entry(type: string, id: number, data: Readonly<Record<string, unknown>>): void;
  link(left: LinkEnd, right: LinkEnd): void;
  actions(): ReadonlyMap<number, readonly string[]>;
}

const PERMISSION = 'admin::api-token-permission';

export function gatherTokenActions(): TokenActions {
  const named = new Map<number, string>();
  const linked: { readonly token: number; readonly permission: number }[] = [];
  return {
    entry: (type, id, { action }) => {
      if (type === PERMISSION && typeof action === 'string') named.set(id, action);
    },
    link: (left, right) => {
      if (left.type === PERMISSION && left.field === 'token') linked.push({ token: right.id, permission: left.id });
    },
    actions: () => {
      const byToken = new Map<number, string[]>();
      for (const { token, permission } of linked) {
        const action = named.get(permission);
        const actions = byToken.get(token) ?? [];
        byToken.set(token, actions);
        if (action !== undefined) actions.push(action);
      }
      return byToken;
    },
  };
}
