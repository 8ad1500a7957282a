import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { lookup } from 'mime-types';
import type { Entry } from '../../../documents/entries.js';
import { AppError } from '../../../errors/app-error.js';
import type { UploadFile } from '../../contract/forms.js';
import type { Files } from '../media/files.js';
import type { UploadSettings } from '../settings.js';

/** Files of our own code go the way of all others: by a temporary folder, through every check. */
export const createUploadFile =
  (folder: string, { sizeLimit }: UploadSettings, files: Files): UploadFile =>
  async (name, content, info = {}) => {
    const own = path.join(folder, randomUUID());
    await mkdir(own, { recursive: true, mode: 0o700 });
    try {
      const target = path.join(own, randomUUID());
      await pipeline(content, createWriteStream(target));
      const { size } = await stat(target);
      if (size > sizeLimit) throw new AppError('payloadTooLarge');
      const type = lookup(name) || 'application/octet-stream';
      const [file] = await files.upload([{ field: '', name, type, size, path: target }], [info]);
      return file as Entry;
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  };
