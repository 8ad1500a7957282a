import type { IncomingHttpHeaders } from 'node:http';
import type { Response as Answer } from 'graphql-http';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { isRecord } from '../../../content-types/shapes.js';
import { withRecipient, type Caller } from '../../../documents/caller.js';
import { AppError } from '../../../errors/app-error.js';
import type { ReadForm } from '../../forms.js';
import type { PluginContext } from '../../plugin.js';
import type { GraphqlContext } from '../../graphql-parts.js';
import type { Execute } from './execute.js';
import { readFormOperations } from './form-operations.js';
import type { FormatErrors } from './format-errors.js';

export interface ServeOptions {
  readonly execute: Execute;
  readonly formatErrors: FormatErrors;
  /** Waits for a request's turn. @throws AppError overloaded */
  readonly admit: PluginContext['admit'];
  /** @throws AppError unauthorized */
  readonly authenticate: (headers: IncomingHttpHeaders) => Promise<Caller>;
  readonly contextOf: (caller: Caller, address: string) => GraphqlContext;
  /** Undefined: no forms are taken. */
  readonly readForm: ReadForm | undefined;
  /** Bytes of a request's body, forms with files excepted. */
  readonly bodyLimit: number;
  /** Queries by GET need a header that no page of another site can send. */
  readonly csrfPrevention: boolean;
}

/** As recorded, these come as plain text. */
const NO_BODY = 'POST body missing, invalid Content-Type, or JSON object has no keys.';
const NO_QUERY = 'GET query missing.';
const WRONG_METHOD = 'Apollo Server supports only GET/POST requests.';
const UNSAFE =
  'This request could come from a page of another site: send an Authorization or an Apollo-Require-Preflight header';

/** What the caller must be allowed before files are taken in. */
const UPLOAD = 'plugin::upload.content-api.upload';

/** GraphQL over HTTP: who asks is known first, then what, then it is executed. Bodies are JSON or forms with files. */
export function serveGraphql(options: ServeOptions): RequestHandler {
  const { admit, authenticate, contextOf, readForm, csrfPrevention, execute, formatErrors } = options;
  const parseJson = express.json({ limit: options.bodyLimit, strict: false, type: 'application/json' });
  return async (request, response, next) => {
    const { method, headers } = request;
    if (request.path !== '/') {
      next();
      return;
    }
    if (method !== 'GET' && method !== 'POST') {
      text(response.setHeader('Allow', 'GET, POST'), 405, WRONG_METHOD);
      return;
    }
    const caller = withRecipient(await authenticate(headers), response);
    const format = formatErrors(response);
    const answer = (operations: unknown): Promise<Answer> =>
      admit(response, () =>
        execute({ method, accept: headers.accept, operations, context: contextOf(caller, request.ip ?? ''), format }),
      );
    const isForm = method === 'POST' && request.is('multipart/form-data') !== false;
    if ((isForm || (method === 'GET' && csrfPrevention)) && !isDeliberate(headers)) {
      text(response, 400, UNSAFE);
    } else if (isForm && readForm !== undefined) {
      const accept = (): boolean => {
        if (!caller.may(UPLOAD)) throw new AppError('forbidden');
        return true;
      };
      // Answered when its files are gone again.
      send(response, await readForm(request, accept, async (form) => answer(readFormOperations(form))));
    } else {
      const operations = method === 'GET' ? parametersOf(request) : await bodyOf(request, response, parseJson);
      if (hasKeys(operations)) send(response, await answer(operations));
      else text(response, 400, method === 'GET' ? NO_QUERY : NO_BODY);
    }
  };
}

const hasKeys = (operations: unknown): boolean =>
  Array.isArray(operations) ? operations.length > 0 : isRecord(operations) && Object.keys(operations).length > 0;

/** Has it a header that a page of another site cannot send without being asked for leave first? */
const isDeliberate = ({ authorization = '', ...headers }: IncomingHttpHeaders): boolean =>
  /^bearer /i.test(authorization) ||
  ['apollo-require-preflight', 'x-apollo-operation-name'].some((name) => headers[name]);

function parametersOf({ originalUrl }: Request): Readonly<Record<string, string>> {
  const start = originalUrl.indexOf('?');
  return start < 0 ? {} : Object.fromEntries(new URLSearchParams(originalUrl.slice(start + 1)));
}

/** What the body is as JSON; undefined when it is of another type. */
function bodyOf(request: Request, response: Response, parseJson: RequestHandler): Promise<unknown> {
  return new Promise((resolve, reject) => {
    parseJson(request, response, (error?: unknown) => (error === undefined ? resolve(request.body) : reject(error)));
  });
}

function send(response: Response, [body, { status, headers = {} }]: Answer): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body ?? '') }).end(body);
}

function text(response: Response, status: number, message: string): void {
  response.status(status).type('text/plain').send(message);
}
