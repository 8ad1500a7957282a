import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Response } from 'express';
import { refuseTerms } from '../../calls/terms.js';
import { serializeJson } from '../../calls/serialize.js';
import type { Caller } from '../../documents/caller.js';
import { createRequestContext } from '../../plugins/contract/http/request-context.js';
import { tagOf } from '../../documents/response/response-body.js';
import { isTagged } from '../../rest/response/json-response.js';
import { restPresenter } from '../../rest/response/rest-presenter.js';
import { callerIn } from '../../plugins/contract/code-state.js';
import type { ReceivedForm } from '../../plugins/contract/forms.js';
import { refuseAll } from '../../plugins/contract/write-terms.js';
import { receivedForm } from '../http/body.js';
import type { Anything, Named, Strapi } from '../strapi.js';

/** What a core action reads of a request. */
export interface CoreRequest {
  readonly params: Named;
  readonly query: Named;
  readonly caller: Caller;
  /** Empty without a request. */
  readonly method: string;
  readonly originalUrl: string;
  readonly headers: IncomingHttpHeaders;
  /** Whether its body has this media type. */
  readonly is: (mediaType: string) => boolean;
  readonly body: unknown;
  /** The form as code left it; undefined for other bodies. */
  readonly form: ReceivedForm | undefined;
  /** Undefined without a request. */
  readonly response: ServerResponse | undefined;
  /** Of the client, according to trusted proxies; empty without a request. */
  readonly address: string;
}

/**
 * The request of a core action: of a Koa context, or of an object that code puts together, such as `{ ...ctx, params }`
 * or `{ query }`. As in Strapi v4, the object needs only what the action reads; what a Koa context inherits is not part
 * of it.
 */
export function coreRequest(context: Anything, { requestContext }: Strapi): CoreRequest {
  const { params = {}, query = {}, state, request, res } = context as Named;
  return {
    params,
    query,
    // Without authentication the caller may not read related entries.
    caller: callerIn(state ?? {}, requestContext.get()?.state),
    method: String(request?.method ?? ''),
    originalUrl: String(request?.originalUrl ?? ''),
    headers: (request?.headers ?? {}) as IncomingHttpHeaders,
    is: (mediaType) => Boolean(request?.is?.(mediaType)),
    body: request?.body as unknown,
    form: request === undefined ? undefined : receivedForm({ request }),
    response: res as ServerResponse | undefined,
    address: String(request?.ip ?? ''),
  };
}

/** The context of a request, for the documents service. */
export const requestContextOf = ({ caller, response }: CoreRequest) => ({
  ...(response === undefined ? { caller } : createRequestContext(caller, response)),
  presenter: restPresenter,
});

const methods: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE']);

/** A Koa context, or the request of a core action. */
type Writing = Pick<CoreRequest, 'method' | 'headers' | 'query'>;

/** Whether a request can have such a header, or be a dry run. */
export const isWrite = ({ method }: Pick<Writing, 'method'>): boolean => methods.has(method);

export const CODE_WRITES = 'code of the project executes this write';
const refusedByCode = refuseAll(CODE_WRITES);

/** Refuses a condition or a dry run that code of the project would ignore. @throws AppError badRequest */
export function refuseConditions(request: Writing): void {
  if (isWrite(request)) refuseTerms(request, refusedByCode);
}

/** Sets the `ETag` of an entry that is read, for a later `If-Match`. @param limit the maximum bytes of a response */
export function setTag({ response }: CoreRequest, answer: unknown, limit: number): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- messages are those of the service's application
  if (answer == null || response === undefined || !isTagged(response as Response)) return;
  response.setHeader('ETag', tagOf(serializeJson(answer, limit)));
}
