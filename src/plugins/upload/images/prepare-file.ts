import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { FileInfo, ReceivedFile } from '../../contract/forms.js';
import { kilobytes } from '../forms/kilobytes.js';
import { extensionOf, makeHash, parseFileName } from '../storage/file-names.js';
import type { FileAttributes, Placed } from '../storage/remote-files.js';
import { checkType, decideType, parseClaim, sniff } from './sniff.js';
import type { ImageProcess } from './image-process.js';
import type { ImageFile } from './images.js';
import type { UploadSettings } from '../settings.js';

/** A size of an image as `formats` lists it. */
export interface FileFormat extends FileAttributes, Placed {
  readonly path: null;
  readonly width: number;
  readonly height: number;
  readonly sizeInBytes: number;
}

/** The recorded attributes of a file's content. */
export interface FileRecord extends FileAttributes, Placed {
  /** Absent if it is not an image. */
  readonly width?: number;
  readonly height?: number;
  /** Null if there are none. */
  readonly formats: Readonly<Record<string, FileFormat>> | null;
}

/** A prepared file: its recorded attributes, and the bytes of the file and its sizes. */
export interface PreparedFile {
  readonly record: FileRecord;
  /** Of the bytes as they were received, in hexadecimal digits: images are stored smaller. */
  readonly contentDigest: string;
  readonly parts: readonly {
    /** Its key in `formats`; undefined for the file itself. */
    readonly size: string | undefined;
    /** Its name in the store. */
    readonly name: string;
    readonly path: string;
    readonly bytes: number;
  }[];
}

/** Where files are served. */
export const SERVED_AT = '/uploads';

/** How files are prepared. */
export interface Preparation {
  readonly settings: UploadSettings;
  readonly render: ImageProcess['render'];
  /** The prefix of the URLs of stored files. */
  readonly address: string;
}

/**
 * Checks an uploaded file, and creates its sizes.
 * @param sender see `ImageProcess`
 * @param kept the hash of the file that it replaces, to keep the URL
 * @throws AppError application; overloaded, tooManyRequests if too many images wait
 */
export async function prepareFile(
  file: ReceivedFile,
  info: FileInfo,
  sender: string,
  { settings, render, address }: Preparation,
  kept?: { readonly hash: string; readonly ext: string },
): Promise<PreparedFile> {
  parseFileName(file.name);
  const name = parseFileName(info.name || file.name);
  const [claimed, detected] = [parseClaim(file.type), await sniff(file.path)];
  checkType(claimed, detected, settings);
  const mime = decideType(claimed, detected);
  const ext = kept?.ext ?? extensionOf(file.name, mime);
  const hash = kept?.hash ?? (await makeHash(name, ext));
  // The sizes of each image go to a folder of their own, also of one that two variables of a mutation share.
  const image =
    detected === undefined
      ? undefined
      : await render({ ...file, type: detected }, await mkdtemp(`${file.path}.`), sender);
  const sizes = image?.formats ?? [];
  const formats = sizes.map(([key, size]) => [key, formatOf(key, size, { name, hash, ext, mime }, address)] as const);
  return {
    record: {
      name,
      hash,
      ext,
      mime,
      size: kilobytes(image?.size ?? file.size),
      ...(image !== undefined && { width: image.width, height: image.height }),
      formats: formats.length > 0 ? Object.fromEntries(formats) : null,
      url: address + hash + ext,
    },
    contentDigest: await digestOf(file.path),
    parts: [
      { size: undefined, name: hash + ext, path: image?.path ?? file.path, bytes: image?.size ?? file.size },
      ...sizes.map(([key, { path, size: bytes }]) => ({ size: key, name: `${key}_${hash}${ext}`, path, bytes })),
    ],
  };
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

function formatOf(
  key: string,
  { width, height, size: sizeInBytes }: ImageFile,
  { name, hash, ext, mime }: Pick<FileRecord, 'name' | 'hash' | 'ext' | 'mime'>,
  address: string,
): FileFormat {
  const own = `${key}_${hash}`;
  const size = kilobytes(sizeInBytes);
  return {
    name: `${key}_${name}`,
    hash: own,
    ext,
    mime,
    path: null,
    width,
    height,
    size,
    sizeInBytes,
    url: address + own + ext,
  };
}
