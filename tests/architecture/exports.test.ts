import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { exportedNames, exportedSurface, SURFACE } from '../support/exported-surface.js';

/** The names in the first column of the table about what plugins import. */
const [, section = ''] = readFileSync('docs/plugins.md', 'utf8').split(/^## What `content-service\/plugin` .*$/m);
const names = section
  .split('\n## ', 1)
  .flatMap((table) => table.split('\n'))
  .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name));

test('docs/plugins.md lists only what the package exports', () => {
  const entries = ['src/plugin.ts', 'src/content-api.ts'].map((file) => readFileSync(file, 'utf8'));
  const exported = new Set(entries.flatMap((text) => text.match(/\w+/g) ?? []));
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !exported.has(name))).toEqual([]);
});

// Whoever changes it decides about the plugins of others: the difference of this file says what changes for them.
test('what packages import of the service is recorded, with its members: `npm run generate` writes it', () => {
  expect(readFileSync(SURFACE, 'utf8')).toBe(exportedSurface());
});

test('each name is exported by one of the two', () => {
  const [ofPlugins = [], ofForms = []] = exportedNames();
  expect(ofPlugins.filter((name) => ofForms.includes(name))).toEqual([]);
});
