import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fetchFile } from '../src/fetch-file.js';

const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/a%20cat.png': (response) => response.setHeader('content-type', 'image/png; q=1').end('cat'),
  '/%E0%A4%A': (response) => response.end('cat'),
  '/moved': (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  '/endless': (response) => {
    const write = (): boolean => response.write('x'.repeat(1000));
    response.on('drain', write).on('close', () => response.off('drain', write));
    while (write());
  },
  '/short': (response) => response.setHeader('content-length', 100).write('x', () => response.destroy()),
};

let server: Server;
let origin = '';
beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    const answer = answers[url] ?? ((missing) => missing.writeHead(404).end());
    answer(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

// An address in the URL is not looked up: `parseFileUrl` has refused private ones before.
const fetch = (path: string, host = origin) => fetchFile(new URL(`http://${host}${path}`), 1000);

test('a file has its name, its type and its bytes', async () => {
  const file = await fetch('/a%20cat.png');
  expect([file.name, file.type, await file.text()]).toEqual(['a cat.png', 'image/png', 'cat']);
});

test.each([
  ['a redirect, which could lead elsewhere', '/moved', 'responds with 302'],
  ['no file', '/missing', 'responds with 404'],
  ['a file that is too long', '/endless', 'more than 1000 bytes'],
  ['a file that is cut off', '/short', 'aborted'],
  ['a name that is no text', '/%E0%A4%A', 'malformed'],
])('%s is refused', async (_, path, reason) => {
  await expect(fetch(path)).rejects.toMatchObject({ code: 'badRequest', message: expect.stringContaining(reason) });
});

test('a name that leads to a private network is refused before anything is sent', async () => {
  const host = origin.replace('127.0.0.1', 'localhost');
  await expect(fetch('/a%20cat.png', host)).rejects.toThrow('The address is not public');
});
