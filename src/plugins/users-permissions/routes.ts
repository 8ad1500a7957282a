import type { Reply, Route, RouteRequest } from '../contract/plugin.js';
import type { Attempt } from './auth/attempts.js';
import { confirmAddress, sendConfirmationAgain } from './auth/confirmation.js';
import { descriptions } from './describe-routes.js';
import { createFirstUser } from './auth/first-user.js';
import * as factor from './factor/operations.js';
import { addPasskey, beginPasskey, removePasskey, renamePasskey, showOwn } from './factor/own-passkeys.js';
import { logIn } from './auth/login.js';
import { inputOf, objectOf } from './users/parse-input.js';
import type { AccountOperation, Services } from './services.js';
import { handleCallback, connect } from './providers/connect.js';
import { logInWith } from './providers/log-in-with.js';
import { acceptInvitation, changePassword, forgotPassword, resetPassword } from './auth/passwords.js';
import { AppError } from '../../errors/app-error.js';
import { parseId } from '../../query/parse/input.js';
import { queryAfterDelete } from './users/present-user.js';
import { countUsers, listUsers, showMe, showUser } from './users/read-users.js';
import { register } from './auth/register.js';
import { createRole, deleteRole, listPermissions, listRoles, showRole, updateRole } from './roles/roles.js';
import { inviteUser } from './users/invite.js';
import { endOtherSessions, endSession, endSessionsOf, listSessions, logOut } from './sessions/operations.js';
import { createUser, deleteUser, updateUser } from './users/write-users.js';
import { refuseAll, type RefusedTerms } from '../contract/write-terms.js';

type Handle = (services: Services, request: RouteRequest) => Promise<Reply>;

/** An operation on the request body. */
const ofBody =
  (operation: AccountOperation): Handle =>
  async (services, request) => ({ body: await operation(services, objectOf(request.body), request) });

/** The link in mails: it redirects to a page of the front end. */
const confirmAndRedirect: Handle = async (services, request) => {
  const body = await confirmAddress(services, request.query, request);
  const Location = services.settings.emailConfirmationRedirection;
  return { status: 302, headers: { Location }, body, text: `Redirecting to ${Location}.` };
};

/** An operation that returns the response body. */
const respondWith =
  (operation: (services: Services, request: RouteRequest) => Promise<unknown>): Handle =>
  async (services, request) => ({ body: await operation(services, request) });

/** An operation on the passkey that the path names. */
const ofPasskey = (operation: typeof renamePasskey | typeof removePasskey): Handle =>
  respondWith((services, request) => operation(services, request.params['passkey'], objectOf(request.body), request));

const addUser: Handle = async (services, request) => ({
  status: 201,
  body: await createUser(services, objectOf(request.body), request),
});
const changeUser = respondWith((services, request) =>
  updateUser(services, idOf(request), objectOf(request.body), request),
);
const removeUser = respondWith((services, request) =>
  deleteUser(services, idOf(request), request.caller, queryAfterDelete(services, request.caller, request.entryForm)),
);

const inviteSomebody: Handle = async (services, request) => ({
  status: 201,
  body: await inviteUser(services, objectOf(request.body), request),
});
const removeFactor = respondWith((services, request) => factor.remove(services, idOf(request), request));
const endAllSessions = respondWith((services, request) => endSessionsOf(services, idOf(request), request));
const registerUser = ofBody(register);
/** What users are made of is data of an entry. */
const takesData = new Set<Handle>([registerUser, addUser, changeUser]);

const findRole = respondWith((services, request) => showRole(services, idOf(request), request.entryForm));
const addRole = respondWith((services, { body }) => createRole(services, inputOf(body)));
const changeRole = respondWith((services, request) => updateRole(services, roleIn(request), inputOf(request.body)));
const removeRole = respondWith((services, request) => deleteRole(services, roleIn(request)));
const listActions = respondWith(async (services) => listPermissions(services));

/** @throws AppError badRequest where code has taken the id away: nothing must look as if it was done */
function idOf({ params }: Pick<RouteRequest, 'params'>): number | undefined {
  if (params['id'] === undefined) throw new AppError('badRequest', 'The path has no id');
  return parseId(params['id']);
}

/** The routes of Strapi v4 that change a role name it so; code that calls their actions does, too. */
const roleIn = ({ params: { role, ...params } }: RouteRequest): number | undefined =>
  idOf({ params: role === undefined ? params : { id: role } });

/**
 * An addition to Strapi v4 that a permission of it covers. It is no route of that action: code that calls or replaces
 * the action means the one that Strapi has.
 */
const ifMay =
  (action: string, handle: Handle): Handle =>
  async (services, request) => {
    if (!request.caller.may(`plugin::users-permissions.${action}`)) throw new AppError('forbidden');
    return handle(services, request);
  };

const ofAccount = refuseAll('a second factor is no entry');
const ofSession = refuseAll('a session is no entry');

/**
 * Method, path, action (undefined: everyone may call it), handler, how its requests are counted, and the terms that it
 * refuses: none of those of Strapi v4, whose clients can rely on headers that have no effect.
 */
const table: readonly (readonly [
  Route['method'],
  string,
  string | undefined,
  Handle,
  (Attempt | undefined)?,
  RefusedTerms?,
])[] = [
  ['POST', '/auth/local', 'auth.callback', ofBody(logIn), 'login'],
  ['POST', '/auth/local/register', 'auth.register', registerUser, 'register'],
  ['GET', '/connect/:provider', 'auth.connect', connect],
  ['GET', '/connect/:provider/callback', 'auth.connect', handleCallback, 'connect'],
  [
    'GET',
    '/auth/:provider/callback',
    'auth.callback',
    respondWith((services, request) => {
      const { params, query, address, forgive, message, entryForm } = request;
      // As in Strapi v4, this is the action of POST /auth/local, and a GET has no body.
      if (params['provider'] === 'local') return logIn(services, {}, request);
      return logInWith(services, params['provider'], query['access_token'], {
        address,
        entryForm,
        forgive,
        message,
      });
    }),
    'login',
  ],
  [
    'POST',
    '/auth/:provider/callback',
    undefined,
    ifMay(
      'auth.callback',
      respondWith((services, request) => {
        const { params, address, forgive, message, entryForm } = request;
        const code = services.providers.codes.codeIn(message.headers.cookie);
        return logInWith(services, params['provider'], code, { address, entryForm, forgive, message });
      }),
    ),
    'login',
    refuseAll('a log-in writes no entry'),
  ],
  ['POST', '/auth/forgot-password', 'auth.forgotPassword', ofBody(forgotPassword), 'forgot-password'],
  ['POST', '/auth/reset-password', 'auth.resetPassword', ofBody(resetPassword), 'reset-password'],
  [
    'POST',
    '/auth/invitation',
    undefined,
    ofBody(acceptInvitation),
    'reset-password',
    refuseAll('an invitation is used once'),
  ],
  ['POST', '/auth/second-factor', undefined, ifMay('auth.callback', ofBody(factor.begin)), 'login', ofAccount],
  ['POST', '/auth/second-factor/confirm', undefined, ifMay('auth.callback', ofBody(factor.finish)), 'login', ofAccount],
  [
    'POST',
    '/auth/second-factor/remove',
    undefined,
    ifMay('auth.changePassword', ofBody(factor.removeOwn)),
    'second-factor',
    ofAccount,
  ],
  ['GET', '/auth/second-factor', undefined, ifMay('auth.changePassword', respondWith(showOwn))],
  [
    'POST',
    '/auth/second-factor/passkeys',
    undefined,
    ifMay('auth.changePassword', ofBody(beginPasskey)),
    undefined,
    ofAccount,
  ],
  [
    'POST',
    '/auth/second-factor/passkeys/confirm',
    undefined,
    ifMay('auth.changePassword', ofBody(addPasskey)),
    undefined,
    ofAccount,
  ],
  [
    'PUT',
    '/auth/second-factor/passkeys/:passkey',
    undefined,
    ifMay('auth.changePassword', ofPasskey(renamePasskey)),
    undefined,
    ofAccount,
  ],
  [
    'POST',
    '/auth/second-factor/passkeys/:passkey/remove',
    undefined,
    ifMay('auth.changePassword', ofPasskey(removePasskey)),
    undefined,
    ofAccount,
  ],
  [
    'POST',
    '/users/invite',
    undefined,
    ifMay('user.create', inviteSomebody),
    undefined,
    refuseAll('an invitation is used once'),
  ],
  ['GET', '/auth/sessions', undefined, respondWith(listSessions)],
  ['DELETE', '/auth/sessions', undefined, respondWith(endOtherSessions), undefined, ofSession],
  ['DELETE', '/auth/sessions/:session', undefined, respondWith(endSession), undefined, ofSession],
  ['POST', '/auth/logout', undefined, respondWith(logOut), undefined, ofSession],
  [
    'POST',
    '/auth/first-user',
    undefined,
    ofBody(createFirstUser),
    'first-user',
    refuseAll('an invitation is used once'),
  ],
  ['POST', '/auth/change-password', 'auth.changePassword', ofBody(changePassword), 'change-password'],
  ['GET', '/auth/email-confirmation', 'auth.emailConfirmation', confirmAndRedirect, 'confirmation'],
  [
    'POST',
    '/auth/send-email-confirmation',
    'auth.sendEmailConfirmation',
    ofBody(sendConfirmationAgain),
    'confirmation',
  ],
  ['GET', '/users/count', 'user.count', countUsers],
  ['GET', '/users/me', 'user.me', showMe],
  ['GET', '/users', 'user.find', listUsers],
  ['GET', '/users/:id', 'user.findOne', showUser],
  ['POST', '/users', 'user.create', addUser],
  ['PUT', '/users/:id', 'user.update', changeUser],
  ['DELETE', '/users/:id', 'user.destroy', removeUser],
  ['DELETE', '/users/:id/second-factor', undefined, ifMay('user.update', removeFactor), undefined, ofAccount],
  ['DELETE', '/users/:id/sessions', undefined, ifMay('user.update', endAllSessions), undefined, ofSession],
  [
    'GET',
    '/users-permissions/roles',
    'role.find',
    respondWith((services, { entryForm }) => listRoles(services, entryForm)),
  ],
  ['GET', '/users-permissions/roles/:id', 'role.findOne', findRole],
  ['POST', '/users-permissions/roles', 'role.createRole', addRole],
  ['PUT', '/users-permissions/roles/:id', 'role.updateRole', changeRole],
  ['DELETE', '/users-permissions/roles/:id', 'role.deleteRole', removeRole],
  ['GET', '/users-permissions/permissions', 'permissions.getPermissions', listActions],
];

/** The routes; the services are there when the first request comes. */
export const createRoutes = (services: () => Services): readonly Route[] =>
  table.map(([method, path, action, handle, attempt, refuses]) => {
    const description = descriptions[`${method} ${path}`];
    return {
      method,
      path,
      action: action && `plugin::users-permissions.${action}`,
      // Responses contain tokens and personal data.
      caching: 'never',
      ...(takesData.has(handle) && { takesData: true }),
      ...(refuses && { refuses }),
      handle: (request) => handle(services(), request),
      ...(attempt && { count: (address) => services().attempts.countAddress(attempt, address) }),
      ...(description && { description }),
    };
  });
