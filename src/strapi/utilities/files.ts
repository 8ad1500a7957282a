import { Writable, type Readable, type WritableOptions } from 'node:stream';
import { buffer } from 'node:stream/consumers';

const units = ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];

function bytesToHumanReadable(bytes: number): string {
  if (bytes === 0) return '0 Bytes';
  const power = Math.floor(Math.log(bytes) / Math.log(1000));
  return `${Math.round(bytes / 1000 ** power)} ${units[power]}`;
}

async function getStreamSize(stream: Readable): Promise<number> {
  let size = 0;
  for await (const chunk of stream) size += Buffer.byteLength(chunk as string | Buffer);
  return size;
}

/** `file` of `@strapi/utils`: for providers of uploads. */
export const file = {
  kbytesToBytes: (kilobytes: number): number => kilobytes * 1000,
  bytesToKbytes: (bytes: number): number => Math.round((bytes / 1000) * 100) / 100,
  bytesToHumanReadable,
  streamToBuffer: (stream: Readable): Promise<Buffer> => buffer(stream),
  getStreamSize,
  writableDiscardStream: (options?: WritableOptions): Writable =>
    new Writable({ ...options, write: (_chunk, _encoding, done) => void setImmediate(done) }),
};
