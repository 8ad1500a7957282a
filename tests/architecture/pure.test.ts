import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import config from '../../jest.config.mjs';

/** The projects of Jest by the files that they run; the first one starts no database. */
const [pure, withDatabase] = config.projects as unknown as readonly [
  { readonly testRegex: readonly string[]; readonly globalSetup: string },
  { readonly testPathIgnorePatterns: readonly string[] },
];
const patterns = pure.testRegex.map((pattern) => new RegExp(pattern));
const tests = ['tests', 'packages']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
  .map((name) => name.replaceAll(path.sep, '/'))
  .filter((name) => patterns.some((pattern) => pattern.test(`/${name}`)));

/** What starts a service, connects to the database of the run, or reads what the build writes. */
const needed =
  /\b(?:useService|createTestService|monitoredUri)\(|TEST_MONGODB_URI|resolve\('(?:dist|bin)\/|'(?:\.\.\/)+dist\//;

test('tests of pure functions run right after the installation: without a build, and without a database', () => {
  expect(tests.length).toBeGreaterThan(150);
  expect(withDatabase.testPathIgnorePatterns).toEqual(pure.testRegex);
  expect(pure.globalSetup).not.toContain('database');
  const others = tests.filter((name) => name !== 'tests/architecture/pure.test.ts');
  expect(others.filter((name) => needed.test(readFileSync(name, 'utf8')))).toEqual([]);
});
