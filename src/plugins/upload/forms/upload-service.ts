import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { lookup } from 'mime-types';
import { isAbsent, type Data } from '../../../config/record.js';
import { system } from '../../../documents/caller.js';
import type { Entry } from '../../../documents/entries.js';
import { allSent } from '../../../documents/input/permitted-data.js';
import { AppError } from '../../../errors/app-error.js';
import { requireId } from '../../../query/parse/input.js';
import type { FileInfo, ReceivedFile } from '../../contract/forms.js';
import { FILE, shownFields } from '../definitions.js';
import { parseTarget } from '../media/attach.js';
import { parseFileInfo } from '../media/file-info.js';
import { withinFolder } from '../storage/temporary-folder.js';
import type { Running } from '../running.js';
import { exceeds } from './read-form.js';

/** The sender of files that code uploads. */
const CODE = 'code';

/** A file that code uploads: its name with an extension, and its content. */
interface Source {
  readonly name: string;
  readonly type?: string | undefined;
  readonly content: Readable;
}

/** Processes files uploaded by code like those of a form: in a temporary folder that is removed afterwards. */
const receive = <T>(
  { temporary, settings }: Running,
  sources: readonly Source[],
  work: (received: readonly ReceivedFile[]) => Promise<T>,
): Promise<T> =>
  withinFolder(temporary, async (own) => {
    const received: ReceivedFile[] = [];
    for (const { name, type, content } of sources) {
      const target = path.join(own, randomUUID());
      await pipeline(content, createWriteStream(target));
      const { size } = await stat(target);
      if (size > settings.sizeLimit) throw exceeds('sizeLimit', settings, name);
      const mediaType = type ?? (lookup(name) || 'application/octet-stream');
      received.push({ field: '', name, type: mediaType, size, path: target });
    }
    return work(received);
  });

/** Uploads a file of internal code, with the same checks as files of clients. */
export const uploadFile = (parts: Running, name: string, content: Readable, info: FileInfo = {}): Promise<Entry> =>
  receive(parts, [{ name, content }], async (received) => {
    const [added] = await parts.files.upload(received, { sender: CODE, infos: [info] });
    return added as Entry;
  });

/** A file in Strapi v4's format: of a request (`ctx.request.files`), or on disk. */
interface DiskFile {
  readonly path?: string;
  readonly filepath?: string;
  readonly name?: string;
  readonly originalFilename?: string;
  readonly type?: string;
  readonly mimetype?: string;
}

function sourceOf(file: DiskFile): Source {
  const filePath = file.filepath ?? file.path;
  if (typeof filePath !== 'string') throw new AppError('invalidValue', 'A file needs a path');
  return {
    name: file.originalFilename ?? file.name ?? path.basename(filePath),
    type: file.mimetype ?? file.type,
    content: createReadStream(filePath),
  };
}

const requireFileId = (id: unknown): number => requireId(String(id), 'Entity not found');

/** The writing methods of `strapi.plugin('upload').service('upload')` for project code. */
export const createUploadService = (parts: () => Running) => ({
  /**
   * Uploads files, into no folder unless their information names one. `data` has the information of each (`fileInfo`),
   * and the entry to which they are added (`ref`, `refId`, `field`).
   * @throws AppError application, invalidValue, validation, payloadTooLarge
   */
  upload: ({ data = {}, files }: { readonly data?: Data; readonly files: DiskFile | readonly DiskFile[] }) => {
    const { fileInfo, refId, ...others } = data;
    // Ids of clients are strings.
    const target = { ...others, refId: isAbsent(refId) ? undefined : String(refId) };
    const infos = [fileInfo].flat();
    return receive(parts(), [files].flat().map(sourceOf), (received) => {
      const describe = (info: unknown): FileInfo => ({ folder: null, ...parseFileInfo(info, true) });
      return parts().filesForCode.upload(received, {
        sender: CODE,
        infos: received.map((_, index) => describe(infos[index])),
        target: parseTarget(target, parts().context.registry, system, allSent),
      });
    });
  },
  /** Replaces the content of a file; its URL stays. @throws AppError notFound, application */
  replace: (id: unknown, { data = {}, file }: { readonly data?: Data; readonly file: DiskFile }) =>
    receive(parts(), [sourceOf(file)], ([received]) => {
      if (received === undefined) throw new AppError('invalidValue', 'Files are empty');
      return parts().filesForCode.replace(requireFileId(id), received, parseFileInfo(data['fileInfo'], true), CODE);
    }),
  /** Changes name, alternative text and caption. @throws AppError notFound */
  updateFileInfo: async (id: unknown, info: unknown): Promise<Entry> =>
    parts().filesForCode.describe(requireFileId(id), parseFileInfo(info, true)),
  /** Removes a file and its sizes. @throws AppError notFound */
  remove: async (file: { readonly id: unknown }): Promise<Entry> =>
    parts().context.entries.delete(FILE, requireFileId(file.id), {
      fields: shownFields(parts().context.registry, 'internal'),
    }),
});
