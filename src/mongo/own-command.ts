/** What is said with every command on our small collections, where each touches one document by its id. */
export const ownCommand = { maxTimeMS: 15_000 } as const;
