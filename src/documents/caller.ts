import type { Data } from '../config/record.js';
import type { Attribute } from '../content-types/model/types.js';
import type { Filter } from '../query/ast.js';
import type { Door, Origin } from '../query/receipt.js';

/** The sender of a request with its permissions, so that decisions need no further read. */
export interface Caller {
  /** `strategy`: a strategy of project code authenticated it. */
  readonly kind: 'public' | 'user' | 'token' | 'strategy' | 'system';
  /** Whether the action is allowed. Actions are named as in Strapi v4, e.g. `api::article.article.find`. */
  readonly may: (action: string) => boolean;
  /** It may do everything, also what no role can be granted. */
  readonly isUnlimited?: true;
  /** The entries that an action is limited to; undefined: all. Absent: no action is limited. */
  readonly where?: (action: string) => Filter | undefined;
  /**
   * The values that new entries always get, overriding the data, by action; undefined: none.
   * @throws AppError forbidden
   */
  readonly set?: (action: string) => Data | undefined;
  /** The attributes that an action may not read or write; undefined: none. Absent: there are none for any action. */
  readonly withheld?: (action: string) => ReadonlySet<Attribute> | undefined;
  /** Values of attributes that may not be written are dropped, not refused. */
  readonly dropsWithheld?: boolean;
  /** Text that stays the same as long as the permissions and rules are the same; absent: they never change. */
  readonly fingerprint?: () => string;
  /** Whether the rules that were asked for so far depend on the time. */
  readonly isTimed?: () => boolean;
  /** The id of a user. */
  readonly user?: number;
  /** The id of the session of a user, of which the request is one. */
  readonly session?: string;
  /** A user with their role, or a token, for project code: without secrets. */
  readonly credentials?: Readonly<Record<string, unknown>>;
  /** Distinguishes callers of strategies, which need no id. */
  readonly identity?: string;
  /** Where the request came from; absent: it is code of the service or the project. */
  readonly origin?: Origin;
}

/**
 * A caller whose request came by a door of its own, such as `v5`; one that is known to have come by another than REST
 * keeps that.
 */
export const through = (caller: Caller, door: Door): Caller =>
  caller.origin === undefined || caller.origin.door === 'rest'
    ? { ...caller, origin: { ...caller.origin, door } }
    : caller;

/** Whether rules limit some of what the caller may do. */
export const hasRules = ({ where }: Caller): boolean => where !== undefined;

/** Permission checks and their results. */
export type CheckedRights = ReadonlyMap<string, boolean>;

/** A caller with the same rights, and the permission checks that are made of it. */
export function observeRights(caller: Caller): { readonly observed: Caller; readonly rights: CheckedRights } {
  const rights = new Map<string, boolean>();
  const may = (action: string): boolean => {
    const allowed = caller.may(action);
    rights.set(action, allowed);
    return allowed;
  };
  return { observed: { ...caller, may }, rights };
}

/** Whether checks of this caller have the same results. */
export function hasSameRights({ may }: Caller, rights: CheckedRights): boolean {
  for (const [action, allowed] of rights) if (may(action) !== allowed) return false;
  return true;
}

/** Internal code, which may do everything. */
export const system: Caller = { kind: 'system', may: () => true, isUnlimited: true };

/** A caller without credentials or permissions. */
export const anonymous: Caller = { kind: 'public', may: () => false };
