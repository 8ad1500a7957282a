import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestListener } from 'node:http';
import { duplexPair } from 'node:stream';
import lodash from 'lodash';
import qs from 'qs';
import { AppError, isRecord, type Data } from 'content-service/plugin';

/** A request to the API of the service. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the prefix of the API, e.g. `/articles/1`. */
  readonly path: string;
  readonly query?: Data;
  /** Sent as JSON; a form is sent as it is. */
  readonly body?: Data | FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiResponse {
  readonly body: Data;
  readonly headers: IncomingHttpHeaders;
}

/** @throws Refused, AppError tooCostly for a response that is too long */
export type CallApi = (request: ApiRequest) => Promise<ApiResponse>;

/** The API refused a request. */
export class Refused extends Error {
  readonly status: number;
  readonly details: unknown;

  constructor(status: number, message: string, details: unknown) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/** The headers by which the API knows the client and its address. */
const forwarded = [
  'authorization',
  'host',
  'user-agent',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
];

/** Bytes of the headers of a request: long URLs are refused by the API itself. */
const MAX_HEADERS = 1_048_576;

/**
 * Bytes of a response. What a write returns was tried before, without ids: it must not be refused once it has happened.
 */
const MAX_RESPONSE = { tried: 1_048_576, written: 4_194_304 };

/**
 * Requests to the API within this process, by the same routes as those of any client: whatever code of the project,
 * rights and limits do to a request applies to these too.
 * @param prefix of the API, `/api`
 */
export function openApi(app: RequestListener, prefix: string): (client: IncomingMessage) => CallApi {
  const server = http.createServer({ maxHeaderSize: MAX_HEADERS }, app);
  return (client) => async (request) => {
    const { method, path, query = {}, body } = request;
    const encoded = body instanceof FormData ? new Response(body) : body && Response.json(body);
    const headers = {
      ...lodash.pick(client.headers, forwarded),
      ...Object.fromEntries(encoded?.headers ?? []),
      connection: 'close',
      ...request.headers,
    };
    const [near, far] = duplexPair();
    // An end that is destroyed does not close the other.
    far.once('close', () => near.destroy());
    near.once('close', () => far.destroy());
    // What the service uses of a socket. Nothing here reads slowly.
    const socket = { remoteAddress: client.socket.remoteAddress, setTimeout: () => far, door: 'mcp' };
    server.emit('connection', Object.assign(far, socket));
    const search = qs.stringify(query, { addQueryPrefix: true, encodeValuesOnly: true });
    const sent = http.request({
      method,
      path: prefix + path + search,
      headers,
      createConnection: () => near,
    });
    sent.end(encoded && Buffer.from(await encoded.arrayBuffer()));
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve).on('error', reject);
    });
    const isTried = method === 'GET' || query['dryRun'] === true;
    const limit = isTried ? MAX_RESPONSE.tried : MAX_RESPONSE.written;
    const bytes = await readBytes(response, limit, () => new AppError('tooCostly', 'bytes of a response', limit));
    const parsed = parse(bytes.toString());
    if (response.statusCode !== undefined && response.statusCode < 400)
      return { body: parsed, headers: response.headers };
    const { message, details } = isRecord(parsed['error']) ? parsed['error'] : {};
    throw new Refused(response.statusCode ?? 500, typeof message === 'string' ? message : 'Unknown error', details);
  };
}

/** The object or list that a response is; others are errors in plain text. */
function parse(text: string): Data {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : { data: value };
  } catch {
    return { error: { message: text } };
  }
}

/** The bytes of a response. @param refuse the error for more than `limit` */
export async function readBytes(
  response: IncomingMessage,
  limit: number,
  refuse: () => Error,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes > limit) throw refuse();
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
