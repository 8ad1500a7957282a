import { LRUCache } from 'lru-cache';
import type { Caller } from '../../documents/caller.js';
import type { PluginContext, PluginFactory } from '../plugin.js';
import { apiToken } from './definition.js';
import { hashKey } from './hash-key.js';
import { callerOf } from './rights.js';

/** Milliseconds for which a token is not looked up again; then a revoked one is refused everywhere. */
const REMEMBERED = 1000;
const MOST_REMEMBERED = 1000;

/** API tokens: programs that call the API with rights of their own. */
export const createApiTokens: PluginFactory = () => {
  const callers = new LRUCache<string, Caller>({ max: MOST_REMEMBERED, ttl: REMEMBERED });
  let context: PluginContext;
  return {
    name: 'api-tokens',
    contentTypes: [apiToken],
    start: async (started) => {
      context = started;
    },
    authenticate: async ({ token }) => {
      if (token === undefined) return undefined;
      const accessKey = hashKey(token, context.secrets.apiTokenSalt);
      const known = callers.get(accessKey);
      if (known !== undefined) return known;
      const found = await context.entries.findFirst(apiToken.uid, { filters: { accessKey } });
      const expiresAt = found?.['expiresAt'] as Date | null | undefined;
      if (found === undefined || (expiresAt && expiresAt.getTime() <= Date.now())) return undefined;
      const caller = callerOf(found);
      callers.set(accessKey, caller);
      return caller;
    },
  };
};
