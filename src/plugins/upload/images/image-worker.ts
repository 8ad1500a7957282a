import { AppError } from '../../../errors/app-error.js';
import { measureImage, renderImage, type RenderedImage, type SourceImage } from './images.js';
import type { UploadSettings } from '../settings.js';

/** A request to process an image; the reply contains `number`. */
export interface ImageJob {
  readonly number: number;
  readonly source: SourceImage;
  readonly folder: string;
  readonly settings: UploadSettings;
  /** Nothing is written: only its width and height are wanted. */
  readonly isMeasured?: true;
}

export interface ImageResponse {
  readonly number: number;
  readonly image?: RenderedImage | undefined;
  /** The message for clients. */
  readonly refusal?: string;
}

async function processImage({ number, source, folder, settings, isMeasured }: ImageJob): Promise<ImageResponse> {
  try {
    const image =
      isMeasured === true ? await measureImage(source, settings) : await renderImage(source, folder, settings);
    return { number, image };
  } catch (error) {
    if (error instanceof AppError) return { number, refusal: error.message };
    throw error;
  }
}

/** An internal error ends the process, which its parent detects. */
const take = async (job: ImageJob): Promise<void> => void process.send?.(await processImage(job));

process.on('message', (job: ImageJob) => void take(job));
// Ctrl+C is for the parent, which still needs the work in progress.
process.on('SIGINT', () => undefined);
process.once('disconnect', () => process.exit());
