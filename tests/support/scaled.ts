/**
 * How many runs of a property, rounds of a race or clients a test takes: `usual` ones, or all of `thorough` when
 * `TEST_THOROUGH` is set. Each run has other random numbers, so that many usual runs find as much as a thorough one.
 */
export const scaled = (usual: number, thorough: number): number =>
  process.env['TEST_THOROUGH'] === undefined ? usual : thorough;
