/** Milliseconds until something hangs: twenty times what it takes, as a machine may have other work. */
export const timeLimit = (ms: number): number => 20 * ms;
