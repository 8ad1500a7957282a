import { spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { optionalNames } from '../../src/config/optional-package.js';
import { waitForReady } from '../support/wait-for-ready.js';

const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'content-service-init-'));
const project = path.join(parent, 'My Site');
const { DRAFTS: _drafts, ...environment } = process.env;

function run(folder: string, command: string, ...args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(command, args, { cwd: folder, env: environment, encoding: 'utf8' });
}
const init = (...args: readonly string[]): SpawnSyncReturns<string> =>
  run(parent, process.execPath, path.resolve('bin/content-service.mjs'), 'init', ...args);
const read = (file: string): string => fs.readFileSync(path.join(project, file), 'utf8');

const program = path.resolve('bin/content-service.mjs');
const settings = {
  ...environment,
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  MONGODB_URI: process.env['TEST_MONGODB_URI'],
  DATABASE_NAME: `init_${process.pid}`,
};
const spawnService = () => spawn(process.execPath, [program, 'start', '--port', '0'], { cwd: project, env: settings });
const access = (...args: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [program, 'access', ...args], { cwd: project, env: settings, encoding: 'utf8' });

beforeAll(() => {
  const { status, stdout, stderr } = init('My Site', '--type', 'story');
  if (status !== 0 || !stdout.includes('npm test')) throw new Error(stdout + stderr);
  // tests/cli/package.test.ts installs the packed package.
  fs.mkdirSync(path.join(project, 'node_modules'));
  fs.symlinkSync(path.resolve('.'), path.join(project, 'node_modules/content-service'));
});
afterAll(() => fs.rmSync(parent, { recursive: true, force: true }));

test('init writes an ES module with the packed clone, its editor, the engine for development, and secrets readable by the user only', () => {
  const { name, type, dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, unknown>;
  const files = fs.readdirSync(project).filter((file) => file.endsWith('.tgz'));
  const fileOf = (name: string): string => files.find((file) => file.startsWith(name)) ?? '';
  const [tarball, editor, engine] = ['content-service-0', 'content-service-editor', 'content-service-embedded'].map(
    fileOf,
  );
  // `add` installs the others from there.
  expect(optionalNames.filter((name) => !files.some((file) => file.startsWith(`content-service-${name}-`)))).toEqual(
    [],
  );
  const packed = run(project, 'tar', '-tzf', String(tarball)).stdout;
  for (const file of ['bin/content-service.mjs', 'dist/main.js', 'dist/swagger-ui/swagger-ui.css']) {
    expect(packed).toContain(`package/${file}\n`);
  }
  expect({ name, type, dependencies, devDependencies }).toEqual({
    name: 'my-site',
    type: 'module',
    dependencies: { 'content-service': `file:${tarball}`, '@content-service/editor': `file:${editor}` },
    devDependencies: { '@content-service/embedded-mongod': `file:${engine}` },
  });
  expect(fs.statSync(path.join(project, '.env')).mode & 0o777).toBe(0o600);
  const secrets = [...read('.env').matchAll(/^(?:JWT_SECRET|API_TOKEN_SALT|EDITOR_TOKEN)=([\w-]{32})$/gm)];
  expect(new Set(secrets.map(([, secret]) => secret)).size).toBe(3);
  expect(read('.env.example')).toMatch(/^JWT_SECRET=$/m);
  for (const ignored of ['.gitignore', '.dockerignore']) expect(read(ignored)).toMatch(/^\.env$/m);
  expect(read('Dockerfile')).toContain('DRAFTS=restricted');
});

test('the tests written by init pass', () => {
  const { status, stdout } = run(project, 'npm', 'test');
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^# pass 2$/m) });
});

test('the project written by init starts, hides drafts, and accepts entries with the token of .env', async () => {
  const service = spawnService();
  const ended = once(service, 'exit');
  try {
    const { url, output } = await waitForReady(service);
    expect(output).toContain('Drafts: shown only with the permission');
    const [, token] = /^EDITOR_TOKEN=(.+)$/m.exec(read('.env')) ?? [];
    const created = await fetch(`${url}/api/stories`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ data: { title: 'On Bread' } }),
    });
    expect(await created.json()).toMatchObject({ data: { attributes: { slug: 'on-bread' } } });
    const { data } = (await (await fetch(`${url}/api/stories`)).json()) as { readonly data: readonly unknown[] };
    expect(data).toHaveLength(1);
  } finally {
    service.kill('SIGTERM');
    await ended;
  }
});

test('the role editor writes drafts, finds them, and uploads files', async () => {
  const service = spawnService();
  const ended = once(service, 'exit');
  try {
    const { url } = await waitForReady(service);
    const created = access('user', 'create', 'ann@example.org', '--role', 'editor', '--json');
    const [{ password }] = JSON.parse(created.stdout) as [{ readonly password: string }];
    const send = (place: string, body: object | FormData, token?: string): Promise<Response> =>
      fetch(`${url}/api${place}`, {
        method: 'POST',
        headers: {
          ...(!(body instanceof FormData) && { 'Content-Type': 'application/json' }),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        },
        body: body instanceof FormData ? body : JSON.stringify(body),
      });
    const login = await send('/auth/local', { identifier: 'ann@example.org', password });
    const { jwt } = (await login.json()) as { readonly jwt: string };
    const data = { title: 'Not yet', publishedAt: null };
    expect((await send('/stories', { data }, jwt)).status).toBe(200);
    const drafts = await fetch(`${url}/api/stories?publicationState=preview&filters[title]=Not%20yet`, {
      headers: { Authorization: `Bearer ${jwt}` },
    });
    expect(await drafts.json()).toMatchObject({ data: [{ attributes: { title: 'Not yet' } }] });
    const form = new FormData();
    form.append('files', new Blob(['text'], { type: 'text/plain' }), 'note.txt');
    expect((await send('/upload', form, jwt)).status).toBe(200);
  } finally {
    service.kill('SIGTERM');
    await ended;
  }
});

test('nobody can register in production until access.json says so', () => {
  const { roles } = JSON.parse(read('content-types/access.json')) as {
    readonly roles: Readonly<Record<string, { readonly permissions: readonly string[] }>>;
  };
  const granted = Object.values(roles).flatMap(({ permissions }) => permissions);
  expect(granted).toContain('plugin::users-permissions.auth.callback');
  expect(granted).not.toContain('plugin::users-permissions.auth.register');
});

describe('generate', () => {
  const generate = (...args: readonly string[]): SpawnSyncReturns<string> =>
    run(project, process.execPath, program, 'generate', ...args);

  test('lets the role editor use a new type, and says how it is reached', () => {
    const { status, stdout } = generate('type', 'news', 'title:string');
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: [
        'Written: content-types/news.json',
        'REST: /api/newses; --plural chooses another plural',
        'content-types/access.json: the role editor may use it; for all readers, add to the permissions of the role public: "api::news.news.find", "api::news.news.findOne"\n',
      ].join('\n'),
    });
    const { roles } = JSON.parse(read('content-types/access.json')) as Record<string, Record<string, unknown>>;
    const actions = ['find', 'findOne', 'create', 'update', 'delete'];
    expect(roles).toMatchObject({
      editor: { permissions: expect.arrayContaining(actions.map((action) => `api::news.news.${action}`)) },
    });
  });

  test.each([
    ['page', 'tag:manyToOne:tag', 'tag: there is no content type "api::tag.tag"', 'generate type tag makes it'],
    ['page', 'seo:component:shared.seo', 'seo: there is no component "shared.seo"', 'generate component shared.seo'],
  ])('%s with %s names what is missing, and writes nothing', (name, attribute, problem, advice) => {
    const { status, stderr } = generate('type', name, attribute);
    expect([status, stderr]).toEqual([1, expect.stringContaining(problem)]);
    expect(stderr).toContain(advice);
    expect(fs.existsSync(path.join(project, `content-types/${name}.json`))).toBe(false);
  });
});

test('init names the project of Strapi that a folder has', () => {
  const folder = path.join(parent, 'shop');
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "dependencies": { "@strapi/strapi": "5.54.0" } }');
  expect(init('shop').stderr).toContain('it has a project of Strapi 5 (5.54.0), which runs as it is');
});

test.each([
  [['My Site'], 'My Site is not empty'],
  [['other', '--type', 'Bad Name'], '"Bad Name" is not a valid name'],
])('init %j is refused, and writes nothing', (args, message) => {
  const before = fs.readdirSync(project).length;
  expect(init(...args)).toMatchObject({ status: 1, stderr: expect.stringContaining(message) });
  expect(fs.readdirSync(project).length).toBe(before);
  expect(fs.existsSync(path.join(parent, 'other'))).toBe(false);
});
