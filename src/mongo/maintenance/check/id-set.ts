const PAGE = 4096;
/** Numbers of a page that are kept as a list: where they are far apart, bits would take half a kilobyte for each. */
const FEW = 16;

/** One bit per number, in pages: millions of adjacent ids fit into a few hundred kilobytes. */
export function createIdSet() {
  const pages = new Map<number, Uint8Array | number[]>();
  const addTo = (page: Uint8Array | number[] | undefined, number: number, offset: number): boolean => {
    if (page === undefined) {
      pages.set(number, [offset]);
      return true;
    }
    if (page instanceof Uint8Array) return addBit(page, offset);
    if (page.includes(offset)) return false;
    if (page.push(offset) > FEW) {
      const bits = new Uint8Array(PAGE / 8);
      for (const one of page) addBit(bits, one);
      pages.set(number, bits);
    }
    return true;
  };
  return {
    /** Adds a number; returns whether it was new. */
    add: (id: number): boolean => {
      const number = Math.floor(id / PAGE);
      return addTo(pages.get(number), number, id % PAGE);
    },
    has: (id: number): boolean => {
      const page = pages.get(Math.floor(id / PAGE));
      const offset = id % PAGE;
      if (page instanceof Uint8Array) return ((page[offset >> 3] ?? 0) & bitOf(offset)) !== 0;
      return page?.includes(offset) === true;
    },
  };
}

const bitOf = (offset: number): number => 1 << (offset & 7);

/** Returns whether it was not set. */
function addBit(bits: Uint8Array, offset: number): boolean {
  const byte = bits[offset >> 3] ?? 0;
  bits[offset >> 3] = byte | bitOf(offset);
  return (byte & bitOf(offset)) === 0;
}

export type IdSet = ReturnType<typeof createIdSet>;
