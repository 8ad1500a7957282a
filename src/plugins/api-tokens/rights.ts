import type { Caller } from '../../documents/caller.js';
import type { Entry } from '../../documents/entries.js';

/** What a token may do, by its type. */
const rights: Readonly<Record<string, (action: string, permissions: ReadonlySet<unknown>) => boolean>> = {
  'full-access': () => true,
  'read-only': (action) => /\.find(?:One)?$/.test(action),
  custom: (action, permissions) => permissions.has(action),
};

export function callerOf({ accessKey: _secret, ...token }: Entry): Caller {
  const permissions = new Set(token['permissions'] as readonly unknown[] | null);
  const isAllowed = rights[String(token['type'])];
  return { kind: 'token', may: (action) => isAllowed?.(action, permissions) === true, credentials: token };
}
