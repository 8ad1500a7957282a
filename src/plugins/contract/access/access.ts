import type { Rules } from './rule.js';

/** The permissions declared in `access.json`, complete and validated. */
export interface Access {
  readonly roles: readonly RoleAccess[];
  readonly tokens: readonly TokenAccess[];
  readonly locales: readonly LocaleAccess[];
}

/** The roles and tokens, by their paths in the file. */
export const subjectsOf = ({ roles, tokens }: Access): readonly (readonly [path: string, Permissions])[] => [
  ...roles.map((role) => [`roles.${role.type}`, role] as const),
  ...tokens.map((token) => [`tokens.${token.name}`, token] as const),
];

/** The content type of `api::article.article.find`. */
export const uidOfAction = (action: string): string => action.slice(0, action.lastIndexOf('.'));

/** The permissions of a role or token. */
export interface Permissions {
  /** Exactly these actions. */
  readonly permissions: readonly string[];
  /** Rules that limit some of the actions; undefined: none. */
  readonly rules?: Rules;
  /** The paths of a user to populate for the variables of the rules, e.g. `company`. */
  readonly userPaths?: readonly string[];
}

/** A role of users. Roles that are not declared are unchanged. */
export interface RoleAccess extends Permissions {
  /** Its name in the code, e.g. `public`. */
  readonly type: string;
  /** Its display name; undefined: unchanged, or derived from the type. */
  readonly name: string | undefined;
  readonly description: string | undefined;
}

/** An API token; only custom tokens have a list of permissions. */
export interface TokenAccess extends Permissions {
  readonly name: string;
  readonly description: string | undefined;
  readonly type: 'full-access' | 'read-only' | 'custom';
  /** The key in plain text. */
  readonly key: string;
  readonly expiresAt: Date | undefined;
}

/** A language of localized entries. */
export interface LocaleAccess {
  readonly code: string;
  readonly name: string | undefined;
  readonly isDefault: boolean;
}

/** The rules that are in force in this process, by role or token. */
export function createDeclaredRules() {
  const permissions = new Map<string, Permissions>();
  return {
    of: (name: string | undefined): Rules | undefined =>
      name === undefined ? undefined : permissions.get(name)?.rules,
    /** Whether no role or token has a rule. */
    isEmpty: (): boolean => [...permissions.values()].every(({ rules }) => rules === undefined),
    /** The paths of a user that the rules use. */
    userPaths: (): readonly string[] => [
      ...new Set([...permissions.values()].flatMap(({ userPaths = [] }) => userPaths)),
    ],
    /** Replaces the rules of these roles or tokens; others keep theirs. */
    replace: (declared: ReadonlyMap<string, Permissions>): void => {
      for (const [name, permission] of declared) permissions.set(name, permission);
    },
  };
}

export type DeclaredRules = ReturnType<typeof createDeclaredRules>;
