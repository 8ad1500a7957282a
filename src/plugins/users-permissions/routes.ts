import type { Reply, Route, RouteRequest } from '../contract/plugin.js';
import { confirmAddress, sendConfirmationAgain } from './auth/confirmation.js';
import { descriptions } from './describe-routes.js';
import { logIn } from './auth/login.js';
import { inputOf } from './users/parse-input.js';
import type { Asker, Data, Parts } from './context.js';
import { handleCallback, connect } from './providers/connect.js';
import { logInWith } from './providers/log-in-with.js';
import { changePassword, forgotPassword, resetPassword } from './auth/passwords.js';
import { parseId } from '../../query/parse/parse-id.js';
import { queryAfterDelete } from './users/present-user.js';
import { countUsers, listUsers, showMe, showUser } from './users/read-users.js';
import { register } from './auth/register.js';
import { createRole, deleteRole, listPermissions, listRoles, showRole, updateRole } from './roles/roles.js';
import { createUser, deleteUser, updateUser } from './users/write-users.js';

type Handle = (parts: Parts, request: RouteRequest) => Promise<Reply>;
type Operation = (parts: Parts, input: Data, asker: Asker) => Promise<unknown>;

/** An operation whose input is the body. */
const ofBody =
  (operation: Operation): Handle =>
  async (parts, request) => ({ body: await operation(parts, inputOf(request.body), request) });

/** Mails lead here: who follows the link is sent on to a page of the front end. */
const confirmAndRedirect: Handle = async (parts, request) => {
  await confirmAddress(parts, request.query, request);
  const Location = parts.settings.emailConfirmationRedirection;
  return { status: 302, headers: { Location }, body: undefined, text: `Redirecting to ${Location}.` };
};

/** An operation that makes the body of the answer. */
const of =
  (operation: (parts: Parts, request: RouteRequest) => Promise<unknown>): Handle =>
  async (parts, request) => ({ body: await operation(parts, request) });

const addUser: Handle = async (parts, { body, caller }) => ({
  status: 201,
  body: await createUser(parts, inputOf(body), caller),
});
const changeUser = of((parts, request) => updateUser(parts, idOf(request), inputOf(request.body), request.caller));
const removeUser = of((parts, request) => deleteUser(parts, idOf(request), queryAfterDelete(parts)));

const idOf = ({ params }: RouteRequest): number | undefined => parseId(params['id']);

/** Method, path, action and what is done. */
const table: readonly (readonly [Route['method'], string, string, Handle])[] = [
  ['POST', '/auth/local', 'auth.callback', ofBody(logIn)],
  ['POST', '/auth/local/register', 'auth.register', ofBody(register)],
  ['GET', '/connect/:provider', 'auth.connect', connect],
  ['GET', '/connect/:provider/callback', 'auth.connect', handleCallback],
  [
    'GET',
    '/auth/:provider/callback',
    'auth.callback',
    of((parts, { params, query, address, message }) =>
      logInWith(parts, params['provider'], query['access_token'], { address, cookies: message.headers.cookie }),
    ),
  ],
  ['POST', '/auth/forgot-password', 'auth.forgotPassword', ofBody(forgotPassword)],
  ['POST', '/auth/reset-password', 'auth.resetPassword', ofBody(resetPassword)],
  ['POST', '/auth/change-password', 'auth.changePassword', ofBody(changePassword)],
  ['GET', '/auth/email-confirmation', 'auth.emailConfirmation', confirmAndRedirect],
  ['POST', '/auth/send-email-confirmation', 'auth.sendEmailConfirmation', ofBody(sendConfirmationAgain)],
  ['GET', '/users/count', 'user.count', countUsers],
  ['GET', '/users/me', 'user.me', showMe],
  ['GET', '/users', 'user.find', listUsers],
  ['GET', '/users/:id', 'user.findOne', showUser],
  ['POST', '/users', 'user.create', addUser],
  ['PUT', '/users/:id', 'user.update', changeUser],
  ['DELETE', '/users/:id', 'user.destroy', removeUser],
  ['GET', '/users-permissions/roles', 'role.find', of(listRoles)],
  ['GET', '/users-permissions/roles/:id', 'role.findOne', of((parts, request) => showRole(parts, idOf(request)))],
  ['POST', '/users-permissions/roles', 'role.createRole', of((parts, { body }) => createRole(parts, inputOf(body)))],
  [
    'PUT',
    '/users-permissions/roles/:id',
    'role.updateRole',
    of((parts, request) => updateRole(parts, idOf(request), inputOf(request.body))),
  ],
  [
    'DELETE',
    '/users-permissions/roles/:id',
    'role.deleteRole',
    of((parts, request) => deleteRole(parts, idOf(request))),
  ],
  ['GET', '/users-permissions/permissions', 'permissions.getPermissions', of(async (parts) => listPermissions(parts))],
];

/** The routes, with the parts as they are when a request comes. */
export const createRoutes = (parts: () => Parts): readonly Route[] =>
  table.map(([method, path, action, handle]) => {
    const description = descriptions[`${method} ${path}`];
    return {
      method,
      path,
      action: `plugin::users-permissions.${action}`,
      // Answers hold web tokens, and people.
      caching: 'never',
      handle: (request) => handle(parts(), request),
      ...(description && { description }),
    };
  });
