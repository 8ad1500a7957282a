import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { BSON, type Document } from 'mongodb';
import { splitMessages } from '../../src/embedded-mongod/wire.js';

/** A server that reports itself as the primary of a replica set of one, so that drivers send a read preference. */
export interface Member {
  readonly uri: string;
  close(): Promise<void>;
}

/** Bytes before the document of a message: header, flags, kind of section; before that of an old reply: header and counts. */
const heads: Readonly<Record<number, number>> = { 2013: 21, 1: 36 };

/** A proxy in front of a single server that changes its self-description. */
export async function startMember(target: string): Promise<Member> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const database = net.connect(Number(port), hostname);
    const end = (): void => {
      client.destroy();
      database.destroy();
    };
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    client.on('data', (data) => database.write(data));
    const split = splitMessages((message) => client.write(asMember(message, host())));
    database.on('data', split);
  });
  const host = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    // A single server takes no numbers of transactions, as drivers add them to writes of a replica set.
    uri: `mongodb://${host()}/?replicaSet=set&retryWrites=false`,
    close: async () => {
      const closed = once(server.close(), 'close');
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function asMember(message: Buffer, host: string): Buffer {
  const head = heads[message.readInt32LE(12)];
  if (head === undefined) return message;
  const document: Document = BSON.deserialize(message.subarray(head), { promoteValues: false });
  if (!('maxWireVersion' in document)) return message;
  const { topologyVersion: _, msg: __, ...hello } = document;
  const member = { ...hello, setName: 'set', setVersion: 1, hosts: [host], me: host, primary: host, secondary: false };
  const body = Buffer.concat([message.subarray(0, head), BSON.serialize({ ...member, isWritablePrimary: true })]);
  body.writeInt32LE(body.length, 0);
  return body;
}
