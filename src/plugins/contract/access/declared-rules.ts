import type { Permissions } from './access.js';
import type { Rules } from './rule.js';

/** The rules that are in force in this process, by role or token. */
export interface DeclaredRules {
  of(name: string | undefined): Rules | undefined;
  /** Whether no role or token has a rule. */
  isEmpty(): boolean;
  /** The paths of a user that the rules use. */
  userPaths(): readonly string[];
  /** Replaces the rules of these roles or tokens; others keep theirs. */
  replace(declared: ReadonlyMap<string, Permissions>): void;
}

export function createDeclaredRules(): DeclaredRules {
  const permissions = new Map<string, Permissions>();
  return {
    of: (name) => (name === undefined ? undefined : permissions.get(name)?.rules),
    isEmpty: () => [...permissions.values()].every(({ rules }) => rules === undefined),
    userPaths: () => [...new Set([...permissions.values()].flatMap(({ userPaths = [] }) => userPaths))],
    replace: (declared) => {
      for (const [name, permission] of declared) permissions.set(name, permission);
    },
  };
}
