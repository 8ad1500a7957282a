import { AppError } from '../../errors/app-error.js';
import type { PluginContext, PluginFactory } from '../contract/plugin.js';
import { createTtlCache } from '../contract/ttl-cache.js';
import { applyTokens } from './apply-tokens.js';
import { apiToken } from './definition.js';
import { hashKey } from './hash-key.js';
import { callerOf } from './rights.js';
import { tokenCommands } from './token-commands.js';

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
