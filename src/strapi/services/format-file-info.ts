import { kilobytes } from '../../plugins/upload/forms/kilobytes.js';
import { extensionOf, makeHash, parseFileName } from '../../plugins/upload/storage/file-names.js';
import type { Named, Strapi } from '../strapi.js';

/**
 * `formatFileInfo` of the service `upload`: the entry of a file that is not stored yet.
 * @throws AppError application for an invalid file name
 */
export const formatFileInfo =
  (strapi: Strapi) =>
  async ({ filename, type, size }: Named, info: Named = {}, more: Named = {}): Promise<Named> => {
    const received = parseFileName(String(filename));
    const ext = extensionOf(received, String(type));
    const name = parseFileName(String(info['name'] || filename));
    const { refId, ref, field, path, tmpWorkingDirectory } = more;
    const { folder, alternativeText, caption } = info;
    const parent: Named | null =
      folder === undefined || folder === null
        ? null
        : await strapi.entityService.findOne('plugin::upload.folder', folder as never);
    return {
      name,
      alternativeText,
      caption,
      folder,
      folderPath: parent?.['path'] ?? '/',
      hash: await makeHash(name, ext),
      ext,
      mime: type,
      size: kilobytes(Number(size)),
      sizeInBytes: size,
      ...(refId && ref && field && { related: [{ id: refId, __type: ref, __pivot: { field } }] }),
      ...(path && { path }),
      ...(tmpWorkingDirectory && { tmpWorkingDirectory }),
    };
  };
