import http from 'node:http';
import https from 'node:https';
import { reasonOf } from '../../../errors/reason-of.js';
import { lookUpPublic, namesPrivateAddress } from './private-networks.js';

/** A request to a receiver. */
export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The result: a status, or the reason for its absence. */
export interface Outcome {
  readonly status?: number;
  readonly error?: string;
  readonly milliseconds: number;
}

const REFUSED = 'the address is in a private network; WEBHOOK_PRIVATE_NETWORKS=true allows it';
/** Bytes of a response that are read, so that the connection can be used again. */
const MAX_RESPONSE = 65_536;
const CONNECTIONS = 5;

/** As Strapi v4 sends its requests; receivers may rely on it. */
const ownHeaders = {
  Accept: '*/*',
  'User-Agent': 'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
  'Accept-Encoding': 'gzip,deflate',
};

/**
 * Connects to the address that was checked: names are resolved only once, and redirects are not followed.
 * @param allowPrivate receivers in private networks are allowed
 * @param timeoutMs milliseconds for the whole exchange
 */
export function openSender(allowPrivate: boolean, timeoutMs: number) {
  const options = { keepAlive: true, maxSockets: CONNECTIONS, maxFreeSockets: CONNECTIONS } as const;
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) } as const;
  const lookup = allowPrivate ? undefined : lookUpPublic(REFUSED);
  const exchange = (url: URL, { headers, body }: Omit<OutgoingRequest, 'url'>, signal: AbortSignal): Promise<number> =>
    new Promise((resolve, reject) => {
      const isSecure = url.protocol === 'https:';
      const request = isSecure ? https.request : http.request;
      const agent = agents[isSecure ? 'https:' : 'http:'];
      const length = { 'Content-Length': String(Buffer.byteLength(body)) };
      const sent = request(
        url,
        { method: 'POST', headers: withDefaults({ ...headers, ...length }), agent, lookup, signal },
        (response) => {
          let bytes = 0;
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            if (bytes > MAX_RESPONSE) response.destroy();
          });
          response.on('error', () => undefined);
          response.on('close', () => resolve(response.statusCode ?? 0));
        },
      );
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The receiver closed the idle connection while the request was sent, so it gets it on another one.
        if (sent.reusedSocket && /^(?:ECONNRESET|EPIPE)$/.test(error.code ?? ''))
          resolve(exchange(url, { headers, body }, signal));
        else reject(error);
      });
      sent.end(body);
    });
  return {
    /** Sends a request; resolves for every outcome. */
    send: async (request: OutgoingRequest, stop?: AbortSignal): Promise<Outcome> => {
      const start = performance.now();
      const took = (): { readonly milliseconds: number } => ({ milliseconds: Math.round(performance.now() - start) });
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const url = new URL(request.url);
        if (!allowPrivate && namesPrivateAddress(url)) throw new Error(REFUSED);
        const signal = stop === undefined ? timeout : AbortSignal.any([timeout, stop]);
        return { status: await exchange(url, request, signal), ...took() };
      } catch (error) {
        return { error: timeout.aborted ? `no response within ${timeoutMs} ms` : messageOf(error), ...took() };
      }
    },
    /** Closes idle connections. */
    close: (): void => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

export type Sender = ReturnType<typeof openSender>;

function withDefaults(headers: Readonly<Record<string, string>>): Record<string, string> {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const missing = Object.entries(ownHeaders).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...headers, ...Object.fromEntries(missing) };
}

const messageOf = (error: unknown): string => reasonOf(error).slice(0, 200);
