import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { compare, readRequests } from '../../../src/cli/commands/compare/compare.js';
import { findDifferences } from '../../../src/cli/commands/compare/find-differences.js';
import { useService } from '../../support/service.js';

const [reference, ours] = [useService(), useService()];
const at = '2024-05-01T10:00:00.000Z';

const fileOf = (text: string): string => {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'compare-')), 'requests');
  writeFileSync(file, text);
  return file;
};

beforeAll(async () => {
  for (const { service, create } of [reference, ours]) {
    for (const name of ['Alpha', 'Beta', 'Gamma']) await create('tags', { name });
    await service.database.db
      .collection('tags')
      .updateMany({}, { $set: { createdAt: new Date(at), updatedAt: new Date(at) } });
  }
});

async function run(
  requests: string,
  url = `${ours.service.url}/`,
): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const options = {
    reference: reference.service.url,
    referenceToken: reference.service.token,
    ours: url,
    token: ours.service.token,
    requests: fileOf(requests),
    json: false,
  };
  return {
    code: await compare(options, { print: (line) => lines.push(line), result: () => undefined }),
    lines,
  };
}

const requests = '/api/tags\n/api/tags/1\n/api/tags/2?fields[0]=name\n/api/nothing\n';

test('compare finds no difference between two services with the same content', async () => {
  expect(await run(requests)).toEqual({
    code: 0,
    lines: ['4 requests: 3 equal responses, 1 refused by both (404: 1), 0 different'],
  });
});

test('errors that both answer alike are no equal data, and many of them are worth a warning', async () => {
  const { code, lines } = await run('/api/nothing\n/api/tags/999\n/api/tags\n');
  expect([code, ...lines]).toEqual([
    0,
    '3 requests: 1 equal response, 2 refused by both (404: 2), 0 different',
    expect.stringContaining('pass tokens with --reference-token and --token'),
  ]);
});

test('compare says why a server does not answer', async () => {
  await expect(run(requests, 'http://127.0.0.1:1')).rejects.toThrow(
    /does not answer \/api\/tags: .*(?:ECONNREFUSED|bad port)/,
  );
});

test('compare reports only the responses that contain a changed entry', async () => {
  const tags = ours.service.database.db.collection<{ _id: number }>('tags');
  await tags.updateOne({ _id: 2 }, { $set: { name: 'Changed' } });
  expect(await run(requests)).toEqual({
    code: 1,
    lines: [
      '1 × data[].attributes.name: different value',
      '    at data[1].attributes.name: Strapi Beta, this service Changed',
      '    GET /api/tags',
      '1 × data.attributes.name: different value',
      '    at data.attributes.name: Strapi Beta, this service Changed',
      '    GET /api/tags/2?fields[0]=name',
      '4 requests: 1 equal response, 1 refused by both (404: 1), 2 different',
    ],
  });
});

test('compare reports in the order of the requests, whichever response arrives first', async () => {
  const responses = new Map<string | undefined, ServerResponse>();
  const server = createServer((request, response) => {
    responses.set(request.url, response.writeHead(503));
    if (responses.size === 2) responses.get('/api/nothing')?.end(() => responses.get('/api/tags/1')?.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { lines } = await run('/api/tags/1\n/api/nothing\n', `http://127.0.0.1:${port}`);
  server.close();
  expect(lines.filter((line) => line.includes('×'))).toEqual([
    '1 × status: Strapi 200, this service 503',
    '1 × status: Strapi 404, this service 503',
  ]);
});

test('compare takes each read once from access logs, HAR files and lists', async () => {
  const log = [
    '1.2.3.4 - - [20/Nov/2026:10:00:00 +0000] "GET /api/tags?sort=name HTTP/1.1" 200 12 "-" "curl"',
    '1.2.3.4 - - [20/Nov/2026:10:00:01 +0000] "POST /api/tags HTTP/1.1" 200 12',
    '1.2.3.4 - - [20/Nov/2026:10:00:02 +0000] "GET /api/tags?sort=name HTTP/1.1" 200 12',
  ];
  expect(await readRequests(fileOf(log.join('\n')))).toEqual([{ method: 'GET', path: '/api/tags?sort=name' }]);
  const query = '{"query":"{ tags { data { id } } }"}';
  const mutation = '{"query":"mutation { deleteTag(id: 1) { data { id } } }"}';
  const entries = [
    { request: { method: 'GET', url: 'https://cms.example.org/api/tags?a=1' } },
    { request: { method: 'PUT', url: 'https://cms.example.org/api/tags/1' } },
    { request: { method: 'POST', url: 'https://cms.example.org/graphql', postData: { text: query } } },
    { request: { method: 'POST', url: 'https://cms.example.org/graphql', postData: { text: mutation } } },
  ];
  expect(await readRequests(fileOf(JSON.stringify({ log: { entries } })))).toEqual([
    { method: 'GET', path: '/api/tags?a=1' },
    { method: 'POST', path: '/graphql', body: query },
  ]);
  const list = `GET /api/tags\nhttps://cms.example.org/api/x\n# no\nPOST /graphql ${query}\nPOST /graphql ${mutation}\n`;
  expect(await readRequests(fileOf(list))).toEqual([
    { method: 'GET', path: '/api/tags' },
    { method: 'GET', path: '/api/x' },
    { method: 'POST', path: '/graphql', body: query },
  ]);
  await expect(readRequests(fileOf('# nothing'))).rejects.toThrow('contains no GET request');
});

test.each([
  ['{"a":1,"b":2}', '{"b":2,"a":1}', 'the same values in a different order'],
  ['{"a":[1,2]}', '{"a":[1]}', 'a: number of elements'],
  ['{"a":[{"b":1}]}', '{"a":[{"b":null}]}', 'a[].b: Strapi number, this service null'],
  ['{"a":1}', '{}', 'a: missing in this service'],
  ['{}', '{"a":1}', 'a: only in this service'],
  ['plain', 'other', 'text'],
])('findDifferences reports the difference between %s and %s', (there, here, cause) => {
  const answer = (body: string) => ({ status: 200, type: 'application/json', body });
  expect(findDifferences(answer(there), answer(here)).map((one) => one.cause)).toEqual([cause]);
});
