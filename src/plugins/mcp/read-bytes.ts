import type { IncomingMessage } from 'node:http';

/** The bytes of a response. @param refuse the error for more than `limit` */
export async function readBytes(
  response: IncomingMessage,
  limit: number,
  refuse: () => Error,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes > limit) throw refuse();
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
