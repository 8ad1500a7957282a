import { execFile, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import jwt from 'jsonwebtoken';
import { connectToUri } from '../../src/mongo/connection/connect.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'content-service-preview-'));
const uri = process.env['TEST_MONGODB_URI'] ?? '';
const databaseName = `preview_link_${process.pid}`;

/** What each of these tests needs of the database: that the entries are there. */
beforeAll(async () => {
  const client = await connectToUri(uri);
  const database = client.db(databaseName);
  await database.collection<{ _id: number }>('articles').insertOne({ _id: 12 });
  await database.collection<{ _id: number }>('homepages').insertOne({ _id: 1 });
  await client.close();
});
afterAll(async () => {
  const client = await connectToUri(uri);
  await client.db(databaseName).dropDatabase();
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

const previewLink = (...args: readonly string[]): SpawnSyncReturns<string> =>
  run(args, { PUBLIC_URL: 'https://cms.example.org' });

const optionsWith = (environment: Readonly<Record<string, string>>) => ({
  cwd: folder,
  env: {
    ...process.env,
    CONTENT_TYPES: path.resolve('tests/fixtures/corpus/content-types'),
    JWT_SECRET: 'a-secret-of-this-test',
    MONGODB_URI: uri,
    DATABASE_NAME: databaseName,
    DRAFTS: 'restricted',
    ...environment,
  },
  encoding: 'utf8' as const,
});

const command = [path.resolve('bin/content-service.mjs'), 'preview-link'];

const run = (args: readonly string[], environment: Readonly<Record<string, string>>): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [...command, ...args], optionsWith(environment));

test('preview-link prints a URL for the entry that expires', () => {
  const { status, stdout, stderr } = previewLink('api::article.article', '12', '--for', '2h');
  expect([status, stderr]).toEqual([0, '']);
  const url = new URL(stdout.trim());
  expect(`${url.origin}${url.pathname}`).toBe('https://cms.example.org/api/articles/12');
  const { iat, exp, ...claims } = jwt.decode(url.searchParams.get('preview') ?? '') as Record<string, number | string>;
  expect(Number(exp) - Number(iat)).toBe(7200);
  expect(claims).toEqual({ aud: 'content-service:preview', sub: 'api::article.article:12' });
});

test('preview-link needs no id for a single type', () => {
  const url = new URL(previewLink('api::homepage.homepage').stdout.trim());
  expect(url.pathname).toBe('/api/homepage');
  expect(jwt.decode(url.searchParams.get('preview') ?? '')).toMatchObject({ sub: 'api::homepage.homepage' });
});

test('preview-link knows the path of the API that code of the project sets', () => {
  const project = path.join(folder, 'project');
  const schema = 'src/api/article/content-types/article/schema.json';
  const info = { singularName: 'article', pluralName: 'articles', displayName: 'Article' };
  for (const [name, text] of [
    [schema, JSON.stringify({ kind: 'collectionType', collectionName: 'articles', info, attributes: {} })],
    ['config/api.js', "module.exports = { rest: { prefix: '/content/v1/' } };"],
  ] as const) {
    mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    writeFileSync(path.join(project, name), text);
  }
  const environment = { CONTENT_TYPES: project, PUBLIC_URL: 'https://cms.example.org' };
  const { stdout, stderr } = run(['api::article.article', '12'], environment);
  expect([new URL(stdout.trim()).pathname, stderr]).toEqual(['/content/v1/articles/12', '']);
});

test('preview-link says that no service shows the entry at the URL of PORT', () => {
  const { status, stdout, stderr } = run(['api::article.article', '12'], { PORT: '1' });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^http:\/\/localhost:1\/api\/articles\/12\?preview=/)]);
  expect(stderr).toContain('No service shows this entry at http://localhost:1: set PUBLIC_URL, or PORT');
});

test('preview-link says that the role public may not read the entry', async () => {
  const service = http.createServer((_request, response) => response.writeHead(403).end()).listen(0);
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  const args = [...command, 'api::article.article', '12'];
  const { stderr } = await promisify(execFile)(process.execPath, args, optionsWith({ PORT: String(port) }));
  service.close();
  expect(stderr).toBe('The role public may not read this entry: the link needs a user or token that may.\n');
});

test.each([
  [['api::artikle.article', '1'], 'unknown content type "api::artikle.article"'],
  [['api::homepage.homepage', '1'], 'is a single type: leave out the id "1"'],
  [['api::article.article'], 'is a collection type: add the id'],
  [['api::article.article', 'x'], '"x" is not an id'],
  [['api::article.article', '9999'], 'api::article.article 9999 does not exist'],
  [['api::article.article', '1', '--for', '1y'], '--for 1y is not a duration'],
  [['api::article.article', '1', '--for', '31d'], '--for 31d is not a duration'],
])('preview-link refuses %s', (args, message) => {
  expect(previewLink(...args)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(message) });
});
