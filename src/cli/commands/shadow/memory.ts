/** The bytes that are kept of requests and answers until they are compared. */
export function createMemory(limit: number) {
  let used = 0;
  return {
    /** False: they do not fit. */
    take: (bytes: number): boolean => {
      if (used + bytes > limit) return false;
      used += bytes;
      return true;
    },
    release: (bytes: number): void => {
      used -= bytes;
    },
  };
}

export type Memory = ReturnType<typeof createMemory>;

/** Bytes that pass by, kept as long as they fit. */
export function createRecording(memory: Memory) {
  let chunks: Uint8Array[] | undefined = [];
  let size = 0;
  const release = (): void => {
    memory.release(size);
    size = 0;
    chunks = undefined;
  };
  return {
    add: (chunk: Uint8Array): void => {
      if (chunks === undefined) return;
      if (!memory.take(chunk.length)) return release();
      size += chunk.length;
      chunks.push(chunk);
    },
    /**
     * Undefined: they did not fit. Copied into a buffer of their own, which can be transferred to the worker thread.
     */
    get bytes() {
      return chunks && new Uint8Array(Buffer.concat(chunks));
    },
    release,
  };
}

export type Recording = ReturnType<typeof createRecording>;
