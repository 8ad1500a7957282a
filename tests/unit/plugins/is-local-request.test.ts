import { expect, test } from '@jest/globals';
import { isLocalRequest } from '../../../src/plugins/contract/http/local-request.js';

const from = (remoteAddress: string | undefined, headers: Readonly<Record<string, string>> = {}, httpVersion = '1.1') =>
  isLocalRequest({ socket: { remoteAddress }, headers: { host: 'localhost:1337', ...headers }, httpVersion });

test.each([
  ['127.0.0.1', {}],
  ['::1', { host: '[::1]:1337' }],
  ['::ffff:127.0.0.1', { host: '127.0.0.1' }],
])('%s is a local request', (address, headers) => {
  expect(from(address, headers)).toBe(true);
});

test.each([
  ['203.0.113.9', {}],
  [undefined, {}],
  ['127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }],
  ['127.0.0.1', { forwarded: 'for=203.0.113.9' }],
  ['127.0.0.1', { 'x-real-ip': '203.0.113.9' }],
  ['127.0.0.1', { via: '1.1 proxy' }],
  ['127.0.0.1', { host: 'api.example.org' }],
  ['127.0.0.1', { host: 'localhost.example.org' }],
  ['127.0.0.1', { host: '' }],
])('%s with %j is not a local request', (address, headers) => {
  expect(from(address, headers)).toBe(false);
});

test('a request over HTTP/1.0 is not local', () => {
  expect(from('127.0.0.1', {}, '1.0')).toBe(false);
});
