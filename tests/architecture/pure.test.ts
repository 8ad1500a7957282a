import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { pure } from '../support/suite.mjs';

const patterns = pure.map((pattern) => new RegExp(pattern));
const tests = ['tests', 'packages']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
  .map((name) => name.replaceAll(path.sep, '/'))
  .filter((name) => patterns.some((pattern) => pattern.test(`/${name}`)));

/** What starts a service, connects to the database of the run, or reads what the build writes. */
const needed =
  /\b(?:useService|createTestService|monitoredUri)\(|TEST_MONGODB_URI|resolve\('(?:dist|bin)\/|'(?:\.\.\/)+dist\//;

test('tests of pure functions run right after the installation: without a build, and without a database', () => {
  expect(tests.length).toBeGreaterThan(150);
  const others = tests.filter((name) => name !== 'tests/architecture/pure.test.ts');
  expect(others.filter((name) => needed.test(readFileSync(name, 'utf8')))).toEqual([]);
});
