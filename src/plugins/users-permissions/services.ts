import type { Data } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { BuiltInContext } from '../contract/built-in.js';
import { createDeclaredRules } from '../contract/access/access.js';
import { createDistributedLock } from '../contract/distributed-lock.js';
import type { EntryForm } from '../contract/entry-form.js';
import type { RouteRequest } from '../contract/plugin.js';
import { countAttempts } from './auth/attempts.js';
import { createBackgroundTasks } from './auth/background-tasks.js';
import { createHashCode } from './auth/hash-code.js';
import { createJsonWebTokens } from './auth/jwt.js';
import { createChallenges } from './factor/challenges.js';
import { openPasskeys } from './factor/passkeys.js';
import { createSeal } from './factor/seal.js';
import { createUserCache } from './auth/user-cache.js';
import { openProviders } from './providers/providers.js';
import type { Settings } from './settings.js';
import { uids } from './uids.js';

/** What the operations need of the running service. */
export function createServices(context: BuiltInContext, settings: Settings) {
  const { secrets } = context.settings;
  const { locks, rateLimits } = context.storage;
  const rules = createDeclaredRules();
  return {
    context,
    settings,
    userType: context.registry.contentTypes.get(uids.user) as ContentType,
    tokens: createJsonWebTokens(secrets.jwt, settings, context.auth.code),
    users: createUserCache(context.entries, rules, context.auth.draftRules),
    /** The rules that limit permissions of roles, by the type of the role. */
    rules,
    attempts: countAttempts(rateLimits, settings.rateLimit),
    providers: openProviders(settings.providers, { ...context.settings, locks }),
    background: createBackgroundTasks(context.log),
    /** Serializes changes of permissions, by the role's id. */
    roleTurns: createDistributedLock('role', locks),
    /** Serializes writes of names and addresses of users. */
    nameLock: createDistributedLock('name', locks),
    /** The stored form of a one-time code. */
    hashCode: createHashCode(secrets.jwt),
    /** Second factors on devices of users. */
    passkeys: openPasskeys(context.settings.publicUrl, createChallenges(secrets.jwt, locks)),
    /** Texts that have to be read again. */
    seal: createSeal(secrets.jwt),
  };
}

export type Services = ReturnType<typeof createServices>;

/**
 * What an operation knows of the request, whose address was counted before its input is read. Of a request by GraphQL
 * there is no form, because its fields say what is shown, and no message: its log-ins begin no sessions.
 */
export interface OperationContext extends Pick<RouteRequest, 'caller' | 'address' | 'forgive' | 'arrived'> {
  readonly message?: Pick<RouteRequest['message'], 'headers'> | undefined;
  readonly entryForm?: EntryForm | undefined;
}

/** An operation on an input of REST or GraphQL. Its result is the response. */
export type AccountOperation = (services: Services, input: Data, context: OperationContext) => Promise<unknown>;
