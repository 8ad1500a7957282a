import fs from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { makeProject, startService, type Project, type ServiceProcess } from './service-process.js';

/**
 * Anonymous requests that take much more memory than they send, to a process with a heap of 256 MB, which lives and
 * serves others.
 */
let project: Project;
let service: ServiceProcess;
const sockets: Socket[] = [];

beforeAll(async () => {
  project = makeProject();
  const access = { roles: { public: { permissions: ['api::node.node.create', 'api::node.node.find'] } } };
  fs.writeFileSync(path.join(project.folder, 'content-types', 'access.json'), JSON.stringify(access));
  fs.writeFileSync(path.join(project.folder, 'plugins.json'), JSON.stringify({ graphql: true }));
  service = await startService(project, { NODE_OPTIONS: '--max-old-space-size=256' });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  await service.stop();
  project.remove();
});

/** A request that is not sent completely, as far as the service takes it. */
async function begin(request: string, type: string, chunks: Iterable<string | Buffer>): Promise<void> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket.on('error', () => undefined).resume());
  // Nothing more is sent after a refusal, which can close the connection while a chunk is on its way.
  const refused = new Promise<boolean>((resolve) => {
    for (const event of ['data', 'error', 'close']) socket.once(event, () => resolve(true));
  });
  const head = [`POST ${request} HTTP/1.1`, 'Host: x', 'Apollo-Require-Preflight: 1', `Content-Type: ${type}`];
  socket.write(`${head.join('\r\n')}\r\n`);
  for (const chunk of chunks) {
    const sent = new Promise<boolean>((resolve) => socket.write(chunk, () => resolve(false)));
    if (await Promise.race([refused, sent])) return;
  }
}

function* hostileForm(): Generator<string> {
  yield 'Content-Length: 200000000\r\n\r\n';
  for (let index = 0; index < 99; index += 1)
    yield `--b\r\nContent-Disposition: form-data; name="f${index}"\r\n\r\n${'x'.repeat(1_000_000)}\r\n`;
}

const all = async (count: number, run: (index: number) => Promise<unknown>): Promise<void> =>
  void (await Promise.all(Array.from({ length: count }, (_none, index) => run(index))));

const ask = async (query: string, variables = {}): Promise<number> => {
  const body = JSON.stringify({ query, variables });
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${service.url}/graphql`, { method: 'POST', headers, body })).status;
};

const form = 'multipart/form-data; boundary=b';
const ones = Array.from({ length: 7900 }, () => 1);
const unfolding = `{"query":"{__typename}","variables":{"a":[${'{},'.repeat(330_000)}1]}}`;

test.each<[string, () => Promise<unknown>]>([
  ['eight forms over GraphQL', () => all(8, async () => begin('/graphql', form, hostileForm()))],
  ['eight forms over REST', () => all(8, async () => begin('/api/nodes', form, hostileForm()))],
  [
    '700 documents',
    async () => {
      for (let index = 0; index < 700; index += 1) {
        const query = `{nodes(filters:{id:{in:[${String([index, ...ones])}]}})@skip(if:true){data{id}}}`;
        expect(await ask(query)).toBe(200);
      }
    },
  ],
  [
    '400 stalled bodies',
    () => {
      const body = `{"query":"${'x'.repeat(990_000)}`;
      return all(400, async () => begin('/graphql', 'application/json', [`Content-Length: 999999\r\n\r\n`, body]));
    },
  ],
  [
    '64 bodies that take twenty times their length when they are parsed',
    () => {
      const { length } = unfolding;
      return all(64, async () =>
        begin('/graphql', 'application/json', [`Content-Length: ${length}\r\n\r\n`, unfolding]),
      );
    },
  ],
  [
    '64 such bodies that are compressed',
    () => {
      const compressed = gzipSync(unfolding);
      const head = `Content-Encoding: gzip\r\nContent-Length: ${compressed.length}\r\n\r\n`;
      return all(64, async () => begin('/graphql', 'application/json', [head, compressed]));
    },
  ],
])('%s', async (_attack, attack) => {
  await attack();
  expect(await ask('{ nodes { data { id } } }')).toBe(200);
  expect((await fetch(`${service.url}/api/nodes`)).status).toBe(200);
});
