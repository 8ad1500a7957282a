import { getMaxListeners, once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { anonymous } from '../../../../src/documents/caller.js';
import { createRequestContext } from '../../../../src/plugins/contract/http/request-context.js';

/** Sends a request to a server; returns its response, and functions that end the client's side and stop the server. */
async function receive() {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, agent: false });
  request.on('error', () => undefined);
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  return { response, request, stop: () => server.close() };
}

test('the signal of a request is aborted when its client disconnects', async () => {
  const { response, request, stop } = await receive();
  const { signal } = createRequestContext(anonymous, response);
  expect(signal?.aborted).toBe(false);
  request.destroy();
  await once(signal as AbortSignal, 'abort');
  expect(createRequestContext(anonymous, response).signal?.aborted).toBe(true);
  stop();
});

test('the signal of a completed request is not aborted', async () => {
  const { response, request, stop } = await receive();
  const { signal } = createRequestContext(anonymous, response);
  request.on('response', (message) => message.resume());
  await once(response.end(), 'close');
  expect(signal?.aborted).toBe(false);
  stop();
});

test('the requests of a connection share a signal, which is aborted when the client disconnects before the last response', async () => {
  const { response, request, stop } = await receive();
  const first = createRequestContext(anonymous, response);
  const second = createRequestContext(anonymous, response);
  expect(second.signal).toBe(first.signal);
  request.destroy();
  await once(first.signal as AbortSignal, 'abort');
  stop();
});

test('many concurrent reads of one request cause no warning about listeners', async () => {
  const { response, request, stop } = await receive();
  const { signal } = createRequestContext(anonymous, response);
  expect(getMaxListeners(signal as AbortSignal)).toBe(Infinity);
  request.destroy();
  stop();
});
