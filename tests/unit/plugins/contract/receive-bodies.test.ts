import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import express from 'express';
import { createBodies, type Bodies } from '../../../../src/plugins/contract/http/receive-bodies.js';
import { respondToErrors } from '../../../../src/rest/response/error-response.js';
import { until } from '../../../support/until.js';

/** The limit of one body, of one caller and of all. */
const BODY = 2 ** 20;
const [CALLER, ALL] = [16 * BODY, 64 * BODY];

let bodies: Bodies;
let server: Server;
/** What is done with a body. */
let handle = (): unknown => undefined;
const sockets: Socket[] = [];

beforeEach(async () => {
  bodies = createBodies({ body: BODY, forms: 8 });
  handle = () => undefined;
  const app = express();
  // Each client has an address of its own.
  app.set('trust proxy', true);
  app.use(bodies.json(), bodies.urlencoded(), bodies.text());
  app.use((request, response) => {
    handle();
    response.json({ received: JSON.stringify(request.body ?? null).length });
  });
  app.use(respondToErrors({ error: () => undefined }));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

interface Sent {
  readonly type?: string;
  readonly address?: string;
  readonly headers?: string;
}

/** Sends the beginning of a request, and collects what comes back. */
function begin(body: string | Buffer, { type = 'application/json', address = '192.0.2.1', headers }: Sent = {}) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  let answer = '';
  socket.on('data', (part) => (answer += part.toString())).on('error', () => undefined);
  const length = headers ?? `Content-Length: ${BODY}`;
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`,
  );
  socket.write(body);
  return { socket, answer: () => answer, status: () => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]) };
}

const text = (bytes: number): string => 'x'.repeat(bytes);

test('what stalled bodies hold is counted, until their connections end', async () => {
  const sent = [begin(text(300_000)), begin(text(200_000), { type: 'text/plain' })];
  await until(() => bodies.held >= 500_000);
  expect(bodies.held).toBeLessThan(520_000);
  for (const { socket } of sent) socket.destroy();
  await until(() => bodies.held === 0);
});

test('what a body holds is counted until its response has ended, and answered as ever', async () => {
  const body = JSON.stringify({ text: text(1000) });
  const sent = begin(body, { headers: `Content-Length: ${body.length}` });
  await until(() => sent.status() === 200 && bodies.held === 0);
  expect(sent.answer()).toMatch(`{"received":${body.length}}`);
});

test('single bytes hold more than they are', async () => {
  const { socket } = begin('', { headers: 'Transfer-Encoding: chunked' });
  for (let index = 0; index < 500; index += 1) socket.write('1\r\nx\r\n');
  await until(() => bodies.held >= 50_000);
  expect(bodies.held).toBeLessThan(100_000);
});

test.each([
  ['objects', '{},', 22],
  ['lists', '[],', 16],
  ['members', '{"a":1},', 6],
])('%s are counted as what they are when they are parsed', async (_what, value, factor) => {
  let held = 0;
  handle = () => (held = bodies.held);
  const body = `[${value.repeat(5000)}1]`;
  const compressed = gzipSync(body);
  begin(body, { headers: `Content-Length: ${body.length}` });
  await until(() => held > 0);
  expect(held / body.length).toBeGreaterThan(factor / 2);
  held = 0;
  begin(compressed, { headers: `Content-Encoding: gzip\r\nContent-Length: ${compressed.length}` });
  await until(() => held > 0);
  expect((held - BODY) / body.length).toBeGreaterThan(factor / 2);
});

test('one caller holds at most a quarter, and others are received', async () => {
  const own = Array.from({ length: 20 }, () => begin(text(BODY - 1), { type: 'text/plain' }));
  await until(() => own.some(({ status }) => status() === 429));
  expect(own.find(({ status }) => status() === 429)?.answer()).toMatch(/Retry-After: 5/);
  expect(bodies.held).toBeLessThanOrEqual(CALLER);
  const other = begin('{}', { address: '192.0.2.2', headers: 'Content-Length: 2' });
  await until(() => other.status() === 200);
});

test('beyond what all may hold, bodies get 503 with Retry-After', async () => {
  const sent = Array.from({ length: 80 }, (_, index) =>
    begin(text(BODY - 1), { type: 'text/plain', address: `192.0.2.${index % 8}` }),
  );
  await until(() => sent.some(({ status }) => status() === 503));
  expect(sent.find(({ status }) => status() === 503)?.answer()).toMatch(/Retry-After: \d/);
  expect(bodies.held).toBeLessThanOrEqual(ALL);
});

test('a compressed body holds as much as it may contain', async () => {
  const compressed = gzipSync(text(10_000));
  begin(compressed.subarray(0, 20), { headers: 'Content-Encoding: gzip\r\nContent-Length: 100' });
  await until(() => bodies.held > 0);
  expect(bodies.held).toBe(BODY);
});

test('a body that would hold more than one caller may is too large, whoever sends it', async () => {
  handle = () => {
    throw new Error('It is read');
  };
  const body = `[${'{},'.repeat(349_000)}1]`;
  const compressed = gzipSync(body);
  const sent = [
    begin(body, { headers: `Content-Length: ${body.length}` }),
    begin(compressed, { headers: `Content-Encoding: gzip\r\nContent-Length: ${compressed.length}` }),
  ];
  await until(() => sent.every(({ status }) => status() === 413) && bodies.held === 0);
  expect(sent[0]?.answer()).toMatch('PayloadTooLargeError');
});

test('one caller has at most a quarter of the places for forms', () => {
  const message = (address: string) => ({ ip: address, headers: {}, socket: {} }) as never;
  const [first] = [bodies.openForm(message('192.0.2.1')), bodies.openForm(message('192.0.2.1'))];
  expect(() => bodies.openForm(message('192.0.2.1'))).toThrow(expect.objectContaining({ code: 'tooManyRequests' }));
  first?.close();
  bodies.openForm(message('192.0.2.1'));
  bodies.openForm(message('192.0.2.2'));
});
