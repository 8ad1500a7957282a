import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';

/** The examples of docs/plugins.md as a project of its own, run as its owner runs it. */
const text = fs.readFileSync('docs/plugins.md', 'utf8');
const root = process.cwd();
const environment = {
  ...process.env,
  MONGODB_URI: process.env['TEST_MONGODB_URI'],
  DATABASE_NAME: `test_plugins_page_${process.pid}`,
  NODE_ENV: 'test',
  PORT: '0',
  LOG_LEVEL: 'info',
};
test('the worked example is the plugin that tests/cli/stranger builds and runs', () => {
  const [, example] = /```ts\n\/\/ \S+\n(.*?)```/s.exec(text) ?? [];
  expect(example).toBe(fs.readFileSync('tests/fixtures/stranger/index.ts', 'utf8'));
});

test('the page lists every value that the contract exports', async () => {
  const { rules, ...exported } = await import('../../src/plugin.js');
  const values = [...Object.keys(exported), 'rules', ...Object.keys(rules)].filter((name) => name !== 'oneOf');
  expect(text).toContain('`oneOf(');
  expect(values.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

let project: string;
let service: ChildProcess;
let url = '';

beforeAll(async () => {
  project = fs.mkdtempSync(path.join(os.tmpdir(), 'plugins-page-'));
  const write = (name: string, content: string): void => {
    fs.mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    fs.writeFileSync(path.join(project, name), content);
  };
  for (const [, code = '', name = ''] of text.matchAll(/```js\n(\/\/ (\S+)\n.*?)```/gs)) write(name, code);
  write('content-types/access.json', /```json\n(.*?)```/s.exec(text)?.[1] ?? '');
  write('package.json', '{ "type": "module" }');
  fs.mkdirSync(path.join(project, 'node_modules'));
  fs.symlinkSync(root, path.join(project, 'node_modules/content-service'));

  service = spawn(process.execPath, [path.join(root, 'dist/main.js')], { cwd: project, env: environment });
  for await (const line of createInterface({ input: service.stdout as NodeJS.ReadableStream })) {
    url = /Ready on (http\S+)/.exec(line)?.[1] ?? '';
    if (url !== '') break;
  }
});
afterAll(async () => {
  const ended = once(service, 'exit');
  service.kill();
  await ended;
  fs.rmSync(project, { recursive: true });
  const client = await MongoClient.connect(environment.MONGODB_URI ?? '');
  await client.db(environment.DATABASE_NAME).dropDatabase();
  await client.close();
});

const send = async (path: string, body?: object, token?: string): Promise<{ status: number; body: any }> => {
  const headers = {
    'Content-Type': 'application/json',
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
  const answer = await fetch(
    `${url}/api${path}`,
    body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
  );
  return { status: answer.status, body: answer.status === 204 ? undefined : await answer.json() };
};

test('the plugin of the page stores bookmarks per user', async () => {
  expect((await send('/auth/local', { identifier: 'x', password: 'x' })).status).toBe(400);
  // The settings of the page: nobody registers.
  const account = { username: 'anna', email: 'anna@example.test', password: 'secret-of-anna' };
  expect((await send('/auth/local/register', account)).body.error.message).toBe(
    'Register action is currently disabled',
  );
  const access = (...args: readonly string[]) => {
    const run = spawnSync(process.execPath, [path.join(root, 'bin/content-service.mjs'), 'access', ...args, '--json'], {
      cwd: project,
      env: environment,
      encoding: 'utf8',
    });
    return JSON.parse(run.stdout);
  };
  const [{ password }] = access('user', 'create', account.email);
  const { jwt } = (await send('/auth/local', { identifier: account.email, password })).body;

  expect((await send('/bookmarks')).status).toBe(403);
  const added = await send('/bookmarks', { url: 'https://Example.TEST' }, jwt);
  expect([added.status, added.body.url]).toEqual([201, 'https://example.test/']);
  expect((await send('/bookmarks', { url: 'nowhere' }, jwt)).body.error.message).toBe('url must be an address');
  expect((await send('/bookmarks', undefined, jwt)).body).toMatchObject([{ url: 'https://example.test/' }]);
  expect(access('bookmarks', 'count')).toEqual([{ bookmarks: 1 }]);
  expect((await send('/i18n/locales', undefined, jwt)).status).toBe(404);
});
