import type { RouteDescription } from '../contract/routes.js';

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const email: Schema = { type: 'string', format: 'email' };
const time: Schema = { type: 'string', format: 'date-time' };
const nullable: Schema = { type: ['string', 'null'] };
const flag: Schema = { type: 'boolean' };
const id: Schema = { type: 'integer' };
const user: Schema = { $ref: '#/components/schemas/UsersPermissionsUserRecord' };
const role: Schema = { $ref: '#/components/schemas/UsersPermissionsRoleRecord' };

const object = (properties: Readonly<Record<string, Schema>>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  required,
  properties,
});
const list = (items: Schema): Schema => ({ type: 'array', items });

const logIn = object({ jwt: text, user });
const account = { identifier: text, password: text };
/** What the interface of browsers for passkeys (WebAuthn) takes and gives, as JSON. */
const anything: Schema = { type: 'object', additionalProperties: true };
/** Of a second factor: one of both. */
const proof = { secondFactor: text, passkey: anything };
const passkey = object({ id: text, name: text, since: time });
const done = object({ ok: { const: true } });
const userInput = { username: text, email, password: text, confirmed: flag, blocked: flag, role: id };
const permissions: Schema = {
  type: 'object',
  description: 'By plugin or API, controller and action: `{ enabled }`',
  additionalProperties: { type: 'object' },
};
const roleInput = object({ name: text, description: text, permissions, users: list(id) }, []);

/** The input and output of the routes, by method and path, for the documentation of the API. */
export const descriptions: Readonly<Record<string, RouteDescription>> = {
  'POST /auth/local': {
    summary: 'Log in with a name or an email address',
    body: object({ ...account, ...proof }, ['identifier', 'password']),
    response: logIn,
  },
  'POST /auth/local/register': {
    summary: 'Register; without `jwt` if the email address must be confirmed first',
    body: object({ username: text, email, password: text }),
    response: object({ jwt: text, user }, ['user']),
  },
  'GET /connect/:provider': { summary: 'Redirect to a provider to log in' },
  'GET /connect/:provider/callback': { summary: 'Callback of a provider' },
  'GET /auth/:provider/callback': {
    summary: 'Log in with the token of a provider',
    query: ['access_token'],
    response: logIn,
  },
  'POST /auth/:provider/callback': {
    summary: 'Log in with the code that the provider has left in a cookie, for the editor',
    response: logIn,
  },
  'POST /auth/forgot-password': {
    summary: 'Request a mail with a link to set a new password',
    body: object({ email }),
    response: done,
  },
  'POST /auth/reset-password': {
    summary: 'Set a new password with the code from the mail',
    body: object({ code: text, password: text, passwordConfirmation: text, ...proof }, [
      'code',
      'password',
      'passwordConfirmation',
    ]),
    response: logIn,
  },
  'POST /auth/invitation': {
    summary: 'Set the first password of an account with the code of an invitation, and log in',
    body: object({ code: text, password: text, passwordConfirmation: text }),
    response: logIn,
  },
  'POST /auth/second-factor': {
    summary:
      'Begin to set up a second factor: a secret for an app of codes, its address for a picture, and what a browser makes a passkey of',
    body: object(account),
    response: object({ secret: text, address: text, passkey: anything }, ['secret', 'address']),
  },
  'POST /auth/second-factor/confirm': {
    summary: 'Set up the second factor with the first code of the app or a new passkey, and log in',
    body: object({ ...account, secondFactor: text, newPasskey: anything, name: text }, ['identifier', 'password']),
    response: object({ jwt: text, user, recoveryCodes: list(text) }),
  },
  'POST /auth/second-factor/remove': {
    summary: "Remove the caller's second factor with a proof of it",
    body: object(proof, []),
    response: done,
  },
  'GET /auth/second-factor': {
    summary: "Read the caller's second factor: what is set up, and nothing of a key",
    response: object({ isSetUp: flag, codes: flag, recoveryCodes: { type: 'integer' }, passkeys: list(passkey) }),
  },
  'POST /auth/second-factor/passkeys': {
    summary: 'Begin to add a passkey with a proof of the second factor: what a browser makes it of',
    body: object(proof, []),
    response: object({ passkey: anything }),
  },
  'POST /auth/second-factor/passkeys/confirm': {
    summary: 'Add the passkey that the browser has made',
    body: object({ newPasskey: anything, name: text }, ['newPasskey']),
    response: passkey,
  },
  'PUT /auth/second-factor/passkeys/:passkey': {
    summary: 'Name a passkey of the caller',
    body: object({ name: text }),
    response: passkey,
  },
  'POST /auth/second-factor/passkeys/:passkey/remove': {
    summary: 'Remove a passkey of the caller with a proof of the second factor, and log in again',
    body: object(proof, []),
    response: logIn,
  },
  'GET /auth/sessions': {
    summary: "List the caller's open sessions, the latest first: log-ins with the header `X-Session: true`",
    response: list(object({ id: text, since: time, browser: nullable, system: nullable, current: flag })),
  },
  'DELETE /auth/sessions': {
    summary: 'End all sessions of the caller but that of the request, and all tokens without one',
    response: done,
  },
  'DELETE /auth/sessions/:session': { summary: 'End a session of the caller', response: done },
  'POST /auth/logout': { summary: 'End the session of the token that is sent', response: done },
  'POST /auth/first-user': {
    summary: 'Create the first user of the editor with the code of the link in the log',
    body: object({ code: text, username: text, email, password: text }),
    response: logIn,
  },
  'POST /auth/change-password': {
    summary: "Change the caller's password",
    body: object({ currentPassword: text, password: text, passwordConfirmation: text, ...proof }, [
      'currentPassword',
      'password',
      'passwordConfirmation',
    ]),
    response: logIn,
  },
  'GET /auth/email-confirmation': { summary: 'Confirm an email address', query: ['confirmation'] },
  'POST /auth/send-email-confirmation': { summary: 'Send the confirmation mail again', body: object({ email }) },
  'GET /users/count': { summary: 'Count users', query: ['filters'], response: { type: 'integer' } },
  'GET /users/me': { summary: 'Read the user who makes the request', query: ['fields', 'populate'], response: user },
  'GET /users': {
    summary: 'List users',
    query: ['filters', 'sort', 'fields', 'populate', 'start', 'limit', 'withCount'],
    response: list(user),
  },
  'GET /users/:id': { summary: 'Read a user', query: ['fields', 'populate'], response: user, furtherStatuses: [204] },
  'POST /users': {
    summary: 'Create a user',
    body: object(userInput, ['username', 'email', 'password']),
    response: user,
    status: 201,
  },
  'POST /users/invite': {
    summary: 'Invite somebody by mail to an account, whose password they set; without a mail the link is in the answer',
    body: object({ email, username: text, role: id }, ['email', 'role']),
    response: object({ user, sent: flag, link: text, code: text }, ['user', 'sent']),
    status: 201,
  },
  'PUT /users/:id': { summary: 'Change a user', body: object(userInput, []), response: user },
  'DELETE /users/:id/sessions': { summary: 'End all sessions and tokens of a user', response: user },
  'DELETE /users/:id/second-factor': { summary: 'Remove the second factor of a user', response: user },
  'DELETE /users/:id': { summary: 'Delete a user', response: user, furtherStatuses: [204] },
  'GET /users-permissions/roles': { summary: 'List roles', response: object({ roles: list(role) }) },
  'GET /users-permissions/roles/:id': { summary: 'Read a role', response: object({ role }) },
  'POST /users-permissions/roles': { summary: 'Create a role', body: roleInput, response: done },
  'PUT /users-permissions/roles/:id': { summary: 'Change a role', body: roleInput, response: done },
  'DELETE /users-permissions/roles/:id': { summary: 'Delete a role', response: done },
  'GET /users-permissions/permissions': { summary: 'List all actions', response: object({ permissions }) },
};
