import type { Sharp } from 'sharp';
import { AppError } from '../../../errors/app-error.js';
import type { UploadSettings } from '../settings.js';

/**
 * Opens an image with limits on pixels and time, on one thread; rotated upright, depending on the settings.
 * @param deadline milliseconds since 1970
 */
export async function openImage(file: string, settings: UploadSettings, deadline: number): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const image = sharp(file, { limitInputPixels: settings.pixelLimit, failOn: 'error', sequentialRead: true });
  const bounded = image.timeout({ seconds: Math.max(1, Math.ceil((deadline - Date.now()) / 1000)) });
  return settings.autoOrientation ? bounded.autoOrient() : bounded;
}

export const hasTooManyPixels = (error: unknown): boolean => /pixel limit/i.test(String(error));
export const tookTooLong = (error: unknown): boolean => /timeout/i.test(String(error));

/** The message about an image that cannot be processed. */
export function explainImageError(error: unknown, { pixelLimit, imageTime }: UploadSettings): AppError {
  if (hasTooManyPixels(error)) return new AppError('application', `The image has more than ${pixelLimit} pixels`);
  if (!tookTooLong(error)) return new AppError('application', 'File is not a valid image');
  return new AppError('application', `The image takes more than ${imageTime} seconds to process`);
}
