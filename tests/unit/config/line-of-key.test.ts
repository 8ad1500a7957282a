import { expect, test } from '@jest/globals';
import { lineOfKey } from '../../../src/config/project/line-of-key.js';

const json = `{
  "info": { "displayName": "a \\"author\\": {" },
  "options": [{ "attributes": 1 }],
  "attributes": {
    "title": { "type": "string" },
    "author": {
      "type": "relation",
      "target": "api::autor.autor"
    }
  },
  "pluginOptions": {}
}`;

test.each([
  ['attributes.author.target', 8, 3],
  ['attributes.author', 6, 2],
  ['attributes.title.type', 5, 3],
  ['info.displayName', 2, 2],
  ['attributes', 4, 1],
  ['attributes.author.inversedBy', 6, 2],
  ['attributes.missing.type', 4, 1],
  ['pluginOptions.i18n', 11, 1],
])('in JSON, the key %s is in line %d', (path, line, depth) => {
  expect(lineOfKey(json, path.split('.'))).toEqual({ line, depth });
});

const code = `// upload: { config: {} }
import type { Env } from 'x';
const quoted = /['"{]/.test('a') ? \`upload: {\` : b;
export default ({ env }: { env: Env }) => ({
  graphql: env('GRAPHQL') ? { enabled: true, config: { depth: 1 } } : false,
  /* 'users-permissions': */
  'users-permissions': {
    config: ((limit: number) => ({
      ratelimit: { max: limit, interval: { min: 5 } }, jwtSecret: env('JWT_SECRET'),
    }))(5),
  },
  upload: { config: { providerOptions: { depth: 1 },
    sizeLimit: 1, shared } },
  local,
} satisfies object);
`;

test.each([
  ['graphql.config.depth', 5, 3],
  ['users-permissions.config.ratelimit.interval.min', 9, 5],
  ['users-permissions.config.jwtSecret', 9, 3],
  ['upload.config.sizeLimit', 13, 3],
  ['upload.config.depth', 12, 2],
  ['upload', 12, 1],
  ['local.config', 14, 0],
])('in code, the key %s is in line %d', (path, line, depth) => {
  expect(lineOfKey(code, path.split('.'))).toEqual({ line, depth });
});

test('a key that does not occur has no line', () => {
  expect(lineOfKey(code, ['absent'])).toBeUndefined();
  expect(lineOfKey(code, ['config'], 'absent')).toBeUndefined();
});

const list = `export default [
  'strapi::errors',
  { name: 'strapi::security', config: { frameguard: false } },
  {
    name: 'strapi::cors',
    config: {
      methods: ['GET'], } },
  { name: 'strapi::body', config: { maxAge: 1 } },
];`;

test.each([
  ['strapi::errors', ['config', 'a'], 2],
  ['strapi::security', ['config', 'frameguard'], 3],
  ['strapi::cors', ['config', 'methods'], 7],
  ['strapi::cors', ['config', 'maxAge'], 6],
  ['strapi::body', [], 8],
])('in a list, the object with %s has %j in line %d', (name, keys, line) => {
  expect(lineOfKey(list, keys, name)?.line).toBe(line);
});
