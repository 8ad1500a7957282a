import type { ContentType } from '../../content-types/model/types.js';
import type { PluginContext, PluginFactory, Credentials } from '../contract/plugin.js';
import { createDeclaredRules } from '../contract/access/access.js';
import { rightsOf } from '../contract/access/rule.js';
import { createStarted } from '../contract/started.js';
import { createDistributedLock } from '../contract/distributed-lock.js';
import { applyRoles, createFirstRoles } from './roles/apply-roles.js';
import { createHashCode } from './auth/hash-code.js';
import { inviteFirstUser } from './auth/first-user.js';
import { countAttempts } from './auth/attempts.js';
import { createBackgroundTasks } from './auth/background-tasks.js';
import { defineTypes } from './definitions.js';
import type { Services } from './context.js';
import { createUserCache } from './auth/user-cache.js';
import { prepareUser } from './users/prepare-user.js';
import { openProviders } from './providers/providers.js';
import { roleCommands } from './roles/role-commands.js';
import { createRoutes } from './routes.js';
import { parseSettings, type Settings } from './settings.js';
import { uids } from './uids.js';
import { userCommands } from './users/user-commands.js';
import { createJsonWebTokens } from './auth/jwt.js';
import type { Caller } from '../../documents/caller.js';
import { AppError } from '../../errors/app-error.js';

/** Actions that roles of Strapi v4 know, of parts of it that are not here. */
const otherActions = [
  'plugin::content-type-builder.components.getComponents',
  'plugin::content-type-builder.components.getComponent',
  'plugin::content-type-builder.content-types.getContentTypes',
  'plugin::content-type-builder.content-types.getContentType',
  'plugin::email.email.send',
];

/** Other plugins may write before this one has started, but none of these. */
const isOurs = ({ uid }: ContentType): boolean => uid.startsWith('plugin::users-permissions.');

/** Users who log in with a password, their roles, and the permissions of each role. */
export const createUsersPermissions: PluginFactory = (config, _findProvider, tolerate) => {
  const settings = parseSettings(config, tolerate);
  const services = createStarted<Services>('users-permissions');
  return {
    name: 'users-permissions',
    contentTypes: defineTypes(settings),
    hooks: {
      prepare: (data, writing) => (isOurs(writing.type) ? prepareUser(services.get().hashCode)(data, writing) : data),
      after: ({ type }) => {
        if (isOurs(type)) services.get().users.clear(type.uid);
      },
    },
    start: async (context) => {
      services.set(makeParts(context, settings));
      await createFirstRoles(context.entries);
    },
    notices: () => inviteFirstUser(services.get()),
    stop: () => services.get().background.finish(),
    graphql: async () => (await import('./graphql.js')).createGraphql(services.get, settings),
    authenticate: (credentials) => authenticate(services.get(), credentials),
    routes: createRoutes(services.get),
    actions: () => otherActions,
    commands: [...roleCommands(services.get), ...userCommands(services.get)],
    applyAccess: async ({ roles }) => {
      const { rules, users } = services.get();
      rules.replace(new Map(roles.map((role) => [role.type, role])));
      users.clear();
      return applyRoles(roles, services.get());
    },
  };
};

function makeParts(context: PluginContext, settings: Settings): Services {
  const { registry, entries, log } = context;
  const { secrets } = context.settings;
  const { locks, rateLimits } = context.storage;
  const rules = createDeclaredRules();
  return {
    context,
    settings,
    userType: registry.contentTypes.get(uids.user) as ContentType,
    tokens: createJsonWebTokens(secrets.jwt, settings),
    users: createUserCache(entries, rules.userPaths),
    rules,
    attempts: countAttempts(rateLimits, settings.rateLimit),
    providers: openProviders(settings.providers, { ...context.settings, locks }),
    background: createBackgroundTasks(log),
    roleTurns: createDistributedLock('role', locks),
    nameLock: createDistributedLock('name', locks),
    hashCode: createHashCode(secrets.jwt),
  };
}

/**
 * Users by their JSON web token, and everybody without a token by the public role. Tokens of users that are gone,
 * blocked or have a new password are refused like forged ones.
 * @throws AppError unauthorized
 */
async function authenticate(
  { tokens, users, rules, settings }: Services,
  { token }: Credentials,
): Promise<Caller | undefined> {
  const now = new Date();
  if (token === undefined) {
    return { kind: 'public', ...rightsOf(await users.role('public'), rules.of('public'), { now, user: undefined }) };
  }
  const read = tokens.read(token);
  if (read === undefined) return undefined;
  const user = await users.user(read.id);
  if (user === undefined || user.blocked || read.issuedAt < user.tokensFrom) throw new AppError('unauthorized');
  if (settings.emailConfirmation && !user.confirmed) throw new AppError('unauthorized');
  const { role, roleType, profile, values } = user;
  const actions = role === undefined ? new Set<string>() : await users.role(role);
  const rights = rightsOf(actions, rules.of(roleType), { now, user: values });
  return { kind: 'user', ...rights, user: read.id, credentials: profile };
}
