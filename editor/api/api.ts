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
}

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
  /** That of the user. */
  readonly token?: string | undefined;
  /** Called when the token is not valid any more. */
  readonly onEnd?: () => void;
}

export function createApi({ prefix, unreachable, token, onEnd = () => undefined }: ApiSettings): Api {
  const send = async (method: string, path: string, { query = {}, body, ifMatch }: Sent): Promise<Answer> => {
    const search = encodeQuery(query);
    const isForm = body instanceof FormData;
    const response = await fetch(`${prefix}/${path}${search && '?'}${search}`, {
      method,
      headers: {
        Accept: 'application/json',
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
        ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new RequestError(0, 'NetworkError', unreachable, String(error));
    });
    const answer = parse(await response.text());
    if (response.ok) return { body: answer, etag: response.headers.get('ETag') ?? undefined };
    if (response.status === 401 && token !== undefined) onEnd();
    const { name = 'Error', message = response.statusText, details } = errorOf(answer);
    throw new RequestError(response.status, name, message, details);
  };
  return {
    get: (path, query = {}) => send('GET', path, { query }),
    send: (method, path, sent = {}) => send(method, path, sent),
  };
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
