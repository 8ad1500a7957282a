import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from '@jest/globals';
import { useService } from '../support/service.js';

const rest = useService({ plugins: { mcp: true } });

const connect = async (token: string): Promise<Client> => {
  const { url } = rest.service;
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

test('an assistant with a wrong token is told so', async () => {
  await expect(connect('nobody-knows-this')).rejects.toThrow(/401|unauthorized/i);
});
