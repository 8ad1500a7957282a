import { startProxy, type Proxy } from '../support/start-proxy.js';

/** Stands between a service and its database, and makes trouble. */
export interface UnreliableProxy extends Proxy {
  /** Milliseconds that each piece of an answer is late; Infinity: it comes when that is over. */
  setDelay(delay: () => number): void;
  /** Another place of the database. */
  setTarget(port: number): void;
}

export async function startUnreliableProxy(target: number): Promise<UnreliableProxy> {
  const links = new Set<() => void>();
  let place = target;
  let delayOf = (): number => 0;
  const proxy = await startProxy(
    () => ({ host: '127.0.0.1', port: place }),
    (client, database) => {
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
      links.add(next);
      client.once('close', () => {
        clearTimeout(timer);
        links.delete(next);
      });
      client.on('data', (data) => database.write(data));
      database.on('data', (data) => {
        pieces.push(data);
        next();
      });
    },
  );
  return {
    ...proxy,
    setDelay: (delay) => {
      delayOf = delay;
      for (const goOn of links) goOn();
    },
    setTarget: (port) => {
      place = port;
    },
  };
}
