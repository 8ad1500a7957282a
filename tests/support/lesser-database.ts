import { BSON, type Document } from 'mongodb';
import { splitMessages } from '../../packages/embedded-mongod/src/wire.js';
import { startProxy } from './start-proxy.js';

/** What a database lacks. */
export interface Lacking {
  /** The error for a command that it does not know; undefined: it is executed. */
  readonly refuse?: (command: Document) => Document | undefined;
  /** What it says instead. */
  readonly alter?: (command: Document, reply: Document) => Document;
}

/** A server of MongoDB's protocol before the test database, which lacks what it is told. */
export interface LesserDatabase {
  readonly uri: string;
  lack(lacking: Lacking): void;
  close(): Promise<void>;
}

const OP_MSG = 2013;
/** Header and flags, before the sections. */
const START = 20;

export async function startLesserDatabase(): Promise<LesserDatabase> {
  const [host = '', port = ''] = (process.env['TEST_MONGODB_URI'] ?? '')
    .replace(/^.*\/\/([^/,]*).*$/s, '$1')
    .split(':');
  let lacking: Lacking = {};
  const place = { host, port: Number(port) };
  const proxy = await startProxy(
    () => place,
    (client, database) => {
      /** One connection waits for a reply before the next command. */
      let asked: Document = {};
      const toDatabase = splitMessages((message) => {
        asked = bodyOf(message) ?? {};
        const refusal = lacking.refuse?.(asked);
        if (refusal === undefined) database.write(message);
        else client.write(frame(message.readInt32LE(4), { ok: 0, ...refusal }));
      });
      const toClient = splitMessages((message) => {
        const reply = bodyOf(message);
        if (reply === undefined || lacking.alter === undefined) client.write(message);
        else client.write(frame(message.readInt32LE(8), lacking.alter(asked, reply)));
      });
      client.on('data', toDatabase);
      database.on('data', toClient);
    },
  );
  const options = 'directConnection=true&serverMonitoringMode=poll';
  return {
    uri: `mongodb://127.0.0.1:${proxy.port}/?${options}`,
    lack: (lacks) => {
      lacking = lacks;
    },
    close: proxy.close,
  };
}

/** The command or reply in a message, with the documents of its sequences; undefined for the old first message. */
function bodyOf(message: Buffer): Document | undefined {
  if (message.readInt32LE(12) !== OP_MSG) return undefined;
  const body: Document = {};
  for (let at = START; at < message.length;) {
    const size = message.readInt32LE(at + 1);
    const section = message.subarray(at + 1, at + 1 + size);
    // Kinds 0: the body; 1: a size, a name that ends with a zero, and documents.
    if (message[at] === 0) Object.assign(body, BSON.deserialize(section, { promoteValues: false }));
    else {
      const end = section.indexOf(0, 4);
      body[section.toString('utf8', 4, end)] = documentsIn(section.subarray(end + 1));
    }
    at += 1 + size;
  }
  return body;
}

function documentsIn(bytes: Buffer): readonly Document[] {
  const documents: Document[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at))
    documents.push(BSON.deserialize(bytes.subarray(at, at + bytes.readInt32LE(at))));
  return documents;
}

function frame(requestId: number, reply: Document): Buffer {
  const body = BSON.serialize(reply);
  const header = Buffer.alloc(START + 1);
  for (const [index, number] of [header.length + body.length, 1, requestId, OP_MSG].entries())
    header.writeInt32LE(number, 4 * index);
  return Buffer.concat([header, body]);
}
