import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import qs from 'qs';
import { isRecord } from '../../config/record.js';
import type { Caller } from '../../documents/caller.js';
import type { RequestContext } from '../../documents/request-context.js';
import { createRequestContext } from '../../plugins/contract/http/request-context.js';
import { AppError } from '../../errors/app-error.js';
import type { BuiltInContext } from '../../plugins/contract/built-in.js';
import type { IsPreviewed, ReadPreview } from '../../plugins/contract/access/preview-links.js';
import { isOtherJson } from '../../plugins/contract/bodies.js';
import type { ReadForm, ReceivedForm } from '../../plugins/contract/forms.js';
import { noteCaller } from '../../plugins/contract/response-notes.js';
import type { Responses } from '../../plugins/contract/built-in.js';
import type { GraphqlContext, KoaContext } from '../../plugins/contract/graphql/parts.js';
import type { GraphqlProject } from '../../plugins/contract/graphql/project.js';
import { extendContext } from './extend-context.js';
import { readFormOperations } from './form-operations.js';
import type { Format, FormatErrors } from './format-errors.js';
import type { GraphqlResponse } from './operate.js';
import { readOperation } from './operation.js';
import { sendResults, type OpenSubscription } from '../subscription/stream.js';
import type { Respond } from './respond.js';

export interface ServeOptions {
  readonly http: Pick<BuiltInContext['http'], 'admit' | 'readForm' | 'bodies'> & {
    readonly responses: Pick<Responses, 'sendTagged'>;
  };
  readonly auth: Pick<BuiltInContext['auth'], 'authenticate' | 'readPreview'>;
  /** Undefined without code of a project. */
  readonly project?: Pick<GraphqlProject, 'within'> | undefined;
  readonly respond: Respond;
  readonly formatErrors: FormatErrors;
  readonly contextOf: (
    request: RequestContext,
    further: Pick<GraphqlContext, 'address' | 'isPreviewed' | 'koaContext'>,
  ) => GraphqlContext;
  /** Undefined: there are no subscriptions. */
  readonly openSubscription?: OpenSubscription | undefined;
  /** Whether queries by GET require a header that pages of other sites cannot send. */
  readonly csrfPrevention: boolean;
}

/** As recorded, these are plain text. */
const NO_BODY = 'POST body missing, invalid Content-Type, or JSON object has no keys.';
const NO_QUERY = 'GET query missing.';
const WRONG_METHOD = 'Apollo Server supports only GET/POST requests.';
const UNSAFE =
  'This request could come from a page of another site: send an Authorization or an Apollo-Require-Preflight header';

/** What Strapi v4 sends. */
const JSON_TYPE = 'application/json';
/** The content types of a response; the first is the default. */
const TYPES = [JSON_TYPE, 'application/json; charset=utf-8', 'application/graphql-response+json; charset=utf-8'];

const EVENT_STREAM = 'text/event-stream';

/** The header with the token of a preview link. */
const PREVIEW = 'x-preview';

/** The required action before a form is read. */
const UPLOAD = 'plugin::upload.content-api.upload';

/**
 * GraphQL over HTTP: authenticates the caller, reads the operations and executes them. Bodies are JSON or forms with
 * files.
 */
export function serveGraphql(options: ServeOptions): RequestHandler {
  const { http, csrfPrevention, openSubscription } = options;
  const { admit, readForm, bodies } = http;
  const parseJson = bodies.json({ strict: false });
  return async (request, response, next) => {
    const { method } = request;
    if (request.path !== '/') return next();
    if (method === 'OPTIONS') {
      response.status(204).end();
      return;
    }
    if (method !== 'GET' && method !== 'POST') {
      text(response.setHeader('Allow', 'GET, POST'), 405, WRONG_METHOD);
      return;
    }
    const received = await receive(options, request, response);
    const isForm = method === 'POST' && request.is('multipart/form-data') !== false;
    if ((isForm || (method === 'GET' && csrfPrevention)) && !isDeliberate(request.headers)) {
      text(response, 400, UNSAFE);
    } else if (isForm && readForm !== undefined) {
      await answerForm(options, received, readForm);
    } else {
      const operations = method === 'GET' ? parametersOf(request) : await bodyOf(request, response, parseJson);
      if (openSubscription !== undefined && request.accepts([...TYPES, EVENT_STREAM]) === EVENT_STREAM)
        await answerStream(options, received, operations, openSubscription);
      else if (hasKeys(operations))
        await admit(response, async () => send(options, received, await execute(options, received, operations)));
      else text(response, 400, method === 'GET' ? NO_QUERY : NO_BODY);
    }
  };
}

interface Received {
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller;
  readonly format: Format;
  /** Runs work in the Koa context of project code, if there is any. */
  readonly inContext: <T>(work: (context: () => GraphqlContext) => Promise<T>) => Promise<T>;
}

/** @throws AppError unauthorized */
async function receive(
  { auth, project, contextOf, formatErrors }: ServeOptions,
  request: Request,
  response: Response,
): Promise<Received> {
  const caller = await auth.authenticate(request, response, 'graphql');
  const requestContext = createRequestContext(caller, response);
  noteCaller(response, caller);
  const further = { address: request.ip ?? '', isPreviewed: previewOf(request.headers, response, auth.readPreview) };
  const format = formatErrors(response);
  return {
    request,
    response,
    caller,
    format,
    inContext: (work) => {
      const run = (koaContext?: KoaContext) => work(() => contextOf(requestContext, { ...further, koaContext }));
      return project === undefined ? run() : project.within(request, response, run);
    },
  };
}

/** @throws AppError unauthorized */
function previewOf(
  headers: IncomingHttpHeaders,
  response: Response,
  readPreview: ReadPreview | undefined,
): IsPreviewed {
  const token = headers[PREVIEW];
  if (token === undefined || readPreview === undefined) return () => false;
  response.setHeader('Cache-Control', 'no-store');
  return readPreview(token);
}

function execute(
  { respond }: ServeOptions,
  { request, format, inContext }: Received,
  operations: unknown,
): Promise<GraphqlResponse> {
  const method = request.method === 'GET' ? 'GET' : 'POST';
  // Apollo Server of Strapi v4 does not look at the header.
  const type = request.accepts(TYPES) || JSON_TYPE;
  return inContext((context) => respond({ method, type, operations, context: context(), format }));
}

function send(
  { http }: ServeOptions,
  { response }: Received,
  { body, tag, cacheTags, status, headers }: GraphqlResponse,
): Promise<void> {
  // The request has its type and the token of a preview link in headers.
  if (cacheTags !== undefined) response.vary('Accept, X-Preview');
  const pieces = typeof body === 'string' ? toPieces(body) : body;
  return http.responses.sendTagged(response, { body: pieces, tag, cacheTags }, status, headers);
}

/** @throws AppError forbidden, and those of forms */
async function answerForm(options: ServeOptions, received: Received, readForm: ReadForm): Promise<void> {
  const { request, response, caller } = received;
  if (!caller.may(UPLOAD)) throw new AppError('forbidden');
  const run = async (form: ReceivedForm): Promise<GraphqlResponse> =>
    execute(options, received, readFormOperations(form));
  await options.http.admit(response, async () => {
    const executed = await readForm(request, () => true, run);
    // The response is sent after its files are removed.
    await send(options, received, executed);
  });
}

/** Sends the results of a subscription. The wait for changes takes no place among the requests in progress. */
async function answerStream(
  { http, auth }: ServeOptions,
  { request, response, format, inContext }: Received,
  operations: unknown,
  openSubscription: OpenSubscription,
): Promise<void> {
  const ended = new AbortController();
  response.once('close', () => ended.abort());
  const present = async (): Promise<Caller> => {
    const caller = await auth.authenticate(request, response);
    noteCaller(response, caller);
    return caller;
  };
  const operation = readOperation(operations);
  const opened = await http.admit(response, () =>
    inContext((context) =>
      openSubscription(operation, () => extendContext(context(), { authenticate: present, ended: ended.signal })),
    ),
  );
  await sendResults(opened, format, response);
}

const hasKeys = (operations: unknown): boolean =>
  Array.isArray(operations) ? operations.length > 0 : isRecord(operations) && Object.keys(operations).length > 0;

/** Whether the request has a header that pages of other sites can send only after a preflight. */
const isDeliberate = ({ authorization = '', ...headers }: IncomingHttpHeaders): boolean =>
  /^bearer /i.test(authorization) ||
  ['apollo-require-preflight', 'x-apollo-operation-name'].some((name) => headers[name]);

/** The parameters of a URL; repeated ones, and those with brackets, are lists and objects. */
function parametersOf({ originalUrl }: Request): Readonly<Record<string, unknown>> {
  const start = originalUrl.indexOf('?');
  return start < 0 ? {} : qs.parse(originalUrl.slice(start + 1), { depth: 1, parameterLimit: 100 });
}

/**
 * The body as JSON; undefined for another content type.
 * @throws AppError syntax
 */
async function bodyOf(request: Request, response: Response, parseJson: RequestHandler): Promise<unknown> {
  await new Promise<void>((resolve, reject) => {
    parseJson(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(isOtherJson(error) ? otherJson() : error);
    });
  });
  const body: unknown = request.body;
  if (body === undefined || (typeof body === 'object' && body !== null)) return body;
  throw otherJson();
}

const otherJson = (): AppError => new AppError('syntax', 'invalid JSON, only supports object and array');

function text(response: Response, status: number, message: string): void {
  response.status(status).type('text/plain').send(message);
}

/** Characters of a chunk. */
const PIECE = 2 ** 18;

/** A long string in chunks, created during the iteration; a short one unchanged. */
export const toPieces = (text: string): string | Iterable<string> =>
  text.length <= PIECE ? text : { [Symbol.iterator]: () => piecesOf(text) };

function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = start + PIECE;
    // Do not split a surrogate pair.
    const next = (text.codePointAt(end - 1) ?? 0) > 0xff_ff ? end + 1 : end;
    yield text.slice(start, next);
    start = next;
  }
}
