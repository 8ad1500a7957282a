import path from 'node:path';
import type { Metadata, OutputInfo, Sharp } from 'sharp';
import { AppError } from '../../../errors/app-error.js';
import type { UploadSettings } from '../settings.js';

/** A file on this machine's disk. */
export interface SourceImage {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** By content. */
  readonly type: string;
}

export interface ImageFile {
  readonly path: string;
  readonly size: number;
  readonly width: number;
  readonly height: number;
}

/** An image in its final form, and its sizes by name. */
export interface RenderedImage extends ImageFile {
  readonly formats: readonly (readonly [string, ImageFile])[];
}

/** The processing of images per type, as in Strapi v4; other files are never decoded. */
const work: Readonly<Record<string, { readonly optimise: boolean; readonly resize: boolean }>> = {
  'image/jpeg': { optimise: true, resize: true },
  'image/png': { optimise: true, resize: true },
  'image/webp': { optimise: true, resize: true },
  'image/tiff': { optimise: true, resize: true },
  'image/gif': { optimise: false, resize: true },
  // Optimising would remove the animation.
  'image/apng': { optimise: false, resize: true },
  'image/avif': { optimise: false, resize: false },
  'image/svg+xml': { optimise: false, resize: false },
};

/** The maximum bytes of an SVG that is measured, because it is parsed completely. */
const LARGEST_SVG = 2 ** 20;
/**
 * The maximum pixels of an image that is optimised: those of a photo of a phone. Larger ones are only made smaller,
 * which costs a fraction of the time and memory, except a JPEG: it is encoded line by line.
 */
const MAX_OPTIMISED = 12_500_000;
const QUALITY = 80;
const thumbnail = { width: 245, height: 156 };

/** More effort in choosing colours makes files a little smaller and takes ten times as long. */
const quick = { effort: 1 };

export const isWorkedOn = ({ type, size }: SourceImage): boolean =>
  Object.hasOwn(work, type) && (type !== 'image/svg+xml' || size <= LARGEST_SVG);

/**
 * Measures an image and creates its sizes in `folder`, within the limits of pixels and time; undefined if it is not an
 * image.
 * @throws AppError application
 */
export async function renderImage(
  source: SourceImage,
  folder: string,
  settings: UploadSettings,
): Promise<RenderedImage | undefined> {
  const todo = work[source.type];
  if (todo === undefined) return undefined;
  const time = settings.imageTime * 1000;
  const begin = Date.now();
  try {
    const metadata = await measure(source, settings, begin + time);
    if (metadata === undefined) return undefined;
    const original = { path: source.path, size: source.size, ...sizeOf(metadata, settings) };
    const image = todo.optimise ? await optimise(original, metadata, folder, settings, begin + time / 2) : original;
    const formats = todo.resize ? await resize(image, metadata.format, folder, settings, begin + time) : [];
    return { ...image, formats };
  } catch (error) {
    throw explainImageError(error, settings);
  }
}

/** An image with its width and height, without sizes; undefined if it is not an image. @throws AppError application */
export async function measureImage(source: SourceImage, settings: UploadSettings): Promise<RenderedImage | undefined> {
  try {
    const metadata = await measure(source, settings, Date.now() + settings.imageTime * 1000);
    return metadata && { path: source.path, size: source.size, ...sizeOf(metadata, settings), formats: [] };
  } catch (error) {
    throw explainImageError(error, settings);
  }
}

/** Undefined for formats unknown to the decoder, which are stored like any file. */
async function measure(
  { path: file }: SourceImage,
  settings: UploadSettings,
  deadline: number,
): Promise<Metadata | undefined> {
  try {
    return await (await openImage(file, settings, deadline)).metadata();
  } catch (error) {
    if (hasTooManyPixels(error)) throw error;
    return undefined;
  }
}

const sizeOf = ({ width, height, autoOrient }: Metadata, { autoOrientation }: UploadSettings) =>
  autoOrientation ? { width: autoOrient.width, height: autoOrient.height } : { width, height };

/** The image in fewer bytes, if possible, and without the metadata of the camera. */
async function optimise(
  original: ImageFile,
  metadata: Metadata,
  folder: string,
  settings: UploadSettings,
  deadline: number,
): Promise<ImageFile> {
  const { sizeOptimization, autoOrientation } = settings;
  const { format, orientation = 1, pages = 1 } = metadata;
  const isLarge = original.width * original.height > MAX_OPTIMISED;
  if (pages > 1 || (isLarge && format !== 'jpeg') || !(sizeOptimization || (autoOrientation && orientation > 1)))
    return original;
  // The best coding of a JPEG is only known with all of its lines.
  const effort = format === 'png' ? quick : { optimizeCoding: !isLarge };
  const quality = { quality: sizeOptimization ? QUALITY : 100, ...effort };
  const target = path.join(folder, 'optimised');
  try {
    const written = await encode(await openImage(original.path, settings, deadline), format, quality).toFile(target);
    return written.size > original.size ? original : imageFile(target, written);
  } catch (error) {
    if (tookTooLong(error)) return original;
    throw error;
  }
}

async function resize(
  image: ImageFile,
  format: string,
  folder: string,
  settings: UploadSettings,
  deadline: number,
): Promise<RenderedImage['formats']> {
  const breakpoints = Object.entries(settings.responsiveDimensions ? settings.breakpoints : {});
  const boxes = [
    ['thumbnail', thumbnail] as const,
    ...breakpoints.map(([name, side]) => [name, { width: side, height: side }] as const),
  ].filter(([, box]) => box.width < image.width || box.height < image.height);
  const formats: [string, ImageFile][] = [];
  for (const [name, box] of boxes) {
    const target = path.join(folder, name);
    const resized = (await openImage(image.path, settings, deadline)).resize({ ...box, fit: 'inside' });
    const written = await encode(resized, format, format === 'gif' ? quick : {}).toFile(target);
    formats.push([name, imageFile(target, written)]);
  }
  return formats;
}

const encode = (image: Sharp, format: string, options: object): Sharp =>
  image.toFormat(format as 'jpeg' | 'png' | 'webp' | 'tiff' | 'gif', options);

const imageFile = (file: string, { size, width, height }: OutputInfo): ImageFile => ({
  path: file,
  size,
  width,
  height,
});

/**
 * Opens an image with limits on pixels and time, on one thread; rotated upright, depending on the settings.
 * @param deadline milliseconds since 1970
 */
async function openImage(file: string, settings: UploadSettings, deadline: number): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const image = sharp(file, { limitInputPixels: settings.pixelLimit, failOn: 'error', sequentialRead: true });
  const bounded = image.timeout({ seconds: Math.max(1, Math.ceil((deadline - Date.now()) / 1000)) });
  return settings.autoOrientation ? bounded.autoOrient() : bounded;
}

const hasTooManyPixels = (error: unknown): boolean => /pixel limit/i.test(String(error));
const tookTooLong = (error: unknown): boolean => /timeout/i.test(String(error));

/** The message about an image that cannot be processed. */
function explainImageError(error: unknown, { pixelLimit, imageTime }: UploadSettings): AppError {
  if (hasTooManyPixels(error)) return new AppError('tooManyPixels', pixelLimit);
  if (!tookTooLong(error)) return new AppError('invalidImage');
  return new AppError('application', `The image takes more than ${imageTime} seconds to process`);
}
