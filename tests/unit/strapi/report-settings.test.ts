import { expect, test } from '@jest/globals';
import type { Config } from '../../../src/config/config.js';
import {
  describeIgnoredKeys,
  describeIgnoredOptions,
  findIgnoredSettings,
} from '../../../src/strapi/project/report-settings.js';

test.each([
  ['no middlewares', undefined, []],
  ['names alone', ['strapi::security', { name: 'strapi::cors' }], []],
  ['options that count', [{ name: 'strapi::cors', config: { origin: ['*'] } }], []],
  ['a middleware of the project', [{ name: 'global::own', config: { a: 1 } }], []],
  ['any option of the session', [{ name: 'strapi::session', config: { maxAge: 1 } }], []],
  ['headers', [{ name: 'strapi::security', config: { hsts: false, frameguard: { action: 'deny' } } }], []],
  [
    'a header that Strapi does not know by this name',
    [{ name: 'strapi::security', config: { xFrameOptions: false } }],
    ['xFrameOptions of strapi::security has no effect'],
  ],
  [
    'others',
    [{ name: 'strapi::cors', config: { origin: '*', methods: ['GET'], maxAge: 5, enabled: true } }],
    ['enabled of strapi::cors has no effect'],
  ],
])('options without effect: %s', (_name, middlewares, lines) => {
  expect(describeIgnoredOptions(middlewares).map(({ note }) => note)).toEqual(lines);
});

test.each([
  ['nothing', {}, []],
  [
    'what counts',
    { server: { app: { keys: ['a'] }, cron: { enabled: true, tasks: {} } }, api: { rest: { maxLimit: 5 } } },
    [],
  ],
  ['what is the same', { server: { host: '127.0.0.1', port: '1337', url: '', proxy: true } }, []],
  [
    'what variables replace',
    { server: { host: '::1', port: 8080, url: 'https://a.example.org' } },
    [
      'host has no effect on the service; set HOST',
      'port has no effect on the service; set PORT',
      'url has no effect on the service; set PUBLIC_URL',
    ],
  ],
  [
    'others',
    { server: { socket: '/a', cron: { a: 1 }, http: { serverOptions: {} } } },
    ['socket', 'cron.a', 'http'].map((key) => `${key} has no effect on the service`),
  ],
])('keys of config/server and config/api without effect: %s', (_name, settings, lines) => {
  const config = { server: { host: '127.0.0.1', port: 1337, publicUrl: undefined } };
  expect(describeIgnoredKeys(settings, config as unknown as Config).map(({ note }) => note)).toEqual(lines);
});

test.each([
  [{}, []],
  [
    { middlewares: [{ name: 'strapi::responses', config: { handlers: { 404: 'x' } } }] },
    ['handlers of strapi::responses'],
  ],
  [{ middlewares: [{ name: 'strapi::ip', config: { whitelist: ['10.0.0.1'] } }] }, ['whitelist of strapi::ip']],
  [{ middlewares: [{ name: 'strapi::ip', config: { blacklist: [] } }] }, []],
])('settings that are not supported: %j', (settings, what) => {
  expect(findIgnoredSettings(settings).map((setting) => setting.what)).toEqual(what);
});
