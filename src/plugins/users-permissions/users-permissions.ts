import type { ContentType } from '../../content-types/model/types.js';
import type { PluginContext, PluginFactory } from '../contract/plugin.js';
import { createDistributedLock } from '../contract/distributed-lock.js';
import { applyRoles } from './roles/apply-roles.js';
import { createHashCode } from './auth/hash-code.js';
import { countAttempts } from './auth/attempts.js';
import { authenticate } from './auth/authenticate.js';
import { createBackgroundTasks } from './auth/background-tasks.js';
import { defineTypes } from './definitions.js';
import { createFirstRoles } from './roles/first-roles.js';
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

/** Users who log in with a password, their roles, and what each role may do. */
export const createUsersPermissions: PluginFactory = (config) => {
  const settings = parseSettings(config);
  let services: Services;
  return {
    name: 'users-permissions',
    contentTypes: defineTypes(settings),
    hooks: {
      prepare: (data, writing) => (isOurs(writing.type) ? prepareUser(services.hashCode)(data, writing) : data),
      after: ({ type }) => {
        if (isOurs(type)) services.users.clear(type.uid);
      },
    },
    start: async (context) => {
      services = makeParts(context, settings);
      await createFirstRoles(context.entries);
    },
    stop: () => services.background.finish(),
    graphql: async () => (await import('./graphql.js')).createGraphql(() => services),
    authenticate: (credentials) => authenticate(services, credentials),
    routes: createRoutes(() => services),
    actions: () => otherActions,
    commands: [...roleCommands(() => services), ...userCommands(() => services)],
    applyAccess: ({ roles }) => applyRoles(roles, services),
  };
};

function makeParts(context: PluginContext, settings: Settings): Services {
  const { registry, entries, mailer, log } = context;
  const { publicUrl, secrets } = context.settings;
  const { locks, rateLimits } = context.storage;
  return {
    context,
    settings,
    userType: registry.contentTypes.get(uids.user) as ContentType,
    tokens: createJsonWebTokens(secrets.jwt, settings),
    users: createUserCache(entries),
    attempts: countAttempts(rateLimits, settings.rateLimit),
    mailer,
    providers: openProviders(settings.providers, { publicUrl, secrets, locks }),
    background: createBackgroundTasks(log),
    roleTurns: createDistributedLock('role', locks),
    nameLock: createDistributedLock('name', locks),
    hashCode: createHashCode(secrets.jwt),
  };
}
