import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import express from 'express';
import type { Context } from 'koa';
import request from 'supertest';
import { createAllowOrigin, isPreflight, openHeaders } from '../../../src/rest/middleware/cross-origin.js';
import { parseCors } from '../../../src/strapi/http/cors.js';

const GOOD = 'https://good.example';
const EVIL = 'https://evil.example';
const server = {
  contextOf: (message: IncomingMessage, _response: ServerResponse) =>
    ({ get: (name: string) => message.headers[name.toLowerCase()] ?? '' }) as unknown as Context,
};
const decide = async (ctx: Context): Promise<unknown> => (ctx.get('Origin') === GOOD ? [GOOD] : []);

/** The CORS headers of a response and of one to a preflight request, from a page of an origin. */
async function headersFor(options: object, origin: string): Promise<readonly object[]> {
  const settings = parseCors(options, server);
  const allow = createAllowOrigin(settings);
  const app = express().use(async (incoming, response) => {
    for (const [name, value] of openHeaders(settings)) response.setHeader(name, value);
    if (await allow(incoming, response)) response.status(204).end();
    else if (isPreflight(incoming)) response.status(404).end();
    else response.end();
  });
  const asked = request(app).options('/').set({ Origin: origin, 'Access-Control-Request-Method': 'PUT' });
  return [await request(app).get('/').set('Origin', origin), await asked].map(({ status, headers }) => ({
    status,
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-'))),
  }));
}

const allowOf = (headers: object): unknown => Reflect.get(headers, 'access-control-allow-origin');
const cookiesOf = (headers: object): unknown => Reflect.get(headers, 'access-control-allow-credentials');

test.each([
  ['by default', {}, '*', '*', false],
  ["'*'", { origin: '*' }, '*', '*', false],
  ['one', { origin: GOOD }, GOOD, undefined, true],
  ['names', { origin: `${GOOD}, https://b.example` }, GOOD, undefined, true],
  ['a list', { origin: [GOOD] }, GOOD, undefined, true],
  ['an empty list', { origin: [] }, undefined, undefined, true],
  ["'*' in a list, which is no origin, as in Strapi v4", { origin: ['*'] }, undefined, undefined, true],
  ['a function', { origin: decide }, GOOD, undefined, true],
  ["a function that answers '*'", { origin: () => '*' }, '*', '*', false],
  ['a function that answers nothing', { origin: () => undefined }, undefined, undefined, true],
  ['no cookies', { origin: [GOOD], credentials: false }, GOOD, undefined, false],
] as const)('which pages can read, and send cookies: %s', async (_name, options, good, other, hasCookies) => {
  for (const headers of await headersFor(options, GOOD)) {
    expect(allowOf(headers)).toBe(good);
    expect(cookiesOf(headers)).toBe(good !== undefined && hasCookies ? 'true' : undefined);
  }
  for (const origin of [EVIL, 'null'])
    for (const headers of await headersFor(options, origin)) {
      expect(allowOf(headers)).toBe(other);
      expect(cookiesOf(headers)).toBeUndefined();
    }
});

test('the other options', async () => {
  const options = { origin: [GOOD], expose: ['X-Own'], methods: ['GET', 'POST'], headers: 'X-A, X-B', maxAge: 5 };
  const [answered, preflight] = await headersFor(options, GOOD);
  expect(answered).toMatchObject({ 'access-control-expose-headers': expect.stringContaining('ETag') });
  expect(answered).toMatchObject({ 'access-control-expose-headers': expect.stringMatching(/,X-Own$/) });
  expect(preflight).toMatchObject({
    status: 204,
    'access-control-allow-methods': 'GET,POST',
    'access-control-allow-headers': 'X-A,X-B',
    'access-control-max-age': '5',
  });
});

test.each([undefined, null, true, 5, { a: 1 }])('an origin that nobody can compare stops the start: %j', (origin) => {
  expect(() => parseCors({ origin }, server)).toThrow('origin of strapi::cors has to be');
});
