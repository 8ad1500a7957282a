import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { fingerprintOf } from '../../../src/strapi/project/fingerprint.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fingerprint-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const parts = { environment: 'test', plugins: {}, variables: { LOCALE: 'en', TERM_SESSION: '1' } };
const write = (name: string, text: string): void => {
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  fs.writeFileSync(path.join(folder, name), text);
};

test('the fingerprint depends on code, packages, settings and the variables that the code names', () => {
  write('src/index.js', 'module.exports = () => process.env.LOCALE;');
  write('config/plugins.js', 'module.exports = {};');
  const seen = [fingerprintOf(folder, parts)];
  const changes: readonly (() => typeof parts)[] = [
    () => (write('src/index.js', 'module.exports = () => process.env.LOCALE ?? 1;'), parts),
    () => (write('src/api/admin/schema.graphql', 'type Query { a: Int }'), parts),
    () => (write('config/plugins.js', 'module.exports = { a: 1 };'), parts),
    () => (write('package-lock.json', '{}'), parts),
    () => ({ ...parts, environment: 'production' }),
    () => ({ ...parts, plugins: { graphql: { enabled: true, config: { depthLimit: 3 } } } }),
    () => ({ ...parts, variables: { ...parts.variables, LOCALE: 'de' } }),
  ];
  for (const change of changes) seen.push(fingerprintOf(folder, change()));
  expect(new Set(seen).size).toBe(seen.length);
});

test('it does not depend on other variables, nor on files of packages', () => {
  const before = fingerprintOf(folder, parts);
  write('src/plugins/own/node_modules/left/index.js', '');
  expect(fingerprintOf(folder, { ...parts, variables: { ...parts.variables, TERM_SESSION: '2' } })).toBe(before);
});
