import fs from 'node:fs';
import { expect, test } from '@jest/globals';

type Names = Readonly<Record<string, string>>;
const { dependencies, optionalDependencies, devDependencies } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as {
  dependencies: Names;
  optionalDependencies: Names;
  devDependencies: Names;
};
const page = fs.readFileSync('docs/dependencies.md', 'utf8');

/** The names in the tables of the page, in their order. */
const described = [...page.matchAll(/^\| `(?<name>[^`]+)` +\| (?<reason>\S.*\S) +\|$/gm)].map(
  ({ groups }) => groups?.['name'],
);

test('every dependency is described with its reason, and no other', () => {
  const all = { ...dependencies, ...optionalDependencies, ...devDependencies };
  expect(described.toSorted()).toEqual(Object.keys(all).toSorted());
});

test('every dependency has one exact version', () => {
  const versions = Object.values({ ...dependencies, ...optionalDependencies, ...devDependencies });
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
});
