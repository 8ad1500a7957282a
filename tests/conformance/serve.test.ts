import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { connectToUri } from '../../src/mongo/connection/connect.js';

const corpus = path.resolve('tests/fixtures/corpus');
const world = ['--world', `${corpus}/world.json`, '--content-types', `${corpus}/content-types`, '--port', '0'];
const program = path.resolve('scripts/conformance-serve.mjs');
const headers = { authorization: 'Bearer conformance-full-access-token-0001', 'content-type': 'application/json' };

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'serve-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Each start gets a temporary folder of its own, so that what it leaves behind shows. */
const environmentOf = (temporary: string) => ({ ...process.env, MONGODB_URI: '', TMPDIR: temporary, NODE_ENV: 'test' });

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function drop(name: string): Promise<void> {
  const client = await connectToUri(process.env['TEST_MONGODB_URI'] ?? '');
  await client.db(name).dropDatabase();
  await client.close();
}

/** Starts it as an operator does, and waits until it says that it is ready. */
async function serve(args: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) {
  const temporary = fs.mkdtempSync(path.join(folder, 't'));
  const child = spawn(process.execPath, [program, ...world, ...args], {
    env: { ...environmentOf(temporary), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async (): Promise<unknown> => {
    child.kill('SIGTERM');
    const [code] = await ended;
    return { code, left: fs.readdirSync(temporary) };
  };
  stops.push(stop);
  const [line] = await once(createInterface(child.stdout), 'line');
  const [, url = ''] = /^ready (http:\/\/127\.0\.0\.1:\d+)$/.exec(String(line)) ?? [];
  const send = async (method: string, place: string, data?: unknown) => {
    const body = data === undefined ? {} : { body: JSON.stringify({ data }) };
    const response = await fetch(`${url}${place}`, { method, headers, ...body });
    const answer: unknown = await response.json();
    return { status: response.status, answer };
  };
  return { send, stop };
}

test('a recorded world is served on a database that is dropped afterwards', async () => {
  const { send, stop } = await serve();
  expect(await send('GET', '/api/i18n/locales')).toMatchObject({
    answer: [
      { id: 1, code: 'en', isDefault: true },
      { id: 2, code: 'fr', isDefault: false },
      { id: 3, code: 'de', isDefault: false },
    ],
  });
  expect(await send('GET', '/api/users-permissions/roles')).toMatchObject({
    answer: {
      roles: [
        { id: 1, type: 'authenticated' },
        { id: 2, type: 'public' },
      ],
    },
  });
  expect(await send('GET', '/api/articles')).toMatchObject({ status: 200, answer: { data: [] } });
  expect(await stop()).toEqual({ code: 0, left: [] });
});

test('data in a given folder persists until the next start', async () => {
  const args = ['--data', path.join(folder, 'kept')];
  const first = await serve(args);
  expect(await first.send('POST', '/api/tags', { name: 'Kept' })).toMatchObject({ status: 200 });
  expect(await first.stop()).toEqual({ code: 0, left: [] });
  const second = await serve(args);
  expect(await second.send('GET', '/api/tags')).toMatchObject({ answer: { data: [{ attributes: { name: 'Kept' } }] } });
  expect(await second.send('GET', '/api/i18n/locales')).toMatchObject({ answer: [{ id: 1 }, { id: 2 }, { id: 3 }] });
});

test('a named database is emptied first only if its name begins with test_', async () => {
  const environment = { MONGODB_URI: process.env['TEST_MONGODB_URI'] ?? '' };
  for (const [name, names] of [
    [`test_serve_${process.pid}`, []],
    [`serve_${process.pid}`, [{ attributes: { name: 'Old' } }]],
  ] as const) {
    const args = ['--database', name];
    const first = await serve(args, environment);
    expect(await first.send('POST', '/api/tags', { name: 'Old' })).toMatchObject({ status: 200 });
    await first.stop();
    const second = await serve(args, environment);
    expect(await second.send('GET', '/api/tags')).toMatchObject({ status: 200, answer: { data: names } });
    await second.stop();
    await drop(name);
  }
});

test.each([
  ['a world', ['--world', 'nowhere.json', '--content-types', 'x', '--port', '0'], /^nowhere\.json cannot be read/],
  ['a port', [...world, '--port', 'x'], /^npm run conformance:serve -- /],
  ['a server for the database', [...world, '--database', 'test_x'], /^--database needs MONGODB_URI/],
  ['options that it knows', [...world, '--nothing'], /^Unknown option '--nothing'/],
])('the start without %s fails with a message', (_what, args, message) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    env: environmentOf(folder),
  });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(message);
});
