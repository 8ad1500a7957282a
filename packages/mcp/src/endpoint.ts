import { promisify } from 'node:util';
import {
  AppError,
  type Caller,
  createQuota,
  noteCaller,
  type PluginContext,
  type Request,
  type RequestHandler,
  type Response,
  isDeeperThan,
} from 'content-service/plugin';
import { openApi, type CallApi } from './api.js';
import { createCallLimit } from './limit-calls.js';
import { answer, listen } from './serve.js';
import { METADATA, PATH, type McpSettings } from './settings.js';
import type { Session } from './tools.js';

const HOUR = 3600;
/** Clients that listen, in one process. */
const STREAMS = { all: 100, perCaller: 10 };
/** Downloads at once, in one process. */
const DOWNLOADS = { all: 4, perCaller: 1 };

/** Requests to the API that one caller makes at a time. */
const CALLS = 4;

/** Levels of a message: values of an attribute have 100. */
const MAX_LEVELS = 120;

/** Opens the endpoint on the running service: the handlers of its two paths. */
export function openEndpoint(
  context: PluginContext,
  { writesPerHour, authorizationServers }: McpSettings,
): Readonly<Record<'describe' | 'handle', RequestHandler>> {
  const { publicUrl, prefix } = context.settings;
  const urlOf = (request: Request): string => publicUrl ?? `${request.protocol}://${request.host}`;
  const parse = promisify(context.http.bodies.json());
  const writes = context.storage.rateLimits.open({ name: 'mcp', max: writesPerHour, within: HOUR });
  const downloads = createQuota(DOWNLOADS, 'Too many files are downloaded');
  const streams = createQuota(STREAMS, 'Too many assistants listen');
  const inTurn = createCallLimit(CALLS);
  let api: ReturnType<typeof openApi> | undefined;
  /** Only tokens in a header count, which pages of other sites cannot send. @throws AppError unauthorized */
  const sessionOf = async (request: Request, response: Response, call: CallApi): Promise<Session> => {
    if (request.headers.authorization === undefined)
      throw new AppError('unauthorized', 'Send a token as Authorization: Bearer …');
    const caller = await context.auth.authenticate(request, response);
    if (caller.kind === 'public') throw new AppError('unauthorized', 'The token is not valid');
    noteCaller(response, caller);
    const owner = ownerOf(caller);
    return {
      caller,
      owner,
      call: (sent) => inTurn(owner, () => call(sent)),
      context,
      countWrite: () => writes.count(owner),
      downloads,
    };
  };
  return {
    describe: (request, response, next) => {
      if (request.path !== '/' && request.path !== PATH) return next();
      response.json({
        resource: urlOf(request) + PATH,
        // The specification leaves out empty lists.
        ...(authorizationServers.length > 0 && { authorization_servers: authorizationServers }),
        bearer_methods_supported: ['header'],
      });
    },
    handle: async (request, response, next) => {
      if (request.path !== '/') return next();
      if (request.method !== 'GET' && request.method !== 'POST') {
        response.setHeader('Allow', 'GET, POST');
        throw new AppError('methodNotAllowed');
      }
      api ??= openApi(request.app, prefix);
      const call = api(request);
      const session = await sessionOf(request, response, call).catch((error: unknown) => {
        const metadata = urlOf(request) + METADATA + PATH;
        response.setHeader('WWW-Authenticate', `Bearer resource_metadata="${metadata}"`);
        throw error;
      });
      if (request.method === 'GET') {
        response.once('close', streams.take(session.owner));
        return listen(request, response, session, () => sessionOf(request, response, call));
      }
      await parse(request, response);
      if (Array.isArray(request.body))
        throw new AppError('badRequest', 'Send one message: lists are no longer part of MCP');
      if (isDeeperThan(MAX_LEVELS, request.body)) throw new AppError('badRequest', 'The message nests too deep');
      if (isAltered(request.body))
        throw new AppError('badRequest', 'The message has a key __proto__, or a number that is out of range');
      return answer(request, response, session);
    },
  };
}

/**
 * Whether a part of a message would change without a word on its way: this key is dropped, and a number such as 1e400
 * becomes null.
 */
const isAltered = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.hasOwn(value, '__proto__') || Object.values(value).some(isAltered)
    : typeof value === 'number' && !Number.isFinite(value);

const ownerOf = ({ kind, user, identity, credentials }: Caller): string =>
  `${kind}:${identity ?? user ?? String(credentials?.['id'])}`;
