import { BSON, Long, type Document } from 'mongodb';

/**
 * Decodes a document like the driver, but in less than half the time: it decodes each name once, however
 * many entries have it. Types that entries never contain, and damaged documents, are left to the driver.
 * Source: https://bsonspec.org/spec.html
 * @throws BSONError
 */
export function readBson(bytes: Buffer): Document {
  try {
    return readDocument({ bytes, at: 0, names: Array.from<string | undefined>({ length: SLOTS }) });
  } catch {
    return BSON.deserialize(bytes);
  }
}

interface Source {
  readonly bytes: Buffer;
  /** The position of the next byte. */
  at: number;
  /** Decoded names, by their hash. */
  readonly names: (string | undefined)[];
}

/** The next value, by its type byte. */
const [END, DOUBLE, TEXT, DOCUMENT, LIST] = [0x00, 0x01, 0x02, 0x03, 0x04];
const [BOOLEAN, MOMENT, NULL, INTEGER, LONG] = [0x08, 0x09, 0x0a, 0x10, 0x12];

/** A power of two, several times as many as entries have names. */
const SLOTS = 256;

/** Thrown for documents that are left to the driver. */
class Unsupported extends Error {}

function readDocument(source: Source): Document {
  const document: Document = {};
  source.at += 4;
  for (;;) {
    const kind = source.bytes[source.at++] as number;
    if (kind === END) return document;
    document[readName(source)] = readValue(kind, source);
  }
}

function readList(source: Source): unknown[] {
  const list: unknown[] = [];
  source.at += 4;
  for (;;) {
    const kind = source.bytes[source.at++] as number;
    if (kind === END) return list;
    source.at = endOfName(source) + 1;
    list.push(readValue(kind, source));
  }
}

function readValue(kind: number, source: Source): unknown {
  const { bytes, at } = source;
  switch (kind) {
    case DOUBLE:
      source.at += 8;
      return bytes.readDoubleLE(at);
    case TEXT: {
      const end = at + 4 + readInteger(bytes, at);
      source.at = end;
      return readText(bytes, at + 4, end - 1);
    }
    case DOCUMENT:
      return readDocument(source);
    case LIST:
      return readList(source);
    case BOOLEAN:
      source.at += 1;
      return bytes[at] === 1;
    case MOMENT:
      source.at += 8;
      return new Date(readLong(bytes, at));
    case NULL:
      return null;
    case INTEGER:
      source.at += 4;
      return readInteger(bytes, at);
    case LONG: {
      source.at += 8;
      const number = readLong(bytes, at);
      return Number.isSafeInteger(number) ? number : new Long(readInteger(bytes, at), readInteger(bytes, at + 4));
    }
    default:
      throw new Unsupported();
  }
}

function readName(source: Source): string {
  const { bytes, at, names } = source;
  const end = endOfName(source);
  source.at = end + 1;
  let hash = 0;
  for (let index = at; index < end; index++) hash = (hash * 31 + (bytes[index] as number)) | 0;
  const slot = hash & (SLOTS - 1);
  const cached = names[slot];
  if (cached !== undefined && isAt(cached, bytes, at, end)) return cached;
  const name = readText(bytes, at, end);
  // The driver has special rules for these.
  if (name === '__proto__' || name.startsWith('$')) throw new Unsupported();
  names[slot] = name;
  return name;
}

function endOfName({ bytes, at }: Source): number {
  let end = at;
  while (bytes[end] !== 0) {
    if (end >= bytes.length) throw new Unsupported();
    end += 1;
  }
  return end;
}

function isAt(text: string, bytes: Buffer, at: number, end: number): boolean {
  if (text.length !== end - at) return false;
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) !== bytes[at + index]) return false;
  }
  return true;
}

/** The driver reports invalid UTF-8. */
function readText(bytes: Buffer, at: number, end: number): string {
  if (end < at || end > bytes.length) throw new Unsupported();
  const text = bytes.toString('utf8', at, end);
  if (text.includes('\uFFFD')) throw new Unsupported();
  return text;
}

const readInteger = (bytes: Buffer, at: number): number =>
  (bytes[at] as number) |
  ((bytes[at + 1] as number) << 8) |
  ((bytes[at + 2] as number) << 16) |
  ((bytes[at + 3] as number) << 24);

const readLong = (bytes: Buffer, at: number): number =>
  readInteger(bytes, at + 4) * 2 ** 32 + (readInteger(bytes, at) >>> 0);
