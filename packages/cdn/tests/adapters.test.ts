import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { adapters, type Cache, type CacheType } from '../src/adapters.js';
import { readCaches } from '../src/read-caches.js';

const token = 'a token of 20 chars.';
const json = { 'Content-Type': 'application/json' };
const bearer = { Authorization: `Bearer ${token}` };
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cdn-'));
fs.mkdirSync(path.join(folder, 'config'));
afterAll(() => fs.rmSync(folder, { recursive: true }));
const parse = (...caches: unknown[]) => {
  fs.writeFileSync(path.join(folder, 'config', 'cdn.json'), JSON.stringify({ caches }));
  const folders = { project: folder, contentTypes: folder, data: folder };
  const variables = { TOKEN: token, SHORT: 'short' };
  return readCaches({ folders, variables, environment: 'production' });
};
const [url, env] = ['https://cache.example.com', { env: 'TOKEN' }];

test.each<[object, object]>([
  [
    { type: 'fastly', id: 'SU1Z0', token: env },
    {
      method: 'POST',
      url: 'https://api.fastly.com/service/SU1Z0/purge',
      headers: { ...json, 'Fastly-Key': token },
      body: '{"surrogate_keys":["a","b"]}',
    },
  ],
  [
    { type: 'cloudflare', id: '023e', token: env },
    {
      method: 'POST',
      url: 'https://api.cloudflare.com/client/v4/zones/023e/purge_cache',
      headers: { ...json, ...bearer },
      body: '{"tags":["a","b"]}',
    },
  ],
  [
    { type: 'varnish', url },
    { method: 'PURGE', url, headers: { 'xkey-purge': 'a b' }, body: '' },
  ],
  [
    { type: 'nginx', url, token: env },
    { method: 'PURGE', url, headers: { 'Cache-Tag': 'a,b', ...bearer }, body: '' },
  ],
  [
    { type: 'next', url, token: env },
    { method: 'POST', url, headers: { ...json, ...bearer }, body: '{"tags":["a","b"]}' },
  ],
  [
    { type: 'webhook', url },
    { method: 'POST', url, headers: json, body: '{"tags":["a","b"]}' },
  ],
])('a purge for %j', (declared, request) => {
  const [cache] = parse(declared) as [Cache];
  expect(adapters[cache.type].request(cache, ['a', 'b'])).toEqual(request);
});

test.each(Object.keys(adapters) as CacheType[])('%s gets all tags', (type) => {
  const tags = Array.from({ length: adapters[type].maxTags }, (_, index) => `tag-${index}`);
  const cache: Cache = { name: type, type, url, id: 'id', token, header: adapters[type].header, isReached: true };
  const { headers, body } = adapters[type].request(cache, tags);
  expect(JSON.stringify([headers, body]).match(/tag-\d+/g)).toEqual(tags);
});

test.each<[object, string]>([
  [{ type: 'varnis' }, 'caches[0].type'],
  [{ type: 'varnish' }, 'caches[0].url is missing for varnish'],
  [{ type: 'fastly', id: 'SU1Z0' }, 'caches[0].token is missing for fastly'],
  [{ type: 'fastly', token: env }, 'caches[0].id is missing for fastly'],
  [{ type: 'fastly', id: 'a', token: 'in the file' }, 'caches[0].token must name an environment variable'],
  [{ type: 'fastly', id: 'a', token: { env: 'SHORT' } }, 'SHORT must have at least 16 characters'],
  [{ type: 'varnish', url: 'ftp://a' }, 'caches[0].url must begin with https:// or http://'],
  [{}, 'caches[0].type must be "fastly" or'],
  [{ type: 'varnish', url: 'https://a:b@c' }, 'caches[0].url must begin with https:// or http://, without a password'],
  [{ type: 'varnish', url, header: 'a b' }, 'caches[0].header must be the name of a header'],
  [{ type: 'varnish', url, urll: url }, 'caches[0].urll is unknown'],
])('%j is refused', (declared, message) => {
  expect(() => parse(declared)).toThrow(message);
});

test('two caches need two names', () => {
  expect(() => parse({ type: 'varnish', url }, { type: 'varnish', url })).toThrow('have the name "varnish" twice');
  expect(parse({ type: 'varnish', url }, { type: 'varnish', url, name: 'second' })).toHaveLength(2);
});
