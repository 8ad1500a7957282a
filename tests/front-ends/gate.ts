import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What stands between the service and a site, so that a test decides when the site learns of a change, and by which
 * request.
 */
export interface Gate {
  readonly url: string;
  /** Where requests go that pass. */
  site: string;
  /**
   * Holds requests to a path until they are released. Those to others are acknowledged, and the site never sees them.
   */
  hold(path: string): void;
  /** Waits until a request is held. */
  held(): Promise<void>;
  /** Lets what is held pass to the site, and from now on all to this path. */
  release(): void;
  /** What the site has answered. */
  readonly statuses: readonly number[];
  stop(): Promise<void>;
}

interface Held {
  readonly body: Buffer;
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
}

export async function openGate(): Promise<Gate> {
  let path: string | undefined;
  let isOpen = false;
  let waiting: Held[] = [];
  const statuses: number[] = [];
  const pass = async ({ body, request, response }: Held): Promise<void> => {
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
    const init = { method: 'POST', headers: headers as Record<string, string>, body };
    const { status } = await fetch(gate.site + path, init);
    statuses.push(status);
    response.writeHead(status).end();
  };
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const held = { body: Buffer.concat(chunks), request, response };
      if (request.url !== path) response.writeHead(204).end();
      else if (isOpen) void pass(held);
      else {
        waiting.push(held);
        server.emit('held');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gate: Gate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    site: '',
    statuses,
    hold: (held) => {
      path = held;
      isOpen = false;
    },
    held: async () => {
      while (waiting.length === 0) await once(server, 'held');
    },
    release: () => {
      isOpen = true;
      for (const one of waiting) void pass(one);
      waiting = [];
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return gate;
}
