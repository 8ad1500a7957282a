import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { lookup } from 'mime-types';
import type { Entry } from '../../../documents/entries.js';
import { AppError } from '../../../errors/app-error.js';
import type { FileInfo, ReceivedFile } from '../../contract/forms.js';
import { withinFolder } from '../storage/temporary-folder.js';
import type { Files } from '../media/files.js';

/** A file that code uploads: its name with an extension, and its content. */
export interface Source {
  readonly name: string;
  readonly type?: string | undefined;
  readonly content: Readable;
}

/** Where files that code uploads are kept while they are processed. */
export interface Reception {
  readonly temporary: string;
  /** Bytes of one file. */
  readonly sizeLimit: number;
}

/** Processes files uploaded by code like those of a form: in a temporary folder that is removed afterwards. */
export const receive = <T>(
  { temporary, sizeLimit }: Reception,
  sources: readonly Source[],
  work: (received: readonly ReceivedFile[]) => Promise<T>,
): Promise<T> =>
  withinFolder(temporary, async (own) => {
    const received: ReceivedFile[] = [];
    for (const { name, type, content } of sources) {
      const target = path.join(own, randomUUID());
      await pipeline(content, createWriteStream(target));
      const { size } = await stat(target);
      if (size > sizeLimit) throw new AppError('payloadTooLarge');
      const mediaType = type ?? (lookup(name) || 'application/octet-stream');
      received.push({ field: '', name, type: mediaType, size, path: target });
    }
    return work(received);
  });

/** Uploads a file of internal code, with the same checks as files of clients. */
export const uploadFile = (
  parts: Reception & { readonly files: Files },
  name: string,
  content: Readable,
  info: FileInfo = {},
): Promise<Entry> =>
  receive(parts, [{ name, content }], async (received) => (await parts.files.upload(received, [info]))[0] as Entry);
