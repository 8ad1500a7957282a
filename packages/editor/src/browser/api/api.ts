import { RequestError } from '@content-service/client';
import { encodeQuery } from '@content-service/client/query';
import { explain, reasonsIn, type Reason, type Refusal } from '../language/explain.js';
import type { Texts } from '../language/texts.js';

export { RequestError };

export interface Answer {
  /** The form depends on the content type, which is data. */
  readonly body: unknown;
  readonly etag: string | undefined;
  /** How many there are of a list without an envelope, if the request asks for it. */
  readonly total?: number | undefined;
}

interface Sent {
  readonly query?: object;
  readonly body?: object;
  readonly ifMatch?: string | undefined;
  /** Called with the part of the body that was sent, up to 1. */
  readonly onSent?: ReportSent | undefined;
  /** Ends the request. */
  readonly signal?: AbortSignal;
  /** It is sent although the page is left. */
  readonly outlivesPage?: boolean;
}

export type ReportSent = (sent: number) => void;

/** The public API of the service. Each function throws a RequestError for a refused request. */
export interface Api {
  readonly get: (path: string, query?: object, signal?: AbortSignal) => Promise<Answer>;
  readonly send: (method: 'POST' | 'PUT' | 'DELETE', path: string, sent?: Sent) => Promise<Answer>;
}

interface ApiSettings {
  /** The path of the API, `/api`. */
  readonly prefix: string;
  /** Of the messages of errors. */
  readonly texts: Texts;
  /** That of the user at the moment. */
  readonly token?: () => string | undefined;
  /** Called when it is not valid any more. */
  readonly onEnd?: () => void;
}

export function createApi({ prefix, texts, token = () => undefined, onEnd = () => undefined }: ApiSettings): Api {
  const send = async (method: string, path: string, sent: Sent): Promise<Answer> => {
    const { query = {}, body, ifMatch, onSent, signal, outlivesPage = false } = sent;
    const search = encodeQuery(query);
    const used = token();
    const isForm = body instanceof FormData;
    const respond = onSent === undefined ? fetch : fetchReporting(onSent);
    const response = await respond(`${prefix}/${path}${search && '?'}${search}`, {
      method,
      keepalive: outlivesPage,
      headers: {
        Accept: 'application/json',
        // A log-in begins a session, which its user can end.
        'X-Session': 'true',
        // Why something is refused is said in the language of the user.
        'X-Error-Codes': 'true',
        ...(used !== undefined && { Authorization: `Bearer ${used}` }),
        ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
        ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    }).catch((error: unknown) => {
      throw new RequestError(0, 'NetworkError', texts.common.unreachable, String(error));
    });
    const answer = parse(await response.text());
    if (response.ok) {
      const total = response.headers.get('X-Total-Count') ?? undefined;
      return { body: answer, etag: response.headers.get('ETag') ?? undefined, ...(total && { total: Number(total) }) };
    }
    const refusal = refusalIn(answer, response, texts);
    // A password that was changed in the meantime ends earlier tokens, and not the log-in; nor does a proof that is
    // asked for.
    const isOver = response.status === 401 && refusal.name !== 'SecondFactorNeededError';
    if (isOver && used !== undefined && used === token()) onEnd();
    throw refusal;
  };
  return {
    get: (path, query = {}, signal) => send('GET', path, { query, ...(signal !== undefined && { signal }) }),
    send: (method, path, sent = {}) => send(method, path, sent),
  };
}

/** As fetch(), which does not report how much of a body was sent. */
const fetchReporting =
  (onSent: ReportSent) =>
  (address: string, { method, headers, body }: SentRequest): Promise<Response> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, address);
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      request.upload.addEventListener('progress', ({ loaded, total }) => onSent(loaded / total));
      request.addEventListener('load', () => {
        const { status, statusText, responseText } = request;
        // Without a body, as a response such as 204 may not have one.
        resolve(new Response(responseText === '' ? null : responseText, { status, statusText }));
      });
      request.addEventListener('error', reject);
      request.send(body);
    });

interface SentRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: FormData | string;
}

/** Code of the project may leave out everything. */
interface ErrorBody extends Partial<Pick<Refusal, 'message' | 'code' | 'limit' | 'issues'>> {
  readonly name?: string;
  readonly details?: { readonly errors?: unknown } | null;
}

/** The error of a response, in the language of the user. */
function refusalIn(answer: unknown, { status, statusText }: Response, texts: Texts): RequestError {
  const isError = typeof answer === 'object' && answer !== null && 'error' in answer;
  const error = (isError ? (answer.error as ErrorBody | null) : null) ?? {};
  const { name = 'Error', message = statusText, details } = error;
  const listed = Array.isArray(details?.errors) ? (details.errors as readonly Reason[]) : [];
  const { code, limit, issues } = error;
  const refusal: Refusal = { message, status, code, limit, issues: issues ?? listed };
  return new RequestError(status, name, explain(texts, refusal), { ...details, errors: reasonsIn(texts, refusal) });
}

/** Undefined if it is not JSON: a proxy may have answered. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
