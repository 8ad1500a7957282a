import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import jwt from 'jsonwebtoken';

const folder = mkdtempSync(path.join(os.tmpdir(), 'content-service-preview-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const previewLink = (...args: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [path.resolve('bin/content-service.mjs'), 'preview-link', ...args], {
    cwd: folder,
    env: {
      ...process.env,
      CONTENT_TYPES: path.resolve('tests/fixtures/corpus/content-types'),
      JWT_SECRET: 'a-secret-of-this-test',
      PUBLIC_URL: 'https://cms.example.org',
      DRAFTS: 'restricted',
    },
    encoding: 'utf8',
  });

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

test.each([
  [['api::artikle.article', '1'], 'unknown content type "api::artikle.article"'],
  [['api::homepage.homepage', '1'], 'is a single type: leave out the id "1"'],
  [['api::article.article'], 'is a collection type: add the id'],
  [['api::article.article', 'x'], '"x" is not an id'],
  [['api::article.article', '1', '--for', '1y'], '--for 1y is not a duration'],
  [['api::article.article', '1', '--for', '31d'], '--for 31d is not a duration'],
])('preview-link refuses %s', (args, message) => {
  expect(previewLink(...args)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(message) });
});
