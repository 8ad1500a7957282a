import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, hasCode } from '../../../errors/app-error.js';
import { kilobytes } from '../forms/kilobytes.js';
import type { Running } from '../running.js';
import type { ImageProcess } from './image-process.js';
import type { ImageFile, RenderedImage, SourceImage } from './images.js';
import { sniff } from './sniff.js';

/** A file of project code, as Strapi v4 describes one that is not stored yet. */
interface FileInWork {
  readonly name?: string;
  readonly hash?: string;
  readonly ext?: string;
  readonly mime?: string;
  /** Where it is; without one, its content is in the stream. */
  readonly filepath?: string;
  readonly getStream?: () => Readable;
  /** Where its sizes are written; without one, below the folder of files in work. */
  readonly tmpWorkingDirectory?: string;
}

/** By content, as in Strapi v4. */
const optimisable: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'tiff', 'avif']);
const resizable: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'tiff', 'gif']);
const known: ReadonlySet<string> = new Set([...optimisable, ...resizable, 'svg+xml']);

/** The sender of images of code. */
const CODE = 'code';

const contentOf = ({ path: file, size, width, height }: ImageFile) => ({
  filepath: file,
  getStream: (): Readable => createReadStream(file),
  width,
  height,
  size: kilobytes(size),
  sizeInBytes: size,
});

/** One size of a file, to be stored beside it. */
const sizedFile = (key: string, { name, hash, ext, mime }: FileInWork, image: ImageFile) => ({
  name: `${key}_${name}`,
  hash: `${key}_${hash}`,
  ext,
  mime,
  path: null,
  ...contentOf(image),
});

/** The service `image-manipulation` for project code: images are decoded in the process for it, within its limits. */
export function createImageService(parts: () => Running, render: ImageProcess['render']) {
  const newFolder = async ({ tmpWorkingDirectory }: FileInWork): Promise<string> => {
    const base = tmpWorkingDirectory ?? parts().temporary;
    await mkdir(base, { recursive: true });
    // What is left there is swept with the files of incomplete uploads.
    return mkdtemp(path.join(base, 'image-'));
  };
  const receive = async ({ filepath, getStream }: FileInWork, folder: string): Promise<SourceImage> => {
    const source = filepath ?? path.join(folder, 'source');
    if (filepath === undefined) {
      const content = getStream?.();
      if (content === undefined) throw new AppError('invalidValue', 'A file needs a filepath or getStream');
      await pipeline(content, createWriteStream(source));
    }
    return { path: source, size: (await stat(source)).size, type: (await sniff(source)) ?? '' };
  };
  /** What is found out about a file; nothing of it is left. */
  const about = async <T>(
    file: FileInWork,
    find: (source: SourceImage, folder: string) => T | Promise<T>,
  ): Promise<T> => {
    const folder = await newFolder(file);
    try {
      return await find(await receive(file, folder), folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  const isOf =
    (formats: ReadonlySet<string>) =>
    (file: FileInWork): Promise<boolean> =>
      about(file, ({ type }) => formats.has(type.replace(/^image\//, '')));
  /** The image itself stays as it is. */
  const sizesOf = async (file: FileInWork, responsiveDimensions: boolean): Promise<RenderedImage['formats']> => {
    const folder = await newFolder(file);
    const own = { sizeOptimization: false, autoOrientation: false, responsiveDimensions };
    return (await render(await receive(file, folder), folder, CODE, own))?.formats ?? [];
  };
  return {
    isImage: isOf(known),
    isOptimizableImage: isOf(optimisable),
    isSupportedImage: isOf(optimisable),
    isResizableImage: isOf(resizable),
    /** Whether it cannot be decoded. */
    isFaultyImage: (file: FileInWork): Promise<boolean> =>
      about(file, async (source, folder) => {
        try {
          const own = { responsiveDimensions: false, sizeOptimization: false };
          return (await render(source, folder, CODE, own)) === undefined;
        } catch (error) {
          if (hasCode(error, 'invalidImage', 'tooManyPixels', 'application')) return true;
          throw error;
        }
      }),
    /** @throws AppError application */
    getDimensions: (file: FileInWork) =>
      about(file, async (source, folder) => {
        const image = await render(source, folder, CODE, { isMeasured: true, autoOrientation: false });
        return { width: image?.width ?? null, height: image?.height ?? null };
      }),
    /** Null if it is small enough. @throws AppError application */
    generateThumbnail: async (file: FileInWork) => {
      const [thumbnail] = await sizesOf(file, false);
      return thumbnail === undefined ? null : sizedFile('thumbnail', file, thumbnail[1]);
    },
    /** The sizes of `breakpoints` that are smaller. @throws AppError application */
    generateResponsiveFormats: async (file: FileInWork) => {
      if (!parts().settings.responsiveDimensions) return [];
      return (await sizesOf(file, true)).flatMap(([key, image]) =>
        key === 'thumbnail' ? [] : [{ key, file: sizedFile(key, file, image) }],
      );
    },
    /** The file in fewer bytes and upright, if the settings say so and it is possible. @throws AppError application */
    optimize: async <T extends FileInWork>(file: T): Promise<T> => {
      const folder = await newFolder(file);
      const source = await receive(file, folder);
      const image = await render(source, folder, CODE, { responsiveDimensions: false });
      return image === undefined || image.path === source.path ? file : { ...file, ...contentOf(image) };
    },
  };
}
