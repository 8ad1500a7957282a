import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** A server before another one. */
export interface RunningProxy {
  /** Host and port. */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Starts a proxy on a free port.
 * @param wire connects a client with the server; when one of them ends, both do
 */
export async function startProxy(
  { host, port }: { readonly host: string; readonly port: number },
  wire: (client: net.Socket, server: net.Socket) => void,
): Promise<RunningProxy> {
  const sockets = new Set<net.Socket>();
  const proxy = net.createServer((client) => {
    const server = net.connect(port, host);
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    wire(client, server);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return {
    address: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(proxy.close(), 'close');
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
