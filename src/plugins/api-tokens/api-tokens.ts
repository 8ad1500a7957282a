import { AppError } from '../../errors/app-error.js';
import type { PluginContext, PluginFactory } from '../contract/plugin.js';
import { createTtlCache } from '../contract/ttl-cache.js';
import { applyTokens } from './apply-tokens.js';
import { apiToken } from './definition.js';
import { hashKey } from './hash-key.js';
import { tokenCommands } from './token-commands.js';
import type { Caller } from '../../documents/caller.js';
import type { Entry } from '../../documents/entries.js';

const MAX_CACHED = 1000;

/** API tokens: programs that call the API with rights of their own. */
export const createApiTokens: PluginFactory = () => {
  let context: PluginContext;
  const tokens = createTtlCache(MAX_CACHED, async (accessKey: string) => {
    const found = await context.entries.findFirst(apiToken.uid, { filters: { accessKey } });
    return found && { caller: callerOf(found), expiresAt: found['expiresAt'] as Date | null };
  });
  return {
    name: 'api-tokens',
    contentTypes: [apiToken],
    hooks: {
      after: ({ type }) => {
        if (type.uid === apiToken.uid) tokens.clear();
      },
    },
    start: async (started) => {
      context = started;
    },
    commands: tokenCommands(() => context),
    applyAccess: (access) => applyTokens(access.tokens, context.entries, context.settings.secrets.apiTokenSalt),
    authenticate: async ({ token }) => {
      if (token === undefined) return undefined;
      // The time that looking a hash up takes reveals nothing: nobody can choose its beginning without knowing the salt.
      const found = await tokens.get(hashKey(token, context.settings.secrets.apiTokenSalt));
      const expired = found?.expiresAt && found.expiresAt.getTime() <= Date.now();
      if (expired) throw new AppError('unauthorized', 'Token expired');
      return found?.caller;
    },
  };
};

/** What a token may do, by its type. */
const rights: Readonly<Record<string, (action: string, permissions: ReadonlySet<unknown>) => boolean>> = {
  'full-access': () => true,
  'read-only': (action) => /\.find(?:One)?$/.test(action),
  custom: (action, permissions) => permissions.has(action),
};

function callerOf({ accessKey: _secret, ...token }: Entry): Caller {
  const permissions = new Set(token['permissions'] as readonly unknown[] | null);
  const isAllowed = rights[String(token['type'])];
  return { kind: 'token', may: (action) => isAllowed?.(action, permissions) === true, credentials: token };
}
