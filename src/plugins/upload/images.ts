import path from 'node:path';
import type { Metadata, Sharp } from 'sharp';
import { AppError } from '../../errors/app-error.js';
import type { UploadSettings } from './settings.js';
import { takeTurns } from './turns.js';

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

/** An image as it is to be stored, and the sizes that were made of it, by their names. */
export interface RenderedImage extends ImageFile {
  readonly formats: readonly (readonly [string, ImageFile])[];
}

/** Measures an image and makes its sizes in `folder`; undefined for what is no image after all. */
export type RenderImage = (source: SourceImage, folder: string) => Promise<RenderedImage | undefined>;

/** What is done with images of each type, as in Strapi v4; other files are never given to a decoder. */
const work: Readonly<Record<string, { readonly optimise: boolean; readonly resize: boolean }>> = {
  'image/jpeg': { optimise: true, resize: true },
  'image/png': { optimise: true, resize: true },
  'image/webp': { optimise: true, resize: true },
  'image/tiff': { optimise: true, resize: true },
  'image/gif': { optimise: false, resize: true },
  // Optimised it would no longer move.
  'image/apng': { optimise: false, resize: true },
  'image/avif': { optimise: false, resize: false },
  'image/svg+xml': { optimise: false, resize: false },
};

/** Bytes of an SVG that is measured: its whole text is parsed for that. */
const LARGEST_SVG = 2 ** 20;
/** Pixels of a PNG that is optimised: for that it is in memory as a whole, twice. */
const MOST_OPTIMISED = 12_000_000;
const QUALITY = 80;
const thumbnail = { width: 245, height: 156 };

type Format = 'jpeg' | 'png' | 'webp' | 'tiff' | 'gif';

/** Image work with bounds: on pixels, on time, and on how much of it goes on at once. */
export function createImages(settings: UploadSettings): RenderImage {
  const { pixelLimit, imageTime, autoOrientation, sizeOptimization } = settings;
  const inTurn = takeTurns(settings.imagesAtOnce);
  const open = async (file: string): Promise<Sharp> => {
    const { default: sharp } = await import('sharp');
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp(file, { limitInputPixels: pixelLimit, failOn: 'error', sequentialRead: true });
  };
  const pipelineOf = async (file: string): Promise<Sharp> => {
    const image = (await open(file)).timeout({ seconds: imageTime });
    return autoOrientation ? image.autoOrient() : image;
  };

  const optimise = async (source: SourceImage, metadata: Metadata, folder: string): Promise<ImageFile> => {
    const { width, height } = sizeOf(metadata, autoOrientation);
    const turned = autoOrientation && (metadata.orientation ?? 1) > 1;
    const tooLarge = metadata.format === 'png' && width * height > MOST_OPTIMISED;
    const original = { path: source.path, size: source.size, width, height };
    if ((metadata.pages ?? 1) > 1 || tooLarge || (!sizeOptimization && !turned)) return original;
    const target = path.join(folder, 'optimised');
    const quality = sizeOptimization ? QUALITY : 100;
    const written = await (
      await pipelineOf(source.path)
    )
      .toFormat(metadata.format as Format, { quality })
      .toFile(target);
    return written.size > source.size ? original : { path: target, ...pick(written) };
  };

  const resize = async (image: ImageFile, format: string, folder: string): Promise<RenderedImage['formats']> => {
    const wanted = Object.entries(settings.responsiveDimensions ? settings.breakpoints : {});
    const boxes = [
      ['thumbnail', thumbnail] as const,
      ...wanted.map(([name, side]) => [name, { width: side, height: side }] as const),
    ].filter(([, box]) => box.width < image.width || box.height < image.height);
    const formats: [string, ImageFile][] = [];
    for (const [name, box] of boxes) {
      const target = path.join(folder, name);
      const resized = (await pipelineOf(image.path)).resize({ ...box, fit: 'inside' });
      formats.push([name, { path: target, ...pick(await resized.toFormat(format as Format).toFile(target)) }]);
    }
    return formats;
  };

  return async (source, folder) => {
    const todo = Object.hasOwn(work, source.type) ? work[source.type] : undefined;
    if (todo === undefined || (source.type === 'image/svg+xml' && source.size > LARGEST_SVG)) return undefined;
    return inTurn(async () => {
      const metadata = await (await open(source.path)).metadata().catch((error: unknown) => {
        if (isTooLarge(error)) throw refusal(error, settings);
      });
      if (metadata === undefined) return undefined;
      try {
        const size = sizeOf(metadata, autoOrientation);
        const original = todo.optimise
          ? await optimise(source, metadata, folder)
          : { path: source.path, size: source.size, ...size };
        const formats = todo.resize ? await resize(original, metadata.format, folder) : [];
        return { ...original, formats };
      } catch (error) {
        throw refusal(error, settings);
      }
    });
  };
}

const pick = ({ size, width, height }: Omit<ImageFile, 'path'>) => ({ size, width, height });

const sizeOf = ({ width, height, autoOrient }: Metadata, turn: boolean) =>
  turn ? { width: autoOrient.width, height: autoOrient.height } : { width, height };

const isTooLarge = (error: unknown): boolean => /pixel limit/i.test(String(error));

function refusal(error: unknown, { pixelLimit, imageTime }: UploadSettings): AppError {
  if (isTooLarge(error)) return new AppError('application', `The image has more than ${pixelLimit} pixels`);
  if (/timeout/i.test(String(error))) {
    return new AppError('application', `The image takes more than ${imageTime} seconds to work on`);
  }
  return new AppError('application', 'File is not a valid image');
}
