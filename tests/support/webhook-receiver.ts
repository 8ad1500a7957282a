import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that arrived. */
export interface Arrival {
  readonly path: string;
  readonly method: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  // A test says what it expects of a body; anything may come.
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any
  readonly answered: Answered;
}

/** A status; or nothing, and the connection is cut off or left open. */
export type Answered = number | 'cut off' | 'silence';

/** A receiver of webhooks on this machine. */
export interface Receiver {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** Waits for this number of requests. */
  arrived(count: number): Promise<readonly Arrival[]>;
  /** Sets the response to the next deliveries. */
  answer(answered: Answered | (() => Answered), headers?: Readonly<Record<string, string>>): void;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  let decide: () => Answered = () => 200;
  let answerHeaders: Readonly<Record<string, string>> = {};
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { url: path = '', method = '', headers } = request;
      const answered = decide();
      arrivals.push({ path, method, headers, text, body: JSON.parse(text) as unknown, answered });
      server.emit('arrival');
      if (answered === 'cut off') request.socket.destroy();
      else if (answered !== 'silence') response.writeHead(answered, answerHeaders).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    arrived: async (count) => {
      while (arrivals.length < count) await once(server, 'arrival');
      return arrivals;
    },
    answer: (answered, headers = {}) => {
      decide = typeof answered === 'function' ? answered : () => answered;
      answerHeaders = headers;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
