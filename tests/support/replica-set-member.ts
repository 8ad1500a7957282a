import { BSON, type Document } from 'mongodb';
import { splitMessages } from '../../packages/embedded-mongod/src/wire.js';
import { startProxy, type Proxy } from './start-proxy.js';

/** A server that reports itself as the primary of a replica set of one, so that drivers send a read preference. */
export interface Member {
  readonly uri: string;
  close(): Promise<void>;
}

/**
 * Bytes before the document of a message: header, flags, kind of section; before that of an old reply: header and
 * counts.
 */
const heads: Readonly<Record<number, number>> = { 2013: 21, 1: 36 };

/** A proxy in front of a single server that changes its self-description. */
export async function startMember(target: string): Promise<Member> {
  const { hostname, port } = new URL(target);
  const place = { host: hostname, port: Number(port) };
  const proxy: Proxy = await startProxy(
    () => place,
    (client, database) => {
      client.on('data', (data) => database.write(data));
      const split = splitMessages((message) => client.write(asMember(message, `127.0.0.1:${proxy.port}`)));
      database.on('data', split);
    },
  );
  // A single server takes no numbers of transactions, as drivers add them to writes of a replica set.
  return { uri: `mongodb://127.0.0.1:${proxy.port}/?replicaSet=set&retryWrites=false`, close: proxy.close };
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
