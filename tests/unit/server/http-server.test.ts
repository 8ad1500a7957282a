import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import net from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createHttpServer, listen } from '../../../src/server/http-server.js';

const options = {
  host: '127.0.0.1',
  port: 0,
  headersTimeout: 5000,
  requestTimeout: 5000,
  keepAliveTimeout: 1000,
  urlLimit: 1000,
};

const app = {
  handler: () => undefined,
  messages: { IncomingMessage, ServerResponse },
  closeConnections: () => undefined,
};

test('an open web socket is closed after the grace period', async () => {
  const created = createHttpServer(options);
  created.server.on('upgrade', (_request, socket) => void socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  const server = await listen(app, options, created);
  const client = net.connect(Number(new URL(server.url).port), '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
  expect(String((await once(client, 'data'))[0])).toContain('101');
  const ended = once(client, 'close');
  await server.close({ gracePeriod: 0 });
  await ended;
});

test('a connection without a request does not delay the end', async () => {
  const server = await listen(app, options);
  const client = net.connect(Number(new URL(server.url).port), '127.0.0.1');
  await once(client, 'connect');
  const ended = once(client, 'close');
  await server.close({ gracePeriod: 600_000 });
  expect(await ended).toEqual([false]);
});

test('a closed server leaves no timer', async () => {
  const timers = new Set<number>();
  const hook = createHook({
    init: (id, type) => void (type === 'Timeout' && timers.add(id)),
    destroy: (id) => void timers.delete(id),
  }).enable();
  const server = await listen(app, options);
  expect(timers.size).toBeGreaterThan(0);
  await server.close({ gracePeriod: 600_000 });
  // Node reports what was destroyed in the next turn.
  await nextTurn();
  await nextTurn();
  hook.disable();
  expect([...timers]).toEqual([]);
});
