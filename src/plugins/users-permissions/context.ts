import type { Caller } from '../../documents/caller.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Forgive, Mailer, PluginContext } from '../contract/plugin.js';
import type { DeclaredRules } from '../contract/access/access.js';
import type { DistributedLock } from '../contract/distributed-lock.js';
import type { Attempts } from './auth/attempts.js';
import type { Background } from './auth/background-tasks.js';
import type { UserCache } from './auth/user-cache.js';
import type { Providers } from './providers/providers.js';
import type { Settings } from './settings.js';
import type { WebTokens } from './auth/jwt.js';

/** The dependencies of the operations of this plugin. */
export interface Services {
  readonly context: PluginContext;
  readonly settings: Settings;
  readonly userType: ContentType;
  readonly tokens: WebTokens;
  readonly users: UserCache;
  /** The rules that limit permissions of roles, by the type of the role. */
  readonly rules: DeclaredRules;
  readonly attempts: Attempts;
  readonly mailer: Mailer;
  readonly providers: Providers;
  readonly background: Background;
  /** Serializes changes of permissions, by the role's id. */
  readonly roleTurns: DistributedLock;
  /** Serializes writes of names and addresses of users. */
  readonly nameLock: DistributedLock;
  /** The stored form of a one-time code. */
  readonly hashCode: (code: string) => string;
}

export interface OperationContext {
  readonly caller: Caller;
  /** The network address, for rate limits. */
  readonly address: string;
  /** Takes back that the operation was counted by its address, which happens before its input is read. */
  readonly forgive?: Forgive | undefined;
}
