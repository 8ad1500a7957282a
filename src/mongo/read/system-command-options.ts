/** Milliseconds at most for commands on our own collections; most touch one document by its id. */
export const systemCommandOptions = { maxTimeMS: 15_000 } as const;
