/** Who may do what, as an owner declares it in `access.json`: complete, and checked against what there is. */
export interface Access {
  readonly roles: readonly RoleAccess[];
  readonly tokens: readonly TokenAccess[];
  readonly locales: readonly LocaleAccess[];
}

/** A role of users. Roles that are not declared stay as they are. */
export interface RoleAccess {
  /** Its name in the code, e.g. `public`. */
  readonly type: string;
  /** What people call it; undefined: as it is, or made from the type. */
  readonly name: string | undefined;
  readonly description: string | undefined;
  /** Exactly what it may do. */
  readonly permissions: readonly string[];
}

/** An API token. */
export interface TokenAccess {
  readonly name: string;
  readonly description: string | undefined;
  readonly type: 'full-access' | 'read-only' | 'custom';
  /** Of a custom token: exactly what it may do. */
  readonly permissions: readonly string[];
  /** What a client sends, in clear. */
  readonly key: string;
  readonly expiresAt: Date | undefined;
}

/** A language of localized entries. */
export interface LocaleAccess {
  readonly code: string;
  readonly name: string | undefined;
  readonly isDefault: boolean;
}
