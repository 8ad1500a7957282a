import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import type { Caller } from '../../../../src/documents/caller.js';
import { isDeveloper } from '../../../../src/plugins/contract/developer.js';

const user: Caller = { kind: 'user', may: () => false };

function ask(
  headers: IncomingHttpHeaders = {},
  { environment = 'development', caller = user, remoteAddress = '127.0.0.1' } = {},
): boolean {
  const message = { headers: { host: 'localhost:1337', ...headers }, httpVersion: '1.1', socket: { remoteAddress } };
  return isDeveloper(environment as 'development', { caller, message: message as unknown as IncomingMessage });
}

test('developers are logged in on this machine, in development', () => {
  expect(ask()).toBe(true);
  expect(ask({}, { remoteAddress: '::1' })).toBe(true);
  expect(ask({}, { remoteAddress: '192.0.2.7' })).toBe(false);
  expect(ask({}, { caller: { kind: 'public', may: () => true } })).toBe(false);
  for (const environment of ['production', 'test']) expect(ask({}, { environment })).toBe(false);
});

test('pages of other origins, names bound to this machine, and proxies are not developers', () => {
  expect(ask({ origin: 'http://localhost:1337', 'sec-fetch-site': 'same-origin' })).toBe(true);
  for (const origin of [
    'http://localhost:3000',
    'https://www.example.org',
    'null',
    '',
    'http://localhost:1337.example.org',
  ])
    expect([origin, ask({ origin })]).toEqual([origin, false]);
  for (const site of ['cross-site', 'same-site', 'none']) expect(ask({ 'sec-fetch-site': site })).toBe(false);
  for (const host of ['rebound.example.org:1337', 'localhost.example.org', ''])
    expect(ask({ host, origin: `http://${host}` })).toBe(false);
  expect(ask({ 'x-forwarded-for': '127.0.0.1' })).toBe(false);
});
