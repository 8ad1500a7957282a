import { randomUUID } from 'node:crypto';
import qs from 'qs';
import { AppError } from '../errors/app-error.js';
import type { QueryInput } from '../query/parse/input.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { ContentType } from '../content-types/model/types.js';
import type { Caller } from '../documents/caller.js';
import type { UpdateOptions } from '../documents/write/update.js';
import { noteCaller, noteRefusal } from '../plugins/contract/response-notes.js';
import { invalidPreview, type IsPreviewed, type ReadPreview } from '../plugins/contract/access/preview-links.js';
import { parametersOf } from '../query/plugin-parameters.js';
import type { ActionGuards } from '../plugins/contract/access/policy-request.js';
import type { Extension } from '../plugins/contract/extension.js';
import { bodyOfForm, type BodyReader, type ReceivedForm, type Written } from '../plugins/contract/forms.js';

/** The caller of a request. @throws AppError unauthorized */
export type Authenticate = (request: IncomingMessage, response: ServerResponse) => Promise<Caller>;

/** @param actions of which the caller needs one; undefined: none is needed. @throws AppError forbidden */
export function authorise(
  caller: Caller,
  actions: string | readonly string[] | undefined,
  response: ServerResponse | undefined,
): void {
  noteCaller(response, caller);
  if (actions === undefined || (typeof actions === 'string' ? caller.may(actions) : actions.some(caller.may))) return;
  noteRefusal(response, [actions].flat()[0] ?? '');
  throw new AppError('forbidden');
}

/** Whether a request only reads, by its method. */
export const isRead = ({ method }: { readonly method: string }): boolean => method === 'GET' || method === 'HEAD';

/** A read whose response is the same for everybody: one to a request with credentials can be private. */
export const isPublicRead = (request: Request): boolean =>
  isRead(request) &&
  request.headers.authorization === undefined &&
  request.headers.cookie === undefined &&
  request.headers['x-explain'] === undefined;

/** The parameters of a request's query string. @throws AppError tooCostly */
export const queryOf = (request: Request): QueryInput => parseQueryString(queryStringOf(request));

/** Whether a parameter is true; default: false. @throws AppError invalidParameter */
export function flagOf(query: QueryInput, name: string): boolean {
  const { [name]: value = 'false' } = query;
  if (value !== 'true' && value !== 'false') throw new AppError('invalidParameter', name);
  return value === 'true';
}

/**
 * Whether the preview link in a query shows this entry; then the answer is not cached.
 * @param readPreview undefined if everyone who may read an entry sees its draft
 * @throws AppError unauthorized for a link that is invalid, or to another entry
 */
export function isPreviewOf(
  entry: Parameters<IsPreviewed>[0],
  { preview }: QueryInput,
  response: ServerResponse | undefined,
  readPreview: ReadPreview | undefined,
): boolean {
  if (preview === undefined || readPreview === undefined) return false;
  response?.setHeader('Cache-Control', 'no-store');
  if (!readPreview(preview)(entry)) throw invalidPreview();
  return true;
}

/** Refuses the parameters of plugins for reads where they would have no effect. @throws AppError badRequest */
export function refuseReadParameters(query: QueryInput, type: ContentType, reason: string): void {
  const found = parametersOf(type).find(({ name, part }) => part === 'state' && query[name] !== undefined);
  if (found !== undefined) throw new AppError('badRequest', `${found.name} is not supported here: ${reason}`);
}

/** The query string of a request, without the question mark; empty if there is none. */
export function queryStringOf({ originalUrl }: Request): string {
  const start = originalUrl.indexOf('?');
  return start < 0 ? '' : originalUrl.slice(start + 1);
}

interface Guarded {
  readonly action: string;
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller;
  readonly id: string;
  readonly body: unknown;
  /** The form of its body; undefined for other bodies. */
  readonly form?: ReceivedForm | undefined;
}

/** Runs the project's guards before an action. @throws AppError forbidden, and errors of project code */
export type Guard = (guarded: Guarded) => Promise<void>;

/** The guards of the project's extension: policies first, then middlewares, in their order. */
export function createGuard(guards: NonNullable<Extension['guards']>, policiesOf: ActionGuards): Guard {
  return async ({ action, request, response, caller, id, body: sent, form }) => {
    if (!Object.hasOwn(guards, action)) return;
    const body = form === undefined ? sent : bodyOfForm(form);
    await policiesOf(action)?.({ action, caller, id, query: queryOf(request), body });
    for (const middleware of guards[action]?.middlewares ?? []) await runMiddleware(middleware, request, response);
  };
}

/** @throws what the middleware passes on */
export function runMiddleware(middleware: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
    Promise.resolve(middleware(request, response, next)).catch(reject);
  });
}

/**
 * The `data` of a body; a list is passed on, for the service to refuse it by name.
 * @throws AppError missingData, invalidJson
 */
export function dataOf(body: unknown): unknown {
  if (body === null || ['string', 'number', 'boolean'].includes(typeof body)) throw new AppError('invalidJson');
  const data: unknown = body === undefined ? undefined : (body as { readonly data?: unknown }).data;
  if (typeof data !== 'object' || data === null) throw new AppError('missingData');
  return data;
}

/** The reader of a request's body, by its media type; undefined: it is JSON, or a form without files. */
export const readerOf = (
  bodyReaders: readonly BodyReader[],
  request: Pick<ReceivedBody, 'is'>,
): BodyReader | undefined => bodyReaders.find(({ mediaType }) => request.is(mediaType));

/** What a request sends: a body, or the form that was read of it. */
export interface ReceivedBody {
  readonly body: unknown;
  readonly form: ReceivedForm | undefined;
  /** Whether the body has a media type. */
  readonly is: (mediaType: string) => unknown;
  readonly caller: Caller;
  /** Undefined where code of a project calls a core action without a request. */
  readonly response: ServerResponse | undefined;
}

/** Writes the data of a body, with the files of a form. @throws AppError as `dataOf`, and errors of the reader and of the write */
export function writeData<T>(
  bodyReaders: readonly BodyReader[],
  { body, form, is, caller, response }: ReceivedBody,
  entry: Omit<Written, 'caller' | 'address'>,
  write: (data: unknown, options?: UpdateOptions) => Promise<T>,
): Promise<T> {
  const reader = form && readerOf(bodyReaders, { is });
  if (form === undefined || reader === undefined) return write(dataOf(body));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- messages are those of the service's application
  const { ip: address = '' } = (response?.req ?? {}) as Partial<Request>;
  return reader.attachFiles(form, { ...entry, caller, address }, (placed, options) => write(dataOf(placed), options));
}

/** The parts of a request's URL; proxies are sent the origin too. */
const parts = /^(https?:\/\/[^/?#]*)?([^?#]*)(.*)$/is;

/**
 * A percent-encoded letter, digit, `-`, `.`, `_` or `~`, which means the same as the character. Behind another percent sign it stays,
 * because the result would be decoded a second time.
 */
const needlessCode = /(?<!%[\da-f]?)%(?:2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dAE])/gi;

const dotSegment = /\/\.\.?(?:\/|$)/;

/**
 * The URL of a request with one spelling of its path (RFC 3986, section 6.2.2): without needless percent-encoding and dot segments. Routers
 * compare a path as it is written and decode only parameters, so that an encoded letter would lead from the route that names a segment to
 * one with a parameter in its place.
 */
export function canonicalUrl(url: string): string {
  const [, origin = '', written = '', query = ''] = parts.exec(url) ?? [];
  const path = written.replaceAll(needlessCode, (code) => decodeURIComponent(code));
  return origin + (dotSegment.test(path) ? withoutDotSegments(path) : path) + query;
}

function withoutDotSegments(path: string): string {
  const [root = '', ...segments] = path.split('/');
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
  }
  // The path of a folder ends with a slash.
  const isFolder = segments.at(-1) === '.' || segments.at(-1) === '..';
  return [root, ...kept, ...(isFolder ? [''] : [])].join('/');
}

/**
 * Brackets that nest: the filters' own limit is lower (see query/parse-filters), and populate's cost is limited
 * instead of its depth. Lists of more than 100 elements become objects, as in Strapi v4, and a string beside an object of the same name
 * becomes a key of it: `populate[a][fields]=b&populate=c` populates both.
 */
const options = {
  depth: 400,
  arrayLimit: 100,
  parameterLimit: Infinity,
  strictNullHandling: true,
  strictMerge: false,
} as const;
const MAX_PARAMETERS = 1000;

/**
 * Parses a query string, brackets nested.
 * @throws AppError tooCostly for more than 1,000 parameters
 */
export function parseQueryString(text: string): QueryInput {
  if (text === '') return {};
  const parameters = text.split('&', MAX_PARAMETERS + 1);
  if (parameters.length > MAX_PARAMETERS) throw new AppError('tooCostly', 'parameters', MAX_PARAMETERS);
  return qs.parse(parameters.flatMap(closedBrackets).join('&'), options);
}

/**
 * A parameter with the brackets that Strapi v4 reads: those without nested brackets. Unclosed brackets are ignored, and a
 * parameter with an unclosed first bracket is dropped.
 */
function closedBrackets(parameter: string): readonly string[] {
  const plain = parameter.replaceAll(/%5b/gi, '[').replaceAll(/%5d/gi, ']');
  const closed = plain.indexOf(']=') + 1 || plain.indexOf('=');
  const [name, value] = closed < 0 ? [plain, ''] : [plain.slice(0, closed), plain.slice(closed)];
  const [first = '', ...rest] = name.split(/(\[[^[\]]*\])/);
  const groups = rest.filter((_, index) => index % 2 === 0);
  return first.includes('[') ? [] : [first + groups.join('') + value];
}

export const REQUEST_ID = 'X-Request-Id';

/** Values that can be logged unchanged. */
const loggable = /^[\w.:+/=-]{1,128}$/;

/** The request id set by a proxy if it is valid, otherwise a new one. */
export function requestId({ headers }: IncomingMessage): string {
  const header = headers['x-request-id'];
  return typeof header === 'string' && loggable.test(header) ? header : randomUUID();
}

/** The id in the header of a response. */
export const idOf = (response: ServerResponse): string => String(response.getHeader(REQUEST_ID) ?? '');
