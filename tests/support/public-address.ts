import { startProxy } from './start-proxy.js';

/** An address that is known before the service is there to which it leads. */
export interface PublicAddress {
  readonly url: string;
  /** From now on it leads to what listens here. */
  leadTo(url: string): void;
  close(): Promise<void>;
}

/** @param host a name of this machine, e.g. `localhost`, which browsers trust without encryption */
export async function openPublicAddress(host = '127.0.0.1'): Promise<PublicAddress> {
  let port = 0;
  const proxy = await startProxy(
    () => ({ host: '127.0.0.1', port }),
    (client, server) => {
      client.pipe(server);
      server.pipe(client);
    },
  );
  return {
    url: `http://${host}:${proxy.port}`,
    leadTo: (url) => {
      port = Number(new URL(url).port);
    },
    close: proxy.close,
  };
}
