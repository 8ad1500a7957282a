import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openSender, type Outcome, type Sender } from '../../../../src/plugins/contract/http/send.js';

let sender: Sender;
let server: http.Server;
beforeEach(() => {
  sender = openSender(true, 60_000);
});
afterEach(() => {
  sender.close();
  server.closeAllConnections();
  server.close();
});

/**
 * Starts a receiver that accepts this number of requests on each connection and resets it at the next; counts the
 * resets.
 */
async function start(
  accepted: number,
): Promise<{ readonly send: () => Promise<Outcome>; readonly resets: () => number }> {
  const requests = new Map<Socket, number>();
  let resets = 0;
  server = http.createServer((request, response) => {
    const count = (requests.get(request.socket) ?? 0) + 1;
    requests.set(request.socket, count);
    if (count <= accepted) return response.end();
    resets += 1;
    return request.socket.resetAndDestroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const request = { url: `http://127.0.0.1:${port}`, headers: {}, body: '{}' };
  return { send: () => sender.send(request), resets: () => resets };
}

test('a request whose idle connection is reset is sent on another connection', async () => {
  const { send, resets } = await start(1);
  const statuses = [await send(), await send(), await send()].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200]);
  expect(resets()).toBe(2);
});

test('a request whose new connection is reset fails', async () => {
  const { send, resets } = await start(0);
  expect(await send()).toMatchObject({ error: expect.stringMatching(/ECONNRESET|hang up/) });
  expect(resets()).toBe(1);
});
