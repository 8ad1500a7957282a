import type { ContentType } from '../../content-types/model/types.js';
import type { PluginContext, RouteRequest } from '../contract/plugin.js';
import type { DeclaredRules } from '../contract/access/access.js';
import type { DistributedLock } from '../contract/distributed-lock.js';
import type { Attempts } from './auth/attempts.js';
import type { Background } from './auth/background-tasks.js';
import type { UserCache } from './auth/user-cache.js';
import type { Providers } from './providers/providers.js';
import type { Settings } from './settings.js';
import type { WebTokens } from './auth/jwt.js';

export interface Services {
  readonly context: PluginContext;
  readonly settings: Settings;
  readonly userType: ContentType;
  readonly tokens: WebTokens;
  readonly users: UserCache;
  /** The rules that limit permissions of roles, by the type of the role. */
  readonly rules: DeclaredRules;
  readonly attempts: Attempts;
  readonly providers: Providers;
  readonly background: Background;
  /** Serializes changes of permissions, by the role's id. */
  readonly roleTurns: DistributedLock;
  /** Serializes writes of names and addresses of users. */
  readonly nameLock: DistributedLock;
  /** The stored form of a one-time code. */
  readonly hashCode: (code: string) => string;
}

/** What an operation knows of the request, whose address was counted before its input is read. */
export type OperationContext = Pick<RouteRequest, 'caller' | 'address' | 'forgive'>;
