import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** A server before another one, on this machine. */
export interface Proxy {
  readonly port: number;
  /** Cuts all connections, in the middle of whatever is said. */
  cut(): void;
  close(): Promise<void>;
}

/** Where a server is. */
interface Place {
  readonly host: string;
  readonly port: number;
}

/**
 * Starts a proxy on a free port.
 * @param placeOf asked for each connection
 * @param wire connects a client with the server; when one of them ends, both do
 */
export async function startProxy(
  placeOf: () => Place,
  wire: (client: net.Socket, server: net.Socket) => void,
): Promise<Proxy> {
  const clients = new Set<net.Socket>();
  const proxy = net.createServer((client) => {
    const { host, port } = placeOf();
    const server = net.connect(port, host);
    const end = (): void => {
      clients.delete(client);
      client.destroy();
      server.destroy();
    };
    clients.add(client);
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
    wire(client, server);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const cut = (): void => {
    for (const client of clients) client.destroy();
  };
  return {
    port: (proxy.address() as AddressInfo).port,
    cut,
    close: async () => {
      const closed = once(proxy.close(), 'close');
      cut();
      await closed;
    },
  };
}
