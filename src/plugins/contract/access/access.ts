import type { Data } from '../../../config/record.js';
import type { Attribute, ContentType } from '../../../content-types/model/types.js';
import type { Caller } from '../../../documents/caller.js';
import { isOwnType } from '../../../documents/listings.js';
import { both, type Filter } from '../../../query/ast.js';

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
  /** Its users log in with a second factor, or not at all. */
  readonly secondFactor?: boolean | undefined;
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

type Declared = Permissions & Pick<RoleAccess, 'secondFactor'>;

/** The rules that are in force in this process, by role or token. */
export function createDeclaredRules() {
  const permissions = new Map<string, Declared>();
  return {
    of: (name: string | undefined): Rules | undefined =>
      name === undefined ? undefined : permissions.get(name)?.rules,
    /** Whether no role or token has a rule. */
    isEmpty: (): boolean => [...permissions.values()].every(({ rules }) => rules === undefined),
    /** The paths of a user that the rules use. */
    userPaths: (): readonly string[] => [
      ...new Set([...permissions.values()].flatMap(({ userPaths = [] }) => userPaths)),
    ],
    /** Whether users of a role must have a second factor. */
    needSecondFactor: (name: string | undefined): boolean =>
      name !== undefined && permissions.get(name)?.secondFactor === true,
    /** Whether those of any role must. */
    anyNeedsSecondFactor: (): boolean => [...permissions.values()].some(({ secondFactor }) => secondFactor === true),
    /** Replaces the rules of these roles or tokens; others keep theirs. */
    replace: (declared: ReadonlyMap<string, Declared>): void => {
      for (const [name, permission] of declared) permissions.set(name, permission);
    },
  };
}

export type DeclaredRules = ReturnType<typeof createDeclaredRules>;

export interface RequestValues {
  readonly now: Date;
  /** The user with what the rules need of them; undefined for callers that are not users. */
  readonly user: Readonly<Record<string, unknown>> | undefined;
}

/** A condition on entries, with variables. A comparison with a variable that has no value is neither true nor false. */
export type Condition = (values: RequestValues) => Filter;

/** The values of a new entry. @throws AppError forbidden if a variable has no value */
export type ImposedValues = (values: RequestValues) => Data;

/** The limits of an action, as declared in `access.json`. */
export interface Rule {
  /** The entries of `permissions`. */
  readonly declared?: readonly unknown[];
  /** The entries; undefined: all. */
  readonly where?: Condition | undefined;
  /** Values that new entries always get, overriding the data. */
  readonly set?: ImposedValues | undefined;
  /** The attributes that may not be read or written; undefined: none. */
  readonly withheld?: ReadonlySet<Attribute> | undefined;
  /** Values that may not be written are dropped, not refused. */
  readonly drops?: boolean;
}

/** The rules of a role or token, by action. */
export type Rules = ReadonlyMap<string, Rule>;

/**
 * How a permission with a rule is stored. A process that does not have the rule, because its `access.json` is another
 * one, does not grant the action.
 */
export const restricted = (action: string): string => `${action}.restricted`;

/** The action of a stored permission, with a rule or without. */
export const withoutRestriction = (stored: string): string => stored.replace(/\.restricted$/, '');

/**
 * By the permission to create or change drafts alone, and entries whose changes are prepared: the action with a rule,
 * by which it publishes nothing.
 */
export type DraftRules = ReadonlyMap<string, { readonly action: string; readonly rule: Rule }>;

/**
 * The permissions for drafts alone. They have names of their own, so that a process that does not know them does not
 * grant the actions.
 * @param isCore whether the service answers the action: code of the project would not follow the rule
 */
export const rulesOfDrafts = (
  types: Iterable<ContentType>,
  isCore: (type: ContentType, action: 'create' | 'update') => boolean = () => true,
): DraftRules =>
  new Map(
    [...types].filter(isOwnType).flatMap((type) => {
      const publishedAt = type.draftAndPublish ? type.attributes.get('publishedAt') : undefined;
      if (publishedAt === undefined) return [];
      // The entry of a single type is created by an update.
      const names = type.kind === 'singleType' ? (['update'] as const) : (['create', 'update'] as const);
      return names
        .filter((name) => isCore(type, name))
        .map((name) => {
          const action = `${type.uid}.${name}`;
          return [`${action}.drafts`, { action, rule: { withheld: new Set([publishedAt]) } }] as const;
        });
    }),
  );

/**
 * What permissions for drafts alone allow, as actions with a rule; whoever has the action itself may publish. Few have
 * any, and each request asks: then nothing is copied.
 */
export function grantDrafts<Action>(
  {
    permissions,
    rules = new Map() as Rules,
  }: { readonly permissions: ReadonlySet<Action | string>; readonly rules?: Rules | undefined },
  ofDrafts: DraftRules,
): { readonly permissions: ReadonlySet<Action | string>; readonly rules: Rules } {
  const granted: (readonly [action: string, rule: Rule])[] = [];
  for (const [permission, { action, rule }] of ofDrafts)
    if (permissions.has(permission) && !permissions.has(action) && !rules.has(action)) granted.push([action, rule]);
  if (granted.length === 0) return { permissions, rules };
  return {
    permissions: new Set([...permissions, ...granted.map(([action]) => action)]),
    rules: new Map([...rules, ...granted]),
  };
}

/** The stored permissions. */
export const storedActions = (permissions: readonly string[], rules: Rules = new Map()): readonly string[] =>
  permissions.map((action) => (rules.has(action) ? restricted(action) : action));

/** The permissions of a caller. */
export type Rights = Pick<
  Caller,
  'may' | 'isUnlimited' | 'where' | 'isTimed' | 'set' | 'withheld' | 'dropsWithheld' | 'fingerprint'
>;

/** The permissions of a caller with these stored actions. A rule applies no matter how its action was granted. */
export function rightsOf(
  held: ReadonlySet<unknown>,
  declared: Rules | undefined,
  values: RequestValues,
  ofDrafts: DraftRules,
): Rights {
  const { permissions: stored, rules } = grantDrafts({ permissions: held, rules: declared }, ofDrafts);
  const fingerprint = (): string => {
    const actions = [...stored].map(String).toSorted((a, b) => a.localeCompare(b));
    return JSON.stringify([actions, [...rules].map(([action, rule]) => [action, rule.declared])]);
  };
  if (rules.size === 0) return { may: (action) => stored.has(action), fingerprint };
  let isTimed = false;
  const observed: RequestValues = {
    user: values.user,
    get now() {
      isTimed = true;
      return values.now;
    },
  };
  const conditions = new Map<string, Filter | undefined>();
  const where = (action: string): Filter | undefined => {
    if (!conditions.has(action)) conditions.set(action, rules.get(action)?.where?.(observed));
    return conditions.get(action);
  };
  const all = [...rules.values()];
  return {
    may: (action) => stored.has(action) || (rules.has(action) && stored.has(restricted(action))),
    where,
    isTimed: () => isTimed,
    set: (action) => rules.get(action)?.set?.(values),
    fingerprint,
    ...(all.some(({ withheld }) => withheld !== undefined) && { withheld: (action) => rules.get(action)?.withheld }),
    dropsWithheld: all.some(({ drops }) => drops === true),
  };
}

/** The permissions of an API token, by its type; rules limit only custom tokens. */
export function tokenRights(
  { type, permissions }: { readonly type: unknown; readonly permissions: ReadonlySet<unknown> },
  rules: Rules | undefined,
  now: Date,
  ofDrafts: DraftRules,
): Rights {
  if (type === 'custom') return rightsOf(permissions, rules, { now, user: undefined }, ofDrafts);
  if (type === 'full-access') return { may: () => true, isUnlimited: true };
  if (type === 'read-only') return { may: (action) => /\.find(?:One)?$/.test(action) };
  return { may: () => false };
}

/** The conditions, all of which must hold. */
export const allOf =
  (conditions: readonly Condition[]): Condition =>
  (values) =>
    conditions.map((condition): Filter | undefined => condition(values)).reduce(both, undefined) ?? { kind: 'never' };

/** The conditions, one of which must hold. */
export const oneOf =
  (conditions: readonly Condition[]): Condition =>
  (values) => {
    const [first, ...others] = conditions.map((condition) => condition(values));
    if (first === undefined) return { kind: 'never' };
    return others.length === 0 ? first : { kind: 'or', filters: [first, ...others] };
  };
