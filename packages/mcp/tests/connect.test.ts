import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from '@jest/globals';
import { useService } from '../../../tests/support/service.js';

const rest = useService({ plugins: { mcp: true } });

const connect = async (token: string, url = rest.service.url): Promise<Client> => {
  const args = [path.resolve('bin/content-service.mjs'), 'mcp', '--url', url, '--token', token];
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  return client;
};

test('an assistant that starts the command reads and changes entries', async () => {
  const client = await connect(rest.service.token);
  const call = async (name: string, input: object): Promise<{ readonly proposal: string }> => {
    const { content } = await client.callTool({ name, arguments: { ...input } });
    const [{ text }] = content as [{ readonly text: string }];
    return JSON.parse(text) as { readonly proposal: string };
  };
  const operations = [{ action: 'create', type: 'tags', data: { name: 'By stdio' } }];
  const { proposal } = await call('propose_changes', { operations });
  expect(await call('apply_proposal', { proposal })).toMatchObject({ applied: proposal });
  expect(await call('count_entries', { type: 'tags' })).toEqual({ count: 1 });
  await client.close();
});

test('an assistant without the plugin is told to turn it on', async () => {
  const server = createServer((_, response) => response.writeHead(405).end());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expect(connect('any', url)).rejects.toThrow(/Turn on the plugin mcp/);
  server.close();
});

test.each([
  ['with a wrong token', undefined, /does not accept the token.*access token create/],
  ['without a service', 'http://127.0.0.1:9', /No service responds at http:\/\/127\.0\.0\.1:9\. Start it/],
])('an assistant %s is told what to do', async (_, url, message) => {
  await expect(connect('nobody-knows-this', url)).rejects.toThrow(message);
});
