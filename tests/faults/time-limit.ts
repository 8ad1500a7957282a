/** Milliseconds until something hangs, on a machine of its own. Others, and those of `npm run faults`, have more to do. */
export const timeLimit = (ms: number): number => (process.env['FAULT_ROUNDS'] === undefined ? 4 * ms : 20 * ms);
