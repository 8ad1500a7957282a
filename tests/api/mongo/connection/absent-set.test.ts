import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { connectToUri } from '../../../../src/mongo/connection/connect.js';

/** The URI of the tests' database, with a replica set that it is not in, and perhaps with a server before it. */
const uriOf = (before = ''): string => {
  const uri = new URL(process.env['TEST_MONGODB_URI'] ?? '');
  uri.searchParams.set('replicaSet', 'rs9');
  return uri.href.replace('mongodb://', `mongodb://${before}`);
};

test('a start says at once that the server of the URI is not in its replica set', async () => {
  await expect(connectToUri(uriOf())).rejects.toThrow(
    /^The database of MONGODB_URI \(.+\) cannot be used: .+ is in (?:no replica set: remove replicaSet=rs9|the replica set .+, not in rs9)/,
  );
});

test('with a server that does not answer it is waited for, and the log says why', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const lines: string[] = [];
  const stop = new Error('The line is there');
  const warn = (line: object | string): void => {
    lines.push(String(line));
    throw stop;
  };
  const attempt = connectToUri(uriOf(`127.0.0.1:${port},`), false, { warn, info: warn, error: warn });
  await expect(attempt).rejects.toThrow(stop.message);
  expect(lines).toEqual([expect.stringMatching(/is waited for: .+ is in (?:no replica set|the replica set)/)]);
  for (const socket of sockets) socket.destroy();
  silent.close();
});
