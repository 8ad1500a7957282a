import { expect, test } from '@jest/globals';
import { describeIgnoredOptions, findIgnoredSettings } from '../../../src/strapi/project/report-settings.js';

test.each([
  ['no middlewares', undefined, []],
  ['names alone', ['strapi::security', { name: 'strapi::cors' }], []],
  ['options that count', [{ name: 'strapi::cors', config: { origin: ['*'] } }], []],
  ['a middleware of the project', [{ name: 'global::own', config: { a: 1 } }], []],
  ['any option of the session', [{ name: 'strapi::session', config: { maxAge: 1 } }], []],
  [
    'others',
    [{ name: 'strapi::cors', config: { origin: '*', methods: ['GET'], maxAge: 5 } }],
    ['methods', 'maxAge'].map((option) => `config/middlewares: ${option} of strapi::cors has no effect`),
  ],
])('options without effect: %s', (_name, middlewares, lines) => {
  expect(describeIgnoredOptions(middlewares)).toEqual(lines);
});

test.each([
  [{}, []],
  [{ api: { rest: { prefix: '/api' } } }, []],
  [{ api: { rest: { prefix: '/v1' } } }, ['rest.prefix "/v1"']],
  [
    { middlewares: [{ name: 'strapi::responses', config: { handlers: { 404: 'x' } } }] },
    ['handlers of strapi::responses'],
  ],
  [{ middlewares: [{ name: 'strapi::ip', config: { whitelist: ['10.0.0.1'] } }] }, ['lists of strapi::ip']],
  [{ middlewares: [{ name: 'strapi::ip', config: { blacklist: [] } }] }, []],
])('settings that are not supported: %j', (settings, what) => {
  expect(findIgnoredSettings(settings).map((setting) => setting.what)).toEqual(what);
});
