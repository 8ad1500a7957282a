import { spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { installPacked } from '../support/installed-packages.js';
import { minutes } from '../support/scaled.js';
import { waitForReady } from '../support/wait-for-ready.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'content-service-package-'));
const environment = {
  ...process.env,
  MONGODB_URI: process.env['TEST_MONGODB_URI'],
  DATABASE_NAME: `package_${process.pid}`,
  PORT: '0',
  NODE_ENV: 'development',
  MY_TOKEN: 'at-least-sixteen-characters',
};

interface Manifest {
  readonly dependencies: object;
  readonly devDependencies: object;
}

function run(command: string, ...args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(command, args, { cwd: folder, env: environment, encoding: 'utf8' });
}
const program = (...args: readonly string[]): SpawnSyncReturns<string> =>
  run('node_modules/.bin/content-service', ...args);

/** The packages of a new project. */
const names = ['content-service', '@content-service/editor', '@content-service/embedded-mongod'];
let tarballs: readonly string[];
beforeAll(() => {
  tarballs = installPacked(folder, names);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the program lists its commands and refuses unknown ones', () => {
  const help = program('--help');
  expect([help.status, help.stderr]).toEqual([0, '']);
  for (const name of [
    'start',
    'dev',
    'seed',
    'import',
    'compare',
    'access',
    'types',
    'migrate',
    'check-data',
    'generate',
  ])
    expect(help.stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
  expect(help.stdout).toContain('Exit codes: 0 success;');
  expect(program('strat')).toMatchObject({ status: 2, stderr: expect.stringContaining('Did you mean start?') });
  expect(program('generate', 'type')).toMatchObject({ status: 1, stderr: expect.stringContaining('Add the name') });
});

test('the package has the version of its build in its name, in package.json and in the program', () => {
  const { version } = JSON.parse(readFileSync('dist/version.json', 'utf8')) as { readonly version: string };
  expect(readdirSync(folder)).toContain(`content-service-${version}.tgz`);
  const manifest = readFileSync(path.join(folder, 'node_modules/content-service/package.json'), 'utf8');
  expect(JSON.parse(manifest)).toMatchObject({ version });
  // Npm warns of scripts that it would run.
  expect(JSON.parse(manifest)).not.toHaveProperty('scripts');
  expect(program('--version').stdout).toBe(`${version}\n`);
});

test('init puts the files of the release into the project, and names those that a project begins with', () => {
  expect(program('init', 'site', '--yes')).toMatchObject({ status: 0 });
  const [tarball = '', editor = '', engine = ''] = tarballs;
  for (const file of tarballs) {
    // Jest compares the elements of a buffer one by one, for 14 seconds.
    expect(readFileSync(path.join(folder, 'site', file)).equals(readFileSync(path.join(folder, file)))).toBe(true);
  }
  const { dependencies, devDependencies } = readManifest('site');
  expect(dependencies).toEqual({ 'content-service': `file:${tarball}`, '@content-service/editor': `file:${editor}` });
  expect(devDependencies).toEqual({ '@content-service/embedded-mongod': `file:${engine}` });
  expect(readFileSync(path.join(folder, 'site/README.md'), 'utf8')).toContain('`*.tgz`');

  const refused = program('init', 'assisted', '--yes', '--with', 'mcp');
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('no file of @content-service/mcp') });

  const moved = path.join(folder, 'moved');
  renameSync(path.join(folder, tarball), moved);
  expect(program('init', 'other', '--yes')).toMatchObject({ status: 1, stderr: expect.stringContaining('is gone') });
  expect(existsSync(path.join(folder, 'other'))).toBe(false);
  renameSync(moved, path.join(folder, tarball));

  const record = path.join(folder, 'node_modules/.package-lock.json');
  const text = readFileSync(record, 'utf8');
  writeFileSync(record, '{ "packages": { "node_modules/content-service": { "version": "0.1.0" } } }');
  expect(program('init', 'registered', '--yes', '--with', 'mcp,audit')).toMatchObject({ status: 0 });
  writeFileSync(record, text);
  const registered = readManifest('registered');
  const version = expect.stringMatching(/^\d+\.\d+\.\d+/);
  expect(registered.dependencies).toEqual({
    'content-service': version,
    '@content-service/editor': version,
    '@content-service/mcp': version,
    '@content-service/audit': version,
  });
  expect(readFileSync(path.join(folder, 'registered/config/plugins.js'), 'utf8')).toContain(
    '  audit: true,\n  mcp: true,\n',
  );
});

const readManifest = (project: string): Manifest =>
  JSON.parse(readFileSync(path.join(folder, project, 'package.json'), 'utf8')) as Manifest;

test('a package that is not installed is named with the command that installs it', () => {
  expect(program('mcp', '--token', 'x')).toMatchObject({
    status: 2,
    stderr: 'The command mcp needs the package @content-service/mcp: npx content-service add mcp\n',
  });
  expect(program('cdn', 'test')).toMatchObject({
    status: 2,
    stderr: 'The command cdn needs the package @content-service/cdn: npx content-service add cdn\n',
  });
  const missing = path.join(folder, String(tarballs[0]).replace('content-service-', 'content-service-mcp-'));
  expect(program('add', 'mcp')).toMatchObject({ status: 1, stderr: expect.stringContaining(`${missing} is missing`) });
  const place = path.join(folder, 'node_modules/@content-service');
  renameSync(place, `${place}-away`);
  const start = spawnSync(process.execPath, [path.join(folder, 'node_modules/content-service/dist/main.js')], {
    cwd: path.join(folder, 'site'),
    env: { ...environment, MONGODB_URI: '', DATABASE: 'embedded' },
    encoding: 'utf8',
  });
  const types = (): string => {
    const options = { cwd: path.join(folder, 'site'), env: environment, encoding: 'utf8' } as const;
    return spawnSync('../node_modules/.bin/content-service', ['types'], options).stderr;
  };
  writeFileSync(path.join(folder, 'site/config/cdn.json'), '{ "caches": [] }');
  const caches = types();
  rmSync(path.join(folder, 'site/config/cdn.json'));
  const named = ['true', '{ config: { name: "Bakery" } }'].map((settings) => {
    writeFileSync(path.join(folder, 'site/config/plugins.js'), `export default { admin: ${settings} };`);
    return types();
  });
  renameSync(`${place}-away`, place);
  const needed = 'The plugin admin needs the package @content-service/editor: npx content-service add editor\n';
  expect(named).toEqual([expect.stringContaining(needed), expect.stringContaining(needed)]);
  expect(caches).toContain(
    'The plugin cdn, which reads config/cdn.json, needs the package @content-service/cdn: npx content-service add cdn\n',
  );
  expect(start.status).toBe(1);
  expect(start.stderr + start.stdout).toContain('npx content-service add embedded-mongod');
});

// It starts the service and a compiler.
test(
  'the installed package generates a content type, starts, and writes types that compile',
  async () => {
    expect(program('generate', 'component', 'shared.seo', 'metaTitle:string!')).toMatchObject({ status: 0 });
    const written = program(
      'generate',
      'type',
      'article',
      'title:string!',
      'kind:enumeration:essay,note',
      'seo:component:shared.seo',
    );
    expect(written.stdout).toMatch(/^Written: content-types\/article\.json\n/);
    const { $schema } = JSON.parse(readFileSync(path.join(folder, 'content-types/article.json'), 'utf8')) as {
      readonly $schema: string;
    };
    expect(() => readFileSync(path.join(folder, 'content-types', $schema))).not.toThrow();
    const broken = program('generate', 'type', 'note', 'author:manyToOne:nobody');
    expect(broken).toMatchObject({ status: 1, stderr: expect.stringContaining('api::nobody.nobody') });
    expect(readdirSync(path.join(folder, 'content-types')).toSorted()).toEqual(['article.json', 'components']);

    const access = { tokens: { me: { type: 'full-access', key: { env: 'MY_TOKEN' } } } };
    writeFileSync(path.join(folder, 'content-types/access.json'), JSON.stringify(access));
    expect(program('types', '--out', 'types/content.d.ts')).toMatchObject({ status: 0 });
    writeFileSync(path.join(folder, 'client.ts'), clientProgram);
    const compiled = spawnSync(
      path.resolve('node_modules/.bin/tsc'),
      ['--strict', '--target', 'es2023', '--module', 'nodenext', 'client.ts'],
      { cwd: folder, encoding: 'utf8' },
    );
    expect([compiled.status, compiled.stdout]).toEqual([0, '']);

    const service = spawn('node_modules/.bin/content-service', ['start'], { cwd: folder, env: environment });
    const ended = once(service, 'exit');
    try {
      const { url } = await waitForReady(service);
      const client = spawnSync(process.execPath, ['client.js', url], {
        cwd: folder,
        env: environment,
        encoding: 'utf8',
      });
      expect([client.stdout, client.stderr]).toEqual(['On Bread Bread\n', '']);
      expect((await fetch(`${url}/documentation/swagger-ui-bundle.js`)).status).toBe(200);
      const page = await (await fetch(`${url}/admin`, { headers: { accept: 'text/html' } })).text();
      const [, script] = /<script type="module" src="([^"]+)"/.exec(page) ?? [];
      expect((await fetch(`${url}${script}`)).status).toBe(200);
    } finally {
      service.kill('SIGTERM');
      await ended;
    }
    expect(service.exitCode).toBe(0);
    expect(program('check-data')).toMatchObject({ status: 0 });
  },
  minutes(5),
);

const clientProgram = `
import { createClient } from 'content-service/client';
import type { ContentTypes } from './types/content.js';

declare const process: { argv: string[]; env: Record<string, string> };
const client = createClient<ContentTypes>({ url: process.argv[2] ?? '', token: process.env['MY_TOKEN'] ?? '' });
await client.create('articles', { title: 'On Bread', kind: 'essay', seo: { metaTitle: 'Bread' } });
await client.create('articles', { title: 'On Salt', kind: 'note' });
const { data } = await client.find('articles', { filters: { kind: 'essay' }, fields: ['title'], populate: ['seo'] });
const title: string = data[0]?.attributes.title ?? '';
(globalThis as unknown as { console: { log(text: string): void } }).console.log(
  data.map(({ attributes }) => \`\${attributes.title} \${attributes.seo?.metaTitle}\`).join() || title,
);
`;
