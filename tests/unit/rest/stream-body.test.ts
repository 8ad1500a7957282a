import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import express from 'express';
import { listen, type HttpServer } from '../../../src/server/http-server.js';
import { respondToErrors } from '../../../src/rest/response/error-response.js';
import { expressPrototypes } from '../../../src/rest/express-prototypes.js';
import { sendSerialized } from '../../../src/rest/response/json-response.js';
import { limitSlowReaders } from '../../../src/rest/middleware/slow-readers.js';

const piece = 'x'.repeat(2 ** 18);
/** More than what operating systems keep of a connection by far. */
const count = 400;

let server: HttpServer;
let logged: unknown[];
afterEach(() => server.close({ gracePeriod: 0 }));

/** Serves an answer in pieces; counts those that were made, and notes when no more will be. */
async function serve(
  { patience = 3_600_000, isCrowded = false } = {},
  failAt = Infinity,
): Promise<{ made: number; ended: boolean; waits: () => number }> {
  let waits = (): number => 0;
  const progress = { made: 0, ended: false, waits: () => waits() };
  const pieces = {
    *[Symbol.iterator]() {
      for (; progress.made < count; progress.made += 1) {
        if (progress.made === failAt) throw new Error('No more');
        yield piece;
      }
    },
  };
  const app = express().disable('etag');
  app.get('/', async (_request, response) => {
    waits = () => response.writableLength;
    await sendSerialized(response, { body: pieces });
    progress.ended = true;
  });
  logged = [];
  app.use(respondToErrors({ error: (details) => logged.push(details) }));
  const limits = { headersTimeout: 60_000, requestTimeout: 60_000, keepAliveTimeout: 1000, urlLimit: 1000 };
  const onBacklog = limitSlowReaders({ timeout: patience, timeoutWhenCrowded: 100, isCrowded: () => isCrowded });
  server = await listen(
    { handler: app, messages: expressPrototypes(app, { onBacklog }), closeConnections: () => undefined },
    { host: '127.0.0.1', port: 0, ...limits },
  );
  return progress;
}

async function ask(): Promise<http.IncomingMessage> {
  const request = http.get(server.url, { agent: false });
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  return answer;
}

/** Waits until the server stops creating chunks; returns their number. */
async function untilHeldBack(progress: { readonly made: number }): Promise<number> {
  for (let before = -1; before !== progress.made; await wait(100)) before = progress.made;
  return progress.made;
}

async function lengthOf(answer: http.IncomingMessage): Promise<number> {
  let length = 0;
  for await (const chunk of answer) length += (chunk as Buffer).length;
  return length;
}

test('a slow reader applies backpressure and gets the complete body', async () => {
  const progress = await serve();
  const answer = await ask();
  answer.pause();
  expect(await untilHeldBack(progress)).toBeLessThan(count / 2);
  expect(await lengthOf(answer)).toBe(count * piece.length);
  expect([progress.ended, logged]).toEqual([true, []]);
});

test('a client that disconnects stops the streaming', async () => {
  const progress = await serve();
  const answer = await ask();
  answer.pause();
  await untilHeldBack(progress);
  answer.on('error', () => undefined).destroy();
  while (!progress.ended) await wait(10);
  expect(progress.made).toBeLessThan(count / 2);
  expect(logged).toEqual([]);
});

test('a client that reads nothing for too long is disconnected', async () => {
  const progress = await serve({ patience: 200 });
  const answer = await ask();
  answer.pause();
  while (!progress.ended) await wait(10);
  expect(progress.made).toBeLessThan(count / 2);
  await expect(lengthOf(answer)).rejects.toThrow('aborted');
});

test('a client that reads nothing is disconnected at once if others wait', async () => {
  const progress = await serve({ isCrowded: true });
  const answer = await ask();
  answer.pause();
  while (!progress.ended) await wait(10);
  await expect(lengthOf(answer)).rejects.toThrow('aborted');
});

test('an unread response buffers only a few chunks', async () => {
  const progress = await serve();
  const answer = await ask();
  answer.pause();
  while (progress.waits() === 0) await wait(10);
  await untilHeldBack(progress);
  expect(progress.waits()).toBeLessThan(3 * piece.length);
  expect(progress.ended).toBe(false);
});

test('a chunk that fails closes the connection and is logged', async () => {
  await serve({}, 20);
  const answer = await ask();
  await expect(lengthOf(answer)).rejects.toThrow('aborted');
  expect(logged).toEqual([expect.objectContaining({ err: new Error('No more') })]);
});
