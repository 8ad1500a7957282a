import { RequestError } from '../../src/client/client.js';
import { encodeQuery } from '../../src/client/query.js';

export { RequestError };

export interface Answer {
  /** The form depends on the content type, which is data. */
  readonly body: unknown;
  readonly etag: string | undefined;
}

interface Sent {
  readonly query?: object;
  readonly body?: object;
  readonly ifMatch?: string | undefined;
  /** Called with the part of the body that was sent, up to 1. */
  readonly onSent?: ReportSent | undefined;
}

export type ReportSent = (sent: number) => void;

/** The public API of the service. Each function throws a RequestError for a refused request. */
export interface Api {
  readonly get: (path: string, query?: object) => Promise<Answer>;
  readonly send: (method: 'POST' | 'PUT' | 'DELETE', path: string, sent?: Sent) => Promise<Answer>;
}

interface ApiSettings {
  /** The path of the API, `/api`. */
  readonly prefix: string;
  /** The message when the service does not respond. */
  readonly unreachable: string;
  /** That of the user at the moment. */
  readonly token?: () => string | undefined;
  /** Called when it is not valid any more. */
  readonly onEnd?: () => void;
}

export function createApi({ prefix, unreachable, token = () => undefined, onEnd = () => undefined }: ApiSettings): Api {
  const send = async (method: string, path: string, { query = {}, body, ifMatch, onSent }: Sent): Promise<Answer> => {
    const search = encodeQuery(query);
    const used = token();
    const isForm = body instanceof FormData;
    const respond = onSent === undefined ? fetch : fetchReporting(onSent);
    const response = await respond(`${prefix}/${path}${search && '?'}${search}`, {
      method,
      headers: {
        Accept: 'application/json',
        ...(used !== undefined && { Authorization: `Bearer ${used}` }),
        ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
        ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new RequestError(0, 'NetworkError', unreachable, String(error));
    });
    const answer = parse(await response.text());
    if (response.ok) return { body: answer, etag: response.headers.get('ETag') ?? undefined };
    // A password that was changed in the meantime ends earlier tokens, and not the log-in.
    if (response.status === 401 && used !== undefined && used === token()) onEnd();
    const { name = 'Error', message = response.statusText, details } = errorOf(answer);
    throw new RequestError(response.status, name, message, details);
  };
  return {
    get: (path, query = {}) => send('GET', path, { query }),
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

interface ErrorBody {
  readonly name?: string;
  readonly message?: string;
  readonly details?: unknown;
}

const errorOf = (answer: unknown): ErrorBody =>
  (typeof answer === 'object' && answer !== null && 'error' in answer ? (answer.error as ErrorBody | null) : null) ??
  {};

/** Undefined if it is not JSON: a proxy may have answered. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
