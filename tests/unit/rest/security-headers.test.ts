import { expect, test } from '@jest/globals';
import lodash from 'lodash';
import { securityHeaders, securityHeadersOf } from '../../../src/rest/middleware/security-headers.js';

const sentWith = (options: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(securityHeadersOf(options) as typeof securityHeaders);
const usual = Object.fromEntries(securityHeaders);
/** The directives of a policy have no order. */
const inAnyOrder = (headers: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  lodash.mapValues(headers, (value) => (typeof value === 'string' ? value.split(';').toSorted() : value));
const policy = String(usual['content-security-policy']);

/** Each as helmet 6.2 of Strapi 4.26.2 sends it. */
test.each([
  [{ frameguard: false }, { 'x-frame-options': undefined }],
  [{ frameguard: { action: 'deny' } }, { 'x-frame-options': 'DENY' }],
  [{ frameguard: true }, { 'x-frame-options': 'SAMEORIGIN' }],
  [{ hsts: false }, { 'strict-transport-security': undefined }],
  [{ hsts: { maxAge: 60, includeSubDomains: false } }, { 'strict-transport-security': 'max-age=60' }],
  [{ hsts: { preload: true } }, { 'strict-transport-security': 'max-age=31536000; includeSubDomains; preload' }],
  [{ contentSecurityPolicy: false }, { 'content-security-policy': undefined }],
  [
    { contentSecurityPolicy: { directives: { 'frame-ancestors': ["'self'", 'https://a.example'] } } },
    { 'content-security-policy': policy.replace("frame-ancestors 'self'", "frame-ancestors 'self' https://a.example") },
  ],
  [
    { contentSecurityPolicy: { directives: { scriptSrc: 'https://a.example', upgradeInsecureRequests: [] } } },
    {
      'content-security-policy': policy
        .replace("script-src 'self'", 'script-src https://a.example')
        .replace('connect-src', 'upgrade-insecure-requests;connect-src'),
    },
  ],
  [
    // The lists of Strapi fill the places that a project leaves.
    { contentSecurityPolicy: { directives: { 'img-src': ['https:'] } } },
    { 'content-security-policy': policy.replace("img-src 'self' data: blob:", 'img-src https: data: blob:') },
  ],
  [
    { contentSecurityPolicy: { reportOnly: true } },
    { 'content-security-policy': undefined, 'content-security-policy-report-only': policy },
  ],
  [{ crossOriginResourcePolicy: { policy: 'same-site' } }, { 'cross-origin-resource-policy': 'same-site' }],
  [
    { crossOriginOpenerPolicy: true, originAgentCluster: true },
    {
      'cross-origin-opener-policy': 'same-origin',
      'origin-agent-cluster': '?1',
    },
  ],
  [{ referrerPolicy: { policy: ['origin', 'same-origin'] } }, { 'referrer-policy': 'origin,same-origin' }],
  [
    { xssFilter: true, dnsPrefetchControl: { allow: true } },
    { 'x-xss-protection': '0', 'x-dns-prefetch-control': 'on' },
  ],
])('the headers with %j', (options, changed) => {
  expect(inAnyOrder(sentWith(options))).toEqual(inAnyOrder({ ...usual, ...changed }));
});

test('a directive can decide by the request', () => {
  const directives = { 'script-src': ["'self'", (request: { nonce: string }) => `'nonce-${request.nonce}'`] };
  const headers = securityHeadersOf({ contentSecurityPolicy: { directives, reportOnly: true } });
  const decide = headers.find((header) => typeof header === 'function') as unknown as (
    ...parts: readonly object[]
  ) => readonly string[];
  const [name, value] = decide({ nonce: 'a' }, {});
  expect(name).toBe('content-security-policy-report-only');
  expect(value).toContain("script-src 'self' 'nonce-a';");
  expect(() => decide({ nonce: 'a; script-src *' }, {})).toThrow('invalid directive value for "script-src"');
});

test.each([
  [
    { frameguard: { action: 'allow' } },
    'frameguard of strapi::security: X-Frame-Options received an invalid action "allow"',
  ],
  [
    { hsts: { maxAge: 'long' } },
    'hsts of strapi::security: Strict-Transport-Security: "long" is not a valid value for maxAge',
  ],
  [
    { contentSecurityPolicy: { directives: { 'a b': [] } } },
    'contentSecurityPolicy of strapi::security: Content-Security-Policy received an invalid directive name "a b"',
  ],
  [
    { contentSecurityPolicy: { directives: { 'img-src': ['a; script-src *'] } } },
    'contentSecurityPolicy of strapi::security: Content-Security-Policy received an invalid directive value for "img-src"',
  ],
  [
    { contentSecurityPolicy: { directives: { 'default-src': null } } },
    'contentSecurityPolicy of strapi::security: Content-Security-Policy needs a default-src',
  ],
])('%j is refused by name', (options, message) => {
  expect(() => securityHeadersOf(options)).toThrow(message);
});
