const isThorough = process.env['TEST_THOROUGH'] !== undefined;

/** `npm test` runs; `npm run test:full` and a test file by itself do more. */
export const isQuick = process.env['TEST_SUITE'] === 'quick';

/**
 * How many runs of a property, rounds of a race or clients a test takes: `usual` ones, a third of them in `npm test`,
 * or all of `thorough` when `TEST_THOROUGH` is set.
 */
export function scaled(usual: number, thorough: number): number {
  if (isThorough) return thorough;
  return isQuick ? Math.ceil(usual / 3) : usual;
}

/**
 * The seed of all random numbers. It is always the same in `npm test`, which must not fail for what an unrelated change
 * has not caused; each thorough run has another one. A failure prints it: `SEED` repeats the run.
 */
export const seed = Number(process.env['SEED'] ?? (isThorough ? Date.now() % 2 ** 31 : 1));

/**
 * The limit of a test that needs more than the usual 30 s, where it says why; thorough runs, and `npm run faults`, take
 * as long as they like. In milliseconds.
 */
export const minutes = (count: number): number =>
  isThorough || process.env['FAULT_ROUNDS'] !== undefined ? 86_400_000 : count * 60_000;
