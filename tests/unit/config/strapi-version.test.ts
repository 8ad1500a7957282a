import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readStrapiVersion } from '../../../src/config/project/strapi-version.js';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'version-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const read = (content: object) => {
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(content));
  return readStrapiVersion(folder);
};
const strapi = (range: string) => read({ dependencies: { '@strapi/strapi': range } });

test.each([
  ['5.54.0', 5],
  ['^5.1.2', 5],
  ['~4.26', 4],
  ['v4.1.0', 4],
  ['5.x', 5],
  ['5', 5],
  ['5.0.0-beta.3', 5],
  ['>=4.0.0 <5.0.0', 4],
  ['4.1.0 || ^4.5.0', 4],
  ['npm:@strapi/strapi@5.2.0', 5],
  ['workspace:^5.0.0', 5],
  ['latest', 5],
  ['*', 5],
])('%s is Strapi %d', (range, major) => {
  expect(strapi(range)).toEqual({ major, name: range, hasGraphql: false });
});

test.each(['>=4.0.0', '4.x || 5.x', 'file:../strapi', 'catalog:', 'git+https://example.org/strapi.git'])(
  '%s stops the start, unless the installed package or another of Strapi says more',
  (range) => {
    expect(() => strapi(range)).toThrow(`"${range}" does not say which version of Strapi`);
    const dependencies = { '@strapi/strapi': range, '@strapi/plugin-graphql': '4.25.0' };
    expect(read({ dependencies }).major).toBe(4);
    const installed = path.join(folder, 'node_modules', '@strapi', 'strapi');
    fs.mkdirSync(installed, { recursive: true });
    fs.writeFileSync(path.join(installed, 'package.json'), JSON.stringify({ version: '5.3.1' }));
    expect(read({ dependencies })).toEqual({ major: 5, name: '5.3.1', hasGraphql: true });
  },
);

test.each(['3.6.8', '^6.0.0'])('%s is not known', (range) => {
  expect(() => strapi(range)).toThrow('the service runs projects of Strapi 4 and 5');
});

test('a project that names no Strapi has the form of Strapi 4', () => {
  expect(readStrapiVersion(folder)).toEqual({ major: 4, name: undefined, hasGraphql: false });
  expect(read({ dependencies: { lodash: '5.0.0' } })).toEqual({ major: 4, name: undefined, hasGraphql: false });
  expect(read({ devDependencies: { '@strapi/strapi': '5.1.0' } }).major).toBe(5);
});
