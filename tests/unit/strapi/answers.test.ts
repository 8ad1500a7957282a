import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Koa, { type Context } from 'koa';
import { createBodies } from '../../../src/plugins/contract/http/receive-bodies.js';
import { createAdmission } from '../../../src/rest/middleware/admission.js';
import { readBody } from '../../../src/strapi/http/body.js';
import { addContextMethods } from '../../../src/strapi/http/context-methods.js';
import { answerErrors } from '../../../src/strapi/http/errors.js';
import { errors } from '../../../src/strapi/utilities/errors.js';

/** Handlers by path. */
const handlers: Record<string, (context: Context) => unknown> = {
  '/body': (context) => {
    context.body = { body: (context.request as { body?: unknown }).body };
  },
};
const logged: unknown[] = [];
let server: Server;

beforeAll(async () => {
  const app = new Koa();
  app.silent = true;
  addContextMethods(app);
  const log = { error: (error: unknown) => void logged.push(error) } as never;
  app.use(answerErrors(log));
  const admission = createAdmission({ concurrency: 1, queueLimit: 1, queueTimeoutMs: 1 });
  app.use(
    readBody({
      limit: 1000,
      readForm: undefined,
      slots: admission,
      bodies: createBodies({ body: 1000, forms: 1 }),
      includeUnparsed: false,
      isFollowed: () => true,
      isCode: () => true,
    }),
  );
  app.use((context) => handlers[context.path]?.(context));
  server = createServer((request, response) => void app.callback()(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function send(path: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init);
  return { status: response.status, body: await response.json() };
}

const failed = (fields: object): Error => Object.assign(new Error('m'), fields);
type Helper = (cause?: unknown, details?: unknown) => void;
const refuse =
  (...parts: Parameters<Helper>) =>
  (context: Context): void =>
    (context['badRequest'] as Helper)(...parts);
const fail = (error: unknown) => (): never => {
  throw error;
};

test.each<[string, (context: Context) => unknown, object]>([
  ['badRequest()', refuse(), { status: 400, name: 'BadRequestError', message: 'Bad Request', details: {} }],
  [
    'badRequest(message, details)',
    refuse('a', [1]),
    { status: 400, name: 'BadRequestError', message: 'a', details: [1] },
  ],
  ['badRequest({})', refuse({ a: 1 }), { status: 400, name: 'BadRequestError', message: 'Bad Request', details: {} }],
  [
    'badRequest(null)',
    refuse(null, null),
    { status: 400, name: 'BadRequestError', message: 'Bad Request', details: null },
  ],
  ['badRequest(error)', refuse(new TypeError('t')), { status: 400, name: 'TypeError', message: 't', details: {} }],
  [
    'badRequest(error with a status)',
    refuse(failed({ status: 404 })),
    { status: 404, name: 'Error', message: 'm', details: {} },
  ],
  ['ctx.throw(404)', (context) => context.throw(404), { status: 404, name: 'NotFoundError', message: 'Not Found' }],
  [
    'ctx.throw with details',
    (context) => context.throw(409, 'a', { details: { b: 1 } }),
    { status: 409, name: 'ConflictError', message: 'a', details: { b: 1 } },
  ],
  [
    'ctx.throw(503)',
    (context) => context.throw(503, 'a'),
    { status: 503, name: 'ServiceUnavailableError', message: 'a' },
  ],
  ['an error with a status', fail(failed({ status: 404 })), { status: 404, name: 'Error', message: 'm' }],
  [
    'an error of another server',
    fail(failed({ type: 'card_error', statusCode: 402, details: 1 })),
    { status: 402, name: 'Error', message: 'm', details: 1 },
  ],
  [
    'an error with the status of a failure',
    fail(failed({ status: 503 })),
    { status: 503, name: 'ServiceUnavailableError', message: 'Service Unavailable' },
  ],
  [
    'an error with a status that is none',
    fail(failed({ status: '404' })),
    { status: 500, name: 'InternalServerError', message: 'Internal Server Error' },
  ],
  [
    'any other error',
    fail(new Error('secret')),
    { status: 500, name: 'InternalServerError', message: 'Internal Server Error' },
  ],
  [
    'a value that is not an error',
    fail(null),
    { status: 500, name: 'InternalServerError', message: 'Internal Server Error' },
  ],
  [
    'an ApplicationError',
    fail(new errors.ApplicationError('a', { b: 1 })),
    { status: 400, name: 'ApplicationError', message: 'a', details: { b: 1 } },
  ],
  [
    'an ApplicationError without a message',
    fail(new errors.ApplicationError(null as never)),
    { status: 400, name: 'ApplicationError', message: null, details: {} },
  ],
])('%s is answered as by Strapi v4', async (_name, handler, error) => {
  handlers['/answer'] = handler;
  expect(await send('/answer')).toEqual({ status: (error as { status: number }).status, body: { data: null, error } });
});

test('only unexpected errors are logged', async () => {
  logged.length = 0;
  handlers['/answer'] = fail(failed({ status: 404 }));
  await send('/answer');
  handlers['/answer'] = fail(new Error('secret'));
  await send('/answer');
  expect(logged).toEqual([new Error('secret')]);
});

const post = (type: string, body: string, method = 'POST'): RequestInit => ({
  method,
  body,
  headers: { 'content-type': type },
});

test.each([
  ['application/json', '{"a":1}', { a: 1 }],
  ['application/vnd.api+json', '{"a":1}', { a: 1 }],
  ['application/json-patch+json', '[1]', [1]],
  ['application/csp-report', '{}', {}],
  ['application/x-www-form-urlencoded', 'a[b]=1', { a: { b: '1' } }],
  ['text/html', '<p>', '<p>'],
  ['application/xml', '<p/>', {}],
])('a body of %s', async (type, text, body) => {
  expect(await send('/body', post(type, text))).toEqual({ status: 200, body: { body } });
});

test.each(['"text"', '5', 'null', 'true'])('the JSON body %s is refused', async (text) => {
  const error = { status: 400, name: 'Error', message: 'invalid JSON, only supports object and array' };
  expect(await send('/body', post('application/json', text))).toEqual({ status: 400, body: { data: null, error } });
});

test('the body of DELETE is not read', async () => {
  expect(await send('/body', post('application/json', '{bad', 'DELETE'))).toEqual({ status: 200, body: { body: {} } });
});
