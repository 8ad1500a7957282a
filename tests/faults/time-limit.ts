/** Milliseconds until something hangs. `npm run faults` may share its machine with other work. */
export const timeLimit = (ms: number): number => (process.env['FAULT_ROUNDS'] === undefined ? ms : 20 * ms);
