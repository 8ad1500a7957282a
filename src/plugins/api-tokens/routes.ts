import type { Data } from '../../config/record.js';
import type { Entry } from '../../documents/entries.js';
import { AppError } from '../../errors/app-error.js';
import { requireId } from '../../query/parse/input.js';
import type { BuiltInContext } from '../contract/built-in.js';
import type { Reply, Route, RouteRequest } from '../contract/plugin.js';
import { apiToken, hashKey, newKey } from './definition.js';
import { parseToken } from './parse-token.js';
import { refuseAll } from '../contract/write-terms.js';

/** How many tokens there may be when a user creates one. */
const MAX_TOKENS = 200;

type Handle = (context: BuiltInContext, request: RouteRequest) => Promise<Reply>;

const actionOf = (name: string): string => `plugin::api-tokens.token.${name}`;

/** Users list, create and revoke tokens; the context is resolved for each request. */
export const createRoutes = (context: () => BuiltInContext): readonly Route[] =>
  table.map(([method, path, action, summary, handle, body]) => ({
    method,
    path,
    action: actionOf(action),
    caching: 'never',
    ...(method !== 'GET' && { refuses: refuseAll('a token has neither versions nor drafts') }),
    description: { summary, response: { type: 'object' }, ...(body && { body }) },
    handle: async (request) => {
      // A token could outlive itself by creating others, and read-only tokens may do every `find`.
      if (request.caller.kind !== 'user') throw new AppError('forbidden');
      return handle(context(), request);
    },
  }));

const list: Handle = async ({ entries }) => {
  const tokens = await entries.findMany(apiToken.uid, { sort: 'id', pagination: { limit: -1 } });
  return { body: { data: tokens.map(shown) } };
};

const create: Handle = async (context, { body, caller }) => {
  const { entries, auth, settings, storage, log } = context;
  const token = parseToken(body, caller, new Set(auth.actions), Date.now());
  return storage.locks.hold('api-tokens create', async () => {
    if ((await entries.count(apiToken.uid)) >= MAX_TOKENS)
      throw new AppError('application', `There are ${MAX_TOKENS} API tokens or more: revoke one first`);
    const key = newKey();
    const accessKey = hashKey(key, settings.secrets.apiTokenSalt);
    const stored = await entries.create(apiToken.uid, { ...token, type: 'custom', accessKey });
    log.info({ user: caller.user, token: token.name }, 'API token created');
    return { status: 201, body: { data: { ...shown(stored), accessKey: key } } };
  });
};

const revoke: Handle = async ({ entries, log }, { params, caller }) => {
  const token = await entries.delete(apiToken.uid, requireId(params['id']));
  log.info({ user: caller.user, token: token['name'] }, 'API token revoked');
  return { body: { data: shown(token) } };
};

/** The body of a new token in JSON Schema. */
const newToken = {
  type: 'object',
  required: ['name', 'permissions', 'lifespan'],
  properties: {
    name: { type: 'string' },
    description: { type: 'string' },
    permissions: { type: 'array', items: { type: 'string' } },
    lifespan: { type: 'integer', description: 'milliseconds' },
  },
};

/** Method, path, action, summary, handler and body. */
const table: readonly (readonly [Route['method'], string, string, string, Handle, Data?])[] = [
  ['GET', '/api-tokens', 'find', 'List the API tokens, without their keys', list],
  ['POST', '/api-tokens', 'create', 'Create an API token, and show its key once', create, newToken],
  ['DELETE', '/api-tokens/:id', 'delete', 'Revoke an API token', revoke],
];

const shownNames = ['name', 'description', 'type', 'permissions', 'expiresAt', 'createdAt'] as const;

/** What is shown of a token: everything but the hash of its key. */
const shown = (token: Entry): Data => ({
  id: token.id,
  ...Object.fromEntries(shownNames.map((name) => [name, token[name] ?? null])),
});
