import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** As operators configure it. */
const recipe = readFileSync('docs/deployment/varnish.vcl', 'utf8');
/** Tests see what the cache has done. */
const telling = `
sub vcl_deliver {
  set resp.http.x-hits = obj.hits;
  set resp.http.x-uncacheable = obj.uncacheable;
}
`;

/** Whether Varnish and its module xkey are installed. @param folder for its files */
export function hasVarnish(folder: string): boolean {
  const file = path.join(folder, 'installed.vcl');
  writeFileSync(file, 'vcl 4.1;\nimport xkey;\nbackend default none;\n');
  return spawnSync('varnishd', ['-j', 'none', '-n', path.join(folder, 'installed'), '-C', '-f', file]).status === 0;
}

export interface Varnish {
  readonly url: string;
  stop(): Promise<void>;
}

/** @param port of the service on this machine */
export async function startVarnish(folder: string, port: number): Promise<Varnish> {
  const [file, own] = [path.join(folder, 'recipe.vcl'), path.join(folder, 'varnish')];
  mkdirSync(own);
  writeFileSync(file, recipe.replace('.port = "1337"', `.port = "${port}"`) + telling);
  const varnish = spawn(
    'varnishd',
    // Connections stay open: no request comes when one is closed.
    ['-j', 'none', '-F', '-n', own, '-a', '127.0.0.1:0', '-s', 'malloc,64m', '-p', 'timeout_idle=3600', '-f', file],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = once(varnish, 'exit');
  const lines: string[] = [];
  const started = new Promise<void>((resolve, reject) => {
    for (const output of [varnish.stdout, varnish.stderr])
      createInterface(output).on('line', (line) => {
        lines.push(line);
        if (line.includes('said Child starts')) resolve();
      });
    varnish.once('exit', () => reject(new Error(`Varnish does not start:\n${lines.join('\n')}`)));
  });
  await started;
  const { stdout } = spawnSync('varnishadm', ['-n', own, 'debug.listen_address'], { encoding: 'utf8' });
  return {
    url: `http://127.0.0.1:${/127\.0\.0\.1 (\d+)/.exec(stdout)?.[1]}`,
    stop: async () => {
      varnish.kill('SIGTERM');
      await ended;
    },
  };
}
