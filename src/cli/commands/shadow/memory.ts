/** The bytes that are kept of requests and answers until they are compared. */
export interface Memory {
  /** False: they do not fit. */
  take(bytes: number): boolean;
  release(bytes: number): void;
  readonly used: number;
}

export function createMemory(limit: number): Memory {
  let used = 0;
  return {
    take: (bytes) => {
      if (used + bytes > limit) return false;
      used += bytes;
      return true;
    },
    release: (bytes) => {
      used -= bytes;
    },
    get used() {
      return used;
    },
  };
}

/** Bytes that pass by, kept as long as they fit. */
export interface Recording {
  add(chunk: Uint8Array): void;
  /** Undefined: they did not fit. */
  readonly bytes: Buffer | undefined;
  release(): void;
}

export function createRecording(memory: Memory): Recording {
  let chunks: Uint8Array[] | undefined = [];
  let size = 0;
  const release = (): void => {
    memory.release(size);
    size = 0;
    chunks = undefined;
  };
  return {
    add: (chunk) => {
      if (chunks === undefined) return;
      if (!memory.take(chunk.length)) return release();
      size += chunk.length;
      chunks.push(chunk);
    },
    get bytes() {
      return chunks && Buffer.concat(chunks);
    },
    release,
  };
}
