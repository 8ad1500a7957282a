const PAGE = 4096;

/** One bit per number, in pages: millions of adjacent ids fit into a few hundred kilobytes. */
export function createIdSet() {
  const pages = new Map<number, Uint8Array>();
  return {
    /** Adds a number; returns whether it was new. */
    add: (id: number): boolean => {
      const number = Math.floor(id / PAGE);
      const page = pages.get(number) ?? new Uint8Array(PAGE / 8);
      pages.set(number, page);
      const [offset, bit] = [(id % PAGE) >> 3, 1 << (id & 7)];
      const byte = page[offset] ?? 0;
      page[offset] = byte | bit;
      return (byte & bit) === 0;
    },
    has: (id: number): boolean => ((pages.get(Math.floor(id / PAGE))?.[(id % PAGE) >> 3] ?? 0) & (1 << (id & 7))) !== 0,
  };
}

export type IdSet = ReturnType<typeof createIdSet>;
