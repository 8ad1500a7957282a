import { createDecipheriv, scryptSync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract, type Extract } from 'tar-stream';
import { StartError } from '../../../../errors/start-error.js';

export interface Member {
  readonly name: string;
  readonly size: number;
  readonly modified: Date;
  readonly content: AsyncIterable<Uint8Array>;
}

/** How the bytes of an archive become a tar. */
export interface Packing {
  readonly key: Buffer | undefined;
  readonly zipped: boolean;
}

const BLOCK = 512;
/** Source: `strapi export` encrypts with this. */
const CIPHER = 'aes-128-ecb';

const isZipped = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
const isTar = (bytes: Buffer): boolean => bytes.subarray(257, 262).toString('latin1') === 'ustar';

/** How a file is packed; undefined if it is not an archive. @throws StartError if its key is wrong or missing */
export async function packingOf(file: string, password: string | undefined): Promise<Packing | undefined> {
  const firstBytes = await readHead(file);
  if (isZipped(firstBytes) || isTar(firstBytes)) return { key: undefined, zipped: isZipped(firstBytes) };
  const encrypted = file.endsWith('.enc');
  if (password === undefined) {
    if (encrypted) throw new StartError(`${file} is encrypted: pass its password with --key`);
    return undefined;
  }
  // As `strapi export` makes it of the password.
  const key = scryptSync(password, '', 16);
  const decipher = createDecipheriv(CIPHER, key, null).setAutoPadding(false);
  const plain = decipher.update(firstBytes);
  if (isZipped(plain) || isTar(plain)) return { key, zipped: isZipped(plain) };
  if (!encrypted) return undefined;
  throw new StartError(`${file}: the password is wrong, or the file is not an archive of strapi export`);
}

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BLOCK), 0, BLOCK, 0);
    return buffer.subarray(0, bytesRead - (bytesRead % 16));
  } finally {
    await handle.close();
  }
}

/** The files in an archive, in order; unread content is skipped. */
export async function* readMembers(
  file: string,
  { key, zipped }: Packing,
  onProgress: (bytes: number) => void,
): AsyncGenerator<Member> {
  const bytes = createReadStream(file);
  const streams = [
    bytes,
    ...(key === undefined ? [] : [createDecipheriv(CIPHER, key, null)]),
    ...(zipped ? [createGunzip()] : []),
  ];
  const members: Extract = extract();
  pipeline([...streams, members], () => {
    // The reader of the members meets the error.
  });
  bytes.on('data', () => onProgress(bytes.bytesRead));
  try {
    for await (const member of members) {
      const { name, size, mtime, type } = member.header;
      if (type === 'file')
        yield { name: name.replace(/^\.\//, ''), size, modified: mtime, content: member as AsyncIterable<Uint8Array> };
      member.resume();
    }
  } finally {
    members.destroy();
    bytes.destroy();
  }
}

/** The contents of the files in an archive, in order. @throws StartError if the archive is damaged */
export async function* readItems<T>(
  file: string,
  packing: Packing,
  onProgress: (bytes: number) => void,
  itemsIn: (member: Member) => AsyncIterable<T>,
): AsyncGenerator<T> {
  try {
    for await (const member of readMembers(file, packing, onProgress)) yield* itemsIn(member);
  } catch (error) {
    throw isDamage(error) ? new StartError(`${file} is damaged: ${error.message}`) : error;
  }
}

/** Whether it is an error of a damaged archive, from decryption, decompression or the tar reader. */
const isDamage = (error: unknown): error is NodeJS.ErrnoException => {
  // Its message can name a file that ends with .tar.
  if (error instanceof StartError) return false;
  const { code = '', message = '' } = error as Partial<NodeJS.ErrnoException>;
  return /^(?:Z_|ERR_OSSL)/.test(code) || /tar|premature|unexpected end/i.test(message);
};

/** What `strapi export` wrote: an archive, or the folder that it is unpacked in. */
export interface Export {
  /** Bytes of one reading. */
  readonly size: number;
  /** The contents of its files, in order. @throws StartError if it is damaged */
  read<T>(onProgress: (bytes: number) => void, itemsIn: (member: Member) => AsyncIterable<T>): AsyncIterable<T>;
}

/** The parts of an export, in the order in which they are read: what follows refers to what comes before. */
const parts = ['metadata.json', 'schemas', 'entities', 'assets', 'links', 'configuration'];

/** Opens an export of Strapi; undefined if it is none. @throws StartError if the password is wrong or missing */
export async function openExport(address: string, password: string | undefined): Promise<Export | undefined> {
  const stats = await stat(address);
  if (stats.isFile()) {
    const packing = await packingOf(address, password);
    if (packing === undefined) return undefined;
    return { size: stats.size, read: (onProgress, itemsIn) => readItems(address, packing, onProgress, itemsIn) };
  }
  const present = new Set(await readdir(address));
  if (!present.has('schemas')) return undefined;
  const names = (await readdir(address, { recursive: true })).map((name) => name.split(path.sep).join('/'));
  const orderOf = (name: string): number => parts.indexOf(name.split('/')[0] ?? '');
  const files: Omit<Member, 'content'>[] = [];
  for (const name of names
    .filter((one) => orderOf(one) >= 0)
    .toSorted((a, b) => orderOf(a) - orderOf(b) || (a < b ? -1 : 1))) {
    const file = await stat(path.join(address, name));
    if (file.isFile()) files.push({ name, size: file.size, modified: file.mtime });
  }
  return {
    size: files.reduce((sum, { size }) => sum + size, 0),
    read: async function* (onProgress, itemsIn) {
      let done = 0;
      for (const file of files) {
        yield* itemsIn({ ...file, content: createReadStream(path.join(address, file.name)) });
        onProgress((done += file.size));
      }
    },
  };
}
