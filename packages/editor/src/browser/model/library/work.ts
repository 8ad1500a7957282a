/** What is done with several files, each in a request of its own. */
export interface Work {
  readonly kind: 'upload' | 'move' | 'describe' | 'delete';
  readonly jobs: readonly Job[];
}

/** What is done with one of them. */
interface Job extends Progress {
  readonly name: string;
}

export interface Progress {
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'stopped';
  /** The part of a file that was sent, up to 1. */
  readonly sent?: number;
  /** Why it failed. */
  readonly error?: unknown;
}

export const begin = (kind: Work['kind'], files: readonly { readonly name: string }[]): Work => ({
  kind,
  jobs: files.map(({ name }) => ({ name, state: 'waiting' })),
});

export const advance = ({ kind, jobs }: Work, index: number, progress: Progress): Work => ({
  kind,
  jobs: jobs.map((job, position) => (position === index ? { ...job, ...progress } : job)),
});

/** Those that were not done. */
export const leftIn = ({ jobs }: Work): readonly Job[] =>
  jobs.filter(({ state }) => state === 'failed' || state === 'stopped');

export const endedIn = ({ jobs }: Work): number =>
  jobs.filter(({ state }) => state !== 'waiting' && state !== 'running').length;

export const isRunning = (work: Work | undefined): boolean => work !== undefined && endedIn(work) < work.jobs.length;

/**
 * Works on each item, on a few at a time; one that fails stops none of the others.
 * @param isStopped whether those that have not begun are left
 */
export async function runEach<T>(
  items: readonly T[],
  atOnce: number,
  run: (item: T, onSent: (sent: number) => void) => Promise<unknown>,
  onProgress: (index: number, progress: Progress) => void,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const waiting = items.entries();
  const takeTurns = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (isStopped()) {
        onProgress(index, { state: 'stopped' });
        continue;
      }
      onProgress(index, { state: 'running' });
      onProgress(
        index,
        await run(item, (sent) => onProgress(index, { state: 'running', sent })).then(
          () => ({ state: 'done' }) as const,
          (error: unknown) => ({ state: 'failed', error }) as const,
        ),
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, takeTurns));
}
