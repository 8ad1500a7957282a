import { isDeepStrictEqual } from 'node:util';
import type { Data } from '../../config/record.js';
import { boolean } from '../../content-types/model/settings-schema.js';
import { AppError } from '../../errors/app-error.js';
import type { BuiltInContext, BuiltInFactory } from '../contract/built-in.js';
import type { Tolerate } from '../contract/plugin.js';
import { createDeclaredRules, type TokenAccess, storedActions, tokenRights } from '../contract/access/access.js';
import { readSettings } from '../contract/read-settings.js';
import { createStarted } from '../contract/started.js';
import { createTtlCache } from '../contract/ttl-cache.js';
import { apiToken, hashKey } from './definition.js';
import { createRoutes } from './routes.js';
import { tokenCommands } from './token-commands.js';
import type { Caller } from '../../documents/caller.js';
import type { Entries, Entry } from '../../documents/entries.js';

const MAX_CACHED = 1000;

/**
 * The settings of the plugins file: `{ routes: true }` lets users manage tokens over REST.
 * @param tolerate receives a line for each unknown setting, which is refused without it
 * @throws StartError with the cause
 */
export const parseSettings = (config: Data, tolerate?: Tolerate) =>
  readSettings('api-tokens', tolerate, ({ read }) => ({ routes: false, ...read(config, { routes: boolean }) }));

/** API tokens: programs that call the API with their own permissions. */
export const createApiTokens: BuiltInFactory = (settings, _findProvider, tolerate) => {
  const { routes } = parseSettings(settings, tolerate);
  const context = createStarted<BuiltInContext>('api-tokens');
  const rules = createDeclaredRules();
  const tokens = createTtlCache(MAX_CACHED, async (token: string) => {
    // The time of looking up a hash reveals nothing, because its prefix cannot be chosen without the salt.
    const accessKey = hashKey(token, context.get().settings.secrets.apiTokenSalt);
    const entry = await context.get().entries.findFirst(apiToken.uid, { filters: { accessKey } });
    if (entry === undefined) return undefined;
    return storedToken(entry);
  });
  const callerOf = ({ credentials, permissions }: StoredToken): Caller => {
    const { name, type } = credentials;
    const ofDrafts = context.get().auth.draftRules();
    const rights = tokenRights({ type, permissions }, rules.of(String(name)), new Date(), ofDrafts);
    return { kind: 'token', ...rights, credentials };
  };
  return {
    name: 'api-tokens',
    contentTypes: [apiToken],
    hooks: {
      afterWrite: ({ type }) => {
        if (type.uid === apiToken.uid) tokens.clear();
      },
    },
    routes: routes ? createRoutes(context.get) : [],
    start: async (started) => context.set(started),
    commands: tokenCommands(context.get),
    applyAccess: async (access) => {
      rules.replace(new Map(access.tokens.map((declared) => [declared.name, declared])));
      const { entries, settings } = context.get();
      return applyTokens(access.tokens, entries, settings.secrets.apiTokenSalt);
    },
    authenticate: async ({ token, explain }) => {
      if (token === undefined) return undefined;
      const stored = await tokens.get(token);
      if (stored === undefined) {
        explain?.(() => 'as the key of an API token: there is none with this key and this API_TOKEN_SALT');
        return undefined;
      }
      const { name, expiresAt } = stored.credentials;
      if (isExpired(stored))
        throw new AppError('unauthorized', 'Token expired').because(
          `the API token ${String(name)} expired at ${String(expiresAt)}`,
        );
      return callerOf(stored);
    },
    callerOf: async ({ kind, id }) => {
      const entry =
        kind === 'token' ? await context.get().entries.findFirst(apiToken.uid, { filters: { id } }) : undefined;
      return entry === undefined || isExpired(storedToken(entry)) ? undefined : callerOf(storedToken(entry));
    },
  };
};

/** A token without its key, and what it may do. */
const storedToken = ({ accessKey: _secret, ...credentials }: Entry) => ({
  credentials: credentials as Entry,
  permissions: new Set(credentials['permissions'] as readonly unknown[] | null),
});

type StoredToken = ReturnType<typeof storedToken>;

const isExpired = ({ credentials: { expiresAt } }: StoredToken): boolean =>
  typeof expiresAt === 'string' && Date.parse(expiresAt) <= Date.now();

/** Creates missing declared tokens, and updates those that differ. Returns a line for each. */
async function applyTokens(tokens: readonly TokenAccess[], entries: Entries, salt: string): Promise<readonly string[]> {
  const changes: string[] = [];
  for (const token of tokens) {
    const data = dataOf(token, salt);
    const stored = await entries.findFirst(apiToken.uid, { filters: { name: token.name } });
    const changed = Object.keys(data).filter((name) => !isDeepStrictEqual(stored?.[name] ?? null, data[name]));
    if (stored === undefined) {
      await entries.create(apiToken.uid, data);
      changes.push(`API token "${token.name}" created (${token.type})`);
    } else if (changed.length > 0) {
      await entries.update(apiToken.uid, stored.id, data);
      changes.push(`API token "${token.name}" changed: ${changed.join(', ')}`);
    }
  }
  return changes;
}

const dataOf = ({ key, expiresAt, description, name, type, permissions, rules }: TokenAccess, salt: string): Data => ({
  name,
  type,
  permissions: storedActions(permissions, rules),
  description: description ?? null,
  expiresAt: expiresAt?.toISOString() ?? null,
  accessKey: hashKey(key, salt),
});
