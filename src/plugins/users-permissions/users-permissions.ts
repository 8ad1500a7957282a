import type { ContentType } from '../../content-types/model/types.js';
import type { BuiltInFactory } from '../contract/built-in.js';
import type { Credentials } from '../contract/plugin.js';
import { createStarted } from '../contract/started.js';
import { applyRoles, createFirstRoles } from './roles/apply-roles.js';
import { inviteFirstUser } from './auth/first-user.js';
import { needsFactor } from './factor/second-factor.js';
import { findUserOfToken } from './auth/user-of-token.js';
import { defineTypes } from './definitions.js';
import { createServices, type Services } from './services.js';
import { prepareUser } from './users/prepare-user.js';
import { roleCommands } from './roles/role-commands.js';
import { endClosedSessions, isOpen } from './sessions/session.js';
import { createRoutes } from './routes.js';
import { parseSettings, type Settings } from './settings.js';
import { uids } from './uids.js';
import { userCommands } from './users/user-commands.js';
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
export const createUsersPermissions: BuiltInFactory = (config, _findProvider, tolerate) => {
  const settings = parseSettings(config, tolerate);
  const services = createStarted<Services>('users-permissions');
  return {
    name: 'users-permissions',
    contentTypes: defineTypes(settings),
    logIns: {
      passwords: settings.passwords,
      providers: settings.providers
        .filter(({ sameBrowser }) => sameBrowser)
        .map(({ name, label }) => ({ name, label })),
    },
    hooks: {
      prepare: (data, writing) =>
        writing.type.uid === uids.user ? prepareUser(data, writing, services.get().hashCode) : data,
      afterWrite: async (written) => {
        const { type } = written;
        if (isOurs(type)) services.get().users.clear(type.uid);
        if (type.uid === uids.user) await endClosedSessions(services.get(), written);
      },
    },
    start: async (context) => {
      services.set(createServices(context, settings));
      await createFirstRoles(context.entries);
    },
    notices: () => inviteFirstUser(services.get()),
    stop: () => services.get().background.finish(),
    graphql: async () => (await import('./graphql.js')).createGraphql(services.get, settings),
    authenticate: (credentials) => authenticate(services.get(), credentials),
    callerOf: async ({ kind, id }) => {
      const user = kind === 'user' ? await findUserOfToken(services.get(), id) : undefined;
      return user === undefined || refusalOf(user, settings) !== undefined ? undefined : callerOf(services.get(), user);
    },
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

/**
 * Users by their JSON web token, and everybody without a token by the public role. Tokens of users that are gone,
 * blocked or have a new password, and of sessions that ended, are refused like forged ones.
 * @throws AppError unauthorized
 */
async function authenticate(services: Services, { token, explain }: Credentials): Promise<Caller | undefined> {
  const { tokens, users, settings } = services;
  if (token === undefined) return { kind: 'public', ...(await users.rights({ role: 'public', roleType: 'public' })) };
  const read = await tokens.read(token);
  if (read === undefined) {
    explain?.(() => tokens.explain(token));
    return undefined;
  }
  const user = await findUserOfToken(services, read.id);
  const refuse = (reason: string): never => {
    throw new AppError('unauthorized').because(`the user ${String(read.id)} of the token ${reason}`);
  };
  if (user === undefined) return refuse('does not exist');
  const refusal = refusalOf(user, settings);
  if (refusal !== undefined) refuse(refusal);
  if (!read.hasProved && needsFactor(services, user.hasFactor, user.roleType))
    refuse('was issued without the second factor that is set up, or that the role needs');
  if (read.session === undefined) {
    if (read.issuedAt < user.tokensFrom) refuse('has a new password since it was issued');
    return callerOf(services, user);
  }
  const session = (await services.context.storage.sessions.of(user.id)).find(({ id }) => id === read.session);
  // Not as code of the project finds the user: it can give another role for each request.
  if (session === undefined || !isOpen(session, await users.user(user.id))) return refuse('had a session that ended');
  return { ...(await callerOf(services, user)), session: session.id };
}

type User = NonNullable<Awaited<ReturnType<typeof findUserOfToken>>>;

/** Why a user may not log in; undefined: they may. */
function refusalOf({ blocked, confirmed }: User, { emailConfirmation }: Settings): string | undefined {
  if (blocked) return 'is blocked';
  return emailConfirmation && !confirmed ? 'has not confirmed the email address' : undefined;
}

const callerOf = async ({ users }: Services, user: User): Promise<Caller> => ({
  kind: 'user',
  ...(await users.rights(user)),
  user: user.id,
  credentials: user.profile,
});
