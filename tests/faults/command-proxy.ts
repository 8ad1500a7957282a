import { startProxy } from '../support/start-proxy.js';

/** Stands between a service and its database, and stops at one of the commands that write. */
export interface CommandProxy {
  readonly uri: string;
  /** Calls `stop` instead of sending this command, counted from now on, and holds all later ones. */
  stopAt(command: number, stop: () => void): Promise<void>;
  /** Sends what is held. */
  release(): void;
  close(): Promise<void>;
}

/** Commands of a write; what a driver or a heartbeat sends beside it does not count. */
const counted = /\b(?:insert|update|delete|findAndModify|bulkWrite)\b/;

export async function startCommandProxy(target: string): Promise<CommandProxy> {
  const { hostname, port } = new URL(target);
  const held: (() => void)[] = [];
  let isHolding = false;
  let left = Infinity;
  let reach: () => void = () => undefined;
  const pass = (data: Buffer, send: () => void): void => {
    // Messages of one command are short enough to arrive in one piece, and each names its command at its beginning.
    if (!isHolding && counted.test(data.subarray(0, 60).toString('latin1'))) {
      left -= 1;
      if (left === 0) {
        isHolding = true;
        reach();
      }
    }
    if (isHolding) held.push(send);
    else send();
  };
  const place = { host: hostname, port: Number(port) };
  const proxy = await startProxy(
    () => place,
    (client, database) => {
      client.on('data', (data) => pass(data, () => database.write(data)));
      database.on('data', (data) => client.write(data));
    },
  );
  const uri = new URL(target);
  uri.hostname = '127.0.0.1';
  uri.port = String(proxy.port);
  return {
    uri: uri.href,
    stopAt: (command, stop) => {
      left = command;
      return new Promise((resolve) => {
        reach = () => {
          stop();
          resolve();
        };
      });
    },
    release: () => {
      left = Infinity;
      isHolding = false;
      for (const send of held.splice(0)) send();
    },
    close: proxy.close,
  };
}
