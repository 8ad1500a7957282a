import { fork } from 'node:child_process';
import path from 'node:path';
import { packageFolder } from '../../../config/package-folder.js';
import { bareEnvironment } from '../../../config/system.js';
import { createQuota } from '../../../documents/quota.js';
import { AppError } from '../../../errors/app-error.js';
import { isWorkedOn, type RenderedImage, type SourceImage } from './images.js';
import type { ImageResponse, ImageJob } from './image-worker.js';
import type { UploadSettings } from '../settings.js';
import { createTurns } from './turns.js';

const program = path.join(packageFolder, 'bin', 'image-worker.mjs');
/** Milliseconds that a decoder gets beyond its time limit. */
const GRACE = 5000;
/** Milliseconds without an image after which the process exits and frees its memory. */
const IDLE = 30_000;
/** The images that are processed or wait for it, of all callers and of one: each is in a request that waits. */
const QUOTA = { all: 100, perCaller: 20 };
/** With several heaps, the process would retain much of the memory that C libraries free. */
const oneHeap = { MALLOC_ARENA_MAX: '1' };

/** Image processing in a child process: a decoder that crashes, hangs or leaks memory does not affect the service. */
export function createImageProcess(settings: UploadSettings) {
  const turns = createTurns(settings.imagesAtOnce);
  const quota = createQuota(QUOTA, 'Too many images are processed');
  let worker: ReturnType<typeof startWorker> | undefined;
  let idle: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearTimeout(idle);
    if (worker?.child.connected === true) worker.child.disconnect();
    worker = undefined;
  };
  const run = async (job: Omit<ImageJob, 'number'>): Promise<ImageResponse> => {
    clearTimeout(idle);
    if (worker?.child.connected !== true) worker = startWorker();
    try {
      return await worker.ask(job, settings.imageTime * 1000 + GRACE);
    } finally {
      clearTimeout(idle);
      // Another image that takes longer than that starts the time again.
      idle = setTimeout(() => turns.running === 0 && stop(), IDLE).unref();
    }
  };
  /**
   * Creates the sizes of an image in `folder`; undefined if it is not an image.
   * @param sender who has it processed: images of several have turns
   * @param own what is done with it in place of what the settings say
   * @throws AppError application; overloaded, tooManyRequests if too many images wait
   */
  const render = async (
    source: SourceImage,
    folder: string,
    sender: string,
    { isMeasured, ...own }: Partial<ImageWork> = {},
  ): Promise<RenderedImage | undefined> => {
    if (!isWorkedOn(source)) return undefined;
    const leave = quota.take(sender);
    const job = { source, folder, settings: { ...settings, ...own }, ...(isMeasured && { isMeasured }) };
    try {
      const { image, refusal } = await turns.run(sender, () => run(job));
      if (refusal !== undefined) throw new AppError('application', refusal);
      return image;
    } finally {
      leave();
    }
  };
  return { stop, render };
}

/** What is done with an image. */
export type ImageWork = Pick<UploadSettings, 'sizeOptimization' | 'responsiveDimensions' | 'autoOrientation'> &
  Pick<ImageJob, 'isMeasured'>;

export type ImageProcess = ReturnType<typeof createImageProcess>;

function startWorker() {
  const child = fork(program, {
    env: { ...bareEnvironment(), ...oneHeap },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // The service does not wait for it at exit.
  child.unref();
  child.channel?.unref();
  const pending = new Map<number, (response: ImageResponse) => void>();
  let count = 0;
  const fail = (): void => {
    for (const [number, settle] of pending) settle({ number, refusal: 'The image could not be processed' });
  };
  child.on('message', (response: ImageResponse) => pending.get(response.number)?.(response));
  child.once('exit', fail).on('error', fail);
  return {
    child,
    /** @param timeoutMs milliseconds after which it is killed */
    ask: async (job: Omit<ImageJob, 'number'>, timeoutMs: number): Promise<ImageResponse> => {
      const number = (count += 1);
      const hanging = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
      try {
        return await new Promise<ImageResponse>((resolve) => {
          pending.set(number, resolve);
          child.send({ number, ...job }, (error) => void (error && fail()));
        });
      } finally {
        clearTimeout(hanging);
        pending.delete(number);
      }
    },
  };
}
