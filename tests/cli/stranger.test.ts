import { spawn, spawnSync, type ChildProcessWithoutNullStreams, type SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { installPacked } from '../support/installed-packages.js';
import { minutes } from '../support/scaled.js';
import { waitForReady } from '../support/wait-for-ready.js';

/**
 * A project outside of this repository with the packed service, a plugin of somebody who has nothing else, and the
 * sources of the package `versions`, as if they were theirs.
 */
const folder = mkdtempSync(path.join(os.tmpdir(), 'content-service-stranger-'));
const environment = {
  ...process.env,
  MONGODB_URI: process.env['TEST_MONGODB_URI'],
  DATABASE_NAME: `stranger_${process.pid}`,
  PORT: '0',
  NODE_ENV: 'test',
  DRAFTS: 'restricted',
  READER: 'at-least-sixteen-characters',
};
let service: ChildProcessWithoutNullStreams | undefined;
let url = '';

const run = (command: string, ...args: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(command, args, { cwd: folder, env: environment, encoding: 'utf8' });
function write(name: string, content: unknown): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), JSON.stringify(content));
}

beforeAll(async () => {
  installPacked(folder, ['content-service']);
  cpSync('tests/fixtures/stranger', path.join(folder, 'plugin'), { recursive: true });
  cpSync('packages/versions/src', path.join(folder, 'history'), { recursive: true });
  // Of types, only those of Node are installed.
  mkdirSync(path.join(folder, 'node_modules/@types'));
  symlinkSync(path.resolve('node_modules/@types/node'), path.join(folder, 'node_modules/@types/node'));
  const options = ['--strict', '--target', 'es2023', '--module', 'nodenext', '--outDir', 'built', '--types', 'node'];
  const compiled = run(path.resolve('node_modules/.bin/tsc'), ...options, 'plugin/index.ts', 'history/index.ts');
  if (compiled.status !== 0) throw new Error(compiled.stdout);

  write('config/plugins.json', {
    readings: { resolve: './built/plugin/index.js', config: { wordsPerMinute: 2 } },
    history: { resolve: './built/history/index.js', config: { keep: 5 } },
  });
  write('content-types/note.json', {
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { draftAndPublish: true },
    attributes: { body: { type: 'text' } },
  });
  const actions = ['findOne', 'create', 'update'].map((name) => `api::note.note.${name}`);
  const permissions = [...actions, 'plugin::readings.reading.find'];
  write('content-types/access.json', {
    roles: { public: { permissions: [] } },
    tokens: { reader: { type: 'custom', permissions, key: { env: 'READER' } } },
  });
  service = spawn('node_modules/.bin/content-service', ['start'], { cwd: folder, env: environment });
  ({ url } = await waitForReady(service));
}, minutes(3));
afterAll(async () => {
  if (service !== undefined) {
    const ended = once(service, 'exit');
    service.kill();
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

async function send(
  place: string,
  body?: object,
  token = environment.READER,
  method = 'POST',
): Promise<{ status: number; body: any }> {
  const headers = { 'Content-Type': 'application/json', ...(token !== '' && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(url + place, {
    method,
    headers,
    ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
  });
  return { status: response.status, body: await response.json() };
}

test('a plugin written against the packed service fills a field, and adds a route, a GraphQL field and a command', async () => {
  const note = await send('/api/notes', { data: { body: 'one two three' } });
  // The setting of the project: two words in a minute.
  expect(note.body).toMatchObject({ data: { id: 1, attributes: { body: 'one two three', minutes: 2 } } });
  expect(await send('/api/notes/1/readings')).toEqual({ status: 201, body: { data: { readings: 1 } } });
  expect((await send('/api/notes/1/readings', {}, '')).status).toBe(403);
  const query = '{ readings(type: "api::note.note", id: 1) }';
  expect((await send('/graphql', { query })).body).toEqual({ data: { readings: 1 } });
  expect((await send('/graphql', { query }, '')).body.errors).toMatchObject([{ message: 'Forbidden access' }]);
  const counted = run(
    'node_modules/.bin/content-service',
    'access',
    'readings',
    'count',
    'api::note.note',
    '1',
    '--json',
  );
  expect(JSON.parse(counted.stdout)).toEqual([{ readings: 1 }]);
});

test('it reads as the caller: a draft that the caller may not see is not found', async () => {
  const draft = await send('/api/notes', { data: { body: 'not yet', publishedAt: null } });
  const { id } = draft.body.data;
  expect((await send(`/api/notes/${id}/readings`)).status).toBe(404);
});

test('versions can be written against the packed service, too', async () => {
  const { body } = await send('/api/notes', { data: { body: 'first' } });
  const { id } = body.data;
  await send(`/api/notes/${id}`, { data: { body: 'second' } }, environment.READER, 'PUT');
  const listed = await send(`/api/notes/${id}/versions`, undefined, environment.READER, 'GET');
  const [newest, first] = listed.body.data;
  expect([newest.data.body, first.data.body]).toEqual(['second', 'first']);
  const wanted = { data: { newest: newest.id } };
  expect(await send(`/api/notes/${id}/versions/${first.id}/restore`, wanted)).toEqual({
    status: 200,
    body: { data: { id, restored: ['body'], saved: 'entry' } },
  });
  expect((await send(`/api/notes/${id}/versions/${first.id}/restore`, wanted, '')).status).toBe(403);
});

test('a wrong setting stops the start, and names the plugin and the rule', () => {
  write('config/plugins.json', { readings: { resolve: './built/plugin/index.js', config: { wordsPerMinute: 0 } } });
  const { status, stderr } = run('node_modules/.bin/content-service', 'access', 'readings', 'count', 'x', '1');
  expect(status).not.toBe(0);
  expect(stderr).toContain('config.wordsPerMinute');
  expect(stderr).toContain('a positive integer');
});
