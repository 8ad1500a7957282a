import { EventEmitter, once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import Koa, { type Middleware } from 'koa';
import { answerDownstream } from '../../../src/strapi/http/downstream.js';

/** How answers of Express reach clients through Koa when something goes wrong, or slowly. */

let server: http.Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** The URL of a server whose requests this handler answers below a middleware of Koa. */
async function serve(handler: RequestHandler, middleware: Middleware = (_context, next) => next()): Promise<string> {
  const koa = new Koa();
  koa.silent = true;
  koa.use(middleware).use(answerDownstream(handler, () => false));
  const app = express().use((request, response) => void koa.callback()(request, response));
  server = http.createServer(app).listen(0);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function get(url: string, agent?: http.Agent): Promise<IncomingMessage> {
  const [response] = (await once(http.get(url, { agent }), 'response')) as [IncomingMessage];
  return response;
}

const mebibyte = Buffer.alloc(2 ** 20);

test('a client that reads slowly is waited for', async () => {
  let written = 0;
  const events = new EventEmitter();
  const full = once(events, 'full');
  const url = await serve(async (_request, response) => {
    do written += 1;
    while (response.write(mebibyte) && written < 1000);
    events.emit('full');
    await once(response, 'drain');
    response.end('end');
  });
  const response = await get(url);
  await full;
  expect(written).toBeLessThan(1000);
  expect((await text(response)).length).toBe(written * mebibyte.length + 'end'.length);
});

test('the connection of an incomplete answer is closed', async () => {
  const url = await serve((_request, response) => {
    response.write('a part');
    setImmediate(() => response.destroy());
  });
  await expect(get(url).then(text)).rejects.toThrow('aborted');
});

test('a stream that fails before its first part closes the connection', async () => {
  const url = await serve(async (_request, response) => {
    const failing = new Readable({ read: () => failing.destroy(new Error('broken')) });
    await pipeline(failing, response.writeHead(200)).catch(() => undefined);
  });
  await expect(get(url).then(text)).rejects.toThrow('socket hang up');
});

test('handlers and middlewares learn that the client is gone', async () => {
  const events = new EventEmitter();
  const both = Promise.all([once(events, 'closed'), once(events, 'ended')]);
  const url = await serve(
    (_request, response) => {
      response.once('close', () => events.emit('closed'));
      request.destroy();
    },
    (_context, next) => next().finally(() => events.emit('ended')),
  );
  const request = http.get(url).on('error', () => undefined);
  expect(await both).toHaveLength(2);
});

test('a client that leaves ends what is sent to it', async () => {
  const source = new Readable({ read: () => source.push(mebibyte) });
  const closed = once(source, 'close');
  const url = await serve((_request, response) => void source.pipe(response));
  (await get(url)).destroy();
  await closed;
  expect(source.destroyed).toBe(true);
});

test('a stream that a middleware replaces ends, and its connection goes on', async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  let sources = 0;
  const url = await serve(
    (_request, response) => {
      const source = new Readable({ read: () => source.push(mebibyte) }).once('close', () => (sources += 1));
      source.pipe(response);
    },
    async (context, next) => {
      await next();
      context.body = 'replaced';
    },
  );
  const sockets = new Set();
  for (let time = 1; time <= 3; time += 1) {
    const response = await get(url, agent);
    sockets.add(response.socket.localPort);
    expect(await text(response)).toBe('replaced');
  }
  expect([sockets.size, sources >= 2]).toEqual([1, true]);
  agent.destroy();
});

test('headers of a stream without a part yet are sent once middlewares have seen it', async () => {
  const url = await serve(
    (_request, response) => response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders(),
    async (context, next) => {
      await next();
      context.set('X-Seen', 'yes');
    },
  );
  const response = await get(url);
  expect([response.headers['content-type'], response.headers['x-seen']]).toEqual(['text/event-stream', 'yes']);
  response.destroy();
});

test('after the answer, the URL is that of the request', async () => {
  const routes = express.Router().use('/mounted', (_request, response) => void response.send('x'));
  const seen: unknown[] = [];
  const url = await serve(routes, async (context, next) => {
    await next();
    seen.push(context.url, context.path);
  });
  await text(await get(`${url}/mounted/a?b=c`));
  expect(seen).toEqual(['/mounted/a?b=c', '/mounted/a']);
});
