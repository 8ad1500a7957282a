import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { extension } from 'mime-types';
import { AppError } from '../../../errors/app-error.js';

/** Characters that file systems do not allow, as in Strapi v4. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const reserved = /[<>:"/\\|?*\u0000-\u001F\u007F-\u009F]|^(?:con|prn|aux|nul|com\d|lpt\d)$|^\.{1,2}$/i;
const MAX_LENGTH = 255;

/** Characters that disguise a name by changing the direction of writing. */
const turning = /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/**
 * The display name of a file.
 * @throws AppError application for an invalid file name
 */
export function parseFileName(name: string): string {
  const clean = name.normalize().replaceAll(turning, '');
  if (clean === '' || clean.length > MAX_LENGTH || reserved.test(clean)) {
    throw new AppError('application', 'File name contains invalid characters');
  }
  return clean;
}

/** The extension of a name, e.g. `.png`, otherwise of the type; empty if neither is known. Only letters and digits. */
export function extensionOf(name: string, mime: string): string {
  const ending = path.extname(name) || `.${extension(mime) || ''}`;
  const letters = ending.replaceAll(/[^A-Za-z0-9_-]/g, '').slice(0, 20);
  return letters === '' ? '' : `.${letters}`;
}

/** The stored name of a file without its extension, as in Strapi v4: readable and unique. */
export async function makeHash(name: string, ext: string): Promise<string> {
  // Its table of characters takes longer to build than most other packages take to load.
  const { slugOf } = await import('../../../documents/slug.js');
  const slug = slugOf(path.basename(name, ext), { separator: '_', lowercase: false }).slice(0, 80);
  return `${slug || 'file'}_${randomBytes(5).toString('hex')}`;
}
