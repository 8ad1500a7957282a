import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** Stands between a service and its database, and makes trouble. */
export interface Proxy {
  readonly port: number;
  /** Milliseconds that each piece of an answer is late; Infinity: it comes when that is over. */
  setDelay(delay: () => number): void;
  /** Cuts all connections, in the middle of whatever is said. */
  cut(): void;
  /** Another place of the database. */
  setTarget(port: number): void;
  close(): Promise<void>;
}

export async function startProxy(target: number): Promise<Proxy> {
  const links = new Map<net.Socket, () => void>();
  let place = target;
  let delayOf = (): number => 0;
  const server = net.createServer((client) => {
    const database = net.connect(place, '127.0.0.1');
    const pieces: Buffer[] = [];
    let timer: NodeJS.Timeout | undefined;
    /** In order, one after the other. */
    const next = (): void => {
      const delay = delayOf();
      if (timer !== undefined || pieces.length === 0 || delay === Infinity) return;
      timer = setTimeout(() => {
        timer = undefined;
        const piece = pieces.shift();
        if (piece !== undefined && !client.destroyed) client.write(piece);
        next();
      }, delay);
    };
    const end = (): void => {
      clearTimeout(timer);
      links.delete(client);
      client.destroy();
      database.destroy();
    };
    links.set(client, next);
    client.on('data', (data) => database.write(data));
    database.on('data', (data) => {
      pieces.push(data);
      next();
    });
    for (const socket of [client, database]) socket.on('error', end).on('close', end);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const cut = (): void => {
    for (const client of links.keys()) client.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    setDelay: (delay) => {
      delayOf = delay;
      for (const goOn of links.values()) goOn();
    },
    cut,
    setTarget: (port) => {
      place = port;
    },
    close: async () => {
      const closed = once(server.close(), 'close');
      cut();
      await closed;
    },
  };
}
