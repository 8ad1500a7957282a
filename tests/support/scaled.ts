const isThorough = process.env['TEST_THOROUGH'] !== undefined;

/**
 * How many runs of a property, rounds of a race or clients a test takes: `usual` ones, or all of `thorough` when
 * `TEST_THOROUGH` is set.
 */
export const scaled = (usual: number, thorough: number): number => (isThorough ? thorough : usual);

/**
 * The seed of all random numbers. It is always the same in `npm test`, which must not fail for what an unrelated change
 * has not caused; each thorough run has another one. A failure prints it: `SEED` repeats the run.
 */
export const seed = Number(process.env['SEED'] ?? (isThorough ? Date.now() % 2 ** 31 : 1));
