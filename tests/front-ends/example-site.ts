import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

/** A site of the folder `examples`, in a copy that is installed, built and started as its README says. */
export interface ExampleSite {
  readonly folder: string;
  readonly url: string;
  stop(): Promise<void>;
}

export type Variables = Readonly<Record<string, string>>;

/** What is downloaded stays for the next run. */
const npm = { npm_config_cache: path.resolve('node_modules/.cache/npm'), npm_config_update_notifier: 'false' };

/** Whether packages can be installed here: whoever has no registry skips what needs it. */
export function hasRegistry(name: string): boolean {
  const args = ['view', name, 'version', '--fetch-retries=0', '--fetch-timeout=20000'];
  return spawnSync('npm', args, { env: { ...process.env, ...npm } }).status === 0;
}

/** @throws Error with the output of the step that fails */
export async function startExample(name: string, variables: Variables): Promise<ExampleSite> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `content-service-${name}-`));
  try {
    await cp(path.join('examples', name), folder, { recursive: true });
    const environment = { ...process.env, ...npm, ...variables };
    await run(folder, environment, 'ci', '--ignore-scripts', '--prefer-offline');
    await run(folder, environment, 'run', 'build');
    const { url, child } = await start(folder, environment);
    return {
      folder,
      url,
      stop: async () => {
        await end(child);
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

function startNpm(
  folder: string,
  env: Environment,
  args: readonly string[],
): { child: ChildProcess; said: () => string } {
  // A group of its own: npm does not pass on every signal.
  const child = spawn('npm', args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (said += part.toString()));
  return { child, said: () => said };
}

async function run(folder: string, env: Environment, ...args: readonly string[]): Promise<void> {
  const { child, said } = startNpm(folder, env, args);
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${status}\n${said()}`);
}

async function end(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  process.kill(-(child.pid ?? 0));
  await closed;
}

/** Somebody else may have taken the port by then: it starts again with the next one. */
async function start(folder: string, environment: Environment): Promise<{ url: string; child: ChildProcess }> {
  for (;;) {
    const port = await freePort();
    const { child, said } = startNpm(folder, { ...environment, PORT: String(port), HOST: '127.0.0.1' }, ['start']);
    if (await isReady(child, said)) return { url: `http://127.0.0.1:${port}`, child };
    if (!said().includes('EADDRINUSE')) throw new Error(said());
  }
}

const isReady = (child: ChildProcess, said: () => string): Promise<boolean> =>
  new Promise((resolve) => {
    child.stdout?.on('data', () => /Ready in|Listening on/.test(said()) && resolve(true));
    child.once('close', () => resolve(false));
  });

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
