import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestService } from '../../../src/testing.js';
import { monitoredUri } from '../../../tests/support/commands.js';
import { useService } from '../../../tests/support/service.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'content-service-types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const client = useService({ contentTypes: 'content-types' });

interface Run {
  readonly code: number;
  readonly stderr: string;
}

/** Runs the command in a folder without a project. */
const types = (...args: readonly string[]): Promise<Run> =>
  promisify(execFile)(process.execPath, [path.resolve('bin/content-service.mjs'), 'types', ...args], {
    cwd: folder,
  }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    (error: Run) => error,
  );

test('types --url reads the types of a running service without its files', async () => {
  const { url, token } = client.service;
  const out = path.join(folder, 'content.d.ts');
  expect(await types('--url', `${url}/`, '--token', token, '--out', out)).toMatchObject({ code: 0 });
  expect(readFileSync(out, 'utf8')).toBe(readFileSync('packages/client/tests/types/content.d.ts', 'utf8'));
});

test.each([
  [['--token', 'wrong'], 'the status 401: pass a valid API token'],
  [[], 'the status 403: pass an API token of type full-access'],
])('types --url without access explains what is missing: %j', async (args, message) => {
  const { url } = client.service;
  expect(await types('--url', url, ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

test('types --url reports a URL without a service and an invalid URL', async () => {
  expect((await types('--url', 'http://127.0.0.1:1')).stderr).toContain('http://127.0.0.1:1 does not answer');
  expect((await types('--url', 'localhost')).stderr).toContain('--url localhost is not a URL');
});

test.each([
  [['--path', '/x'], '--path is of the API at a --url'],
  [['--format', '3'], '--format 3 is not 4 or 5'],
])('types refuses %j where it has no effect', async (args, message) => {
  expect(await types(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

test('types refuses an invalid name of the client package', async () => {
  const ask = (name: string) => client.get(`/api/content-type-builder/types?client=${encodeURIComponent(name)}`);
  expect((await ask('@example/client')).text).toContain("from '@example/client';");
  for (const name of ["x'; alert()", '', '../x y']) expect((await ask(name)).status).toBe(400);
});

test('in development local clients read the types without a token, others need one', async () => {
  const service = await createTestService({
    contentTypes: 'content-types',
    mongodbUri: monitoredUri(),
    environment: { NODE_ENV: 'development' },
  });
  const ask = () => request(service.url).get('/api/content-type-builder/types');
  try {
    expect((await ask()).status).toBe(200);
    expect((await ask().set('X-Forwarded-For', '203.0.113.7')).status).toBe(403);
  } finally {
    await service.close();
  }
});
