import { ElfError } from './elf-error.js';

/** A version of a library that the file needs. */
export interface VersionNeed {
  /** The offset of its record in the file: hash (4 bytes), flags (2), index (2), the name's offset (4), next (4). */
  readonly at: number;
  /** Its index in symbols that are bound to it. */
  readonly index: number;
  readonly hash: number;
  /** The version's name, e.g. `GLIBC_2.38`. */
  readonly name: string;
  /** The library that has it, e.g. `libm.so.6`. */
  readonly library: string;
}

/** Reads `count` libraries and their versions, a chain of chains that begins at `start`. */
export function readVersionNeeds(
  file: Buffer,
  start: number,
  count: number,
  name: (offset: number) => string,
): readonly VersionNeed[] {
  return followChain(file, { start, count, next: 12 }).flatMap((at) => {
    const library = name(file.readUInt32LE(at + 4));
    const versions = { start: at + file.readUInt32LE(at + 8), count: file.readUInt16LE(at + 2), next: 12 };
    return followChain(file, versions).map((at) => ({
      at,
      index: file.readUInt16LE(at + 6),
      hash: file.readUInt32LE(at),
      name: name(file.readUInt32LE(at + 8)),
      library,
    }));
  });
}

interface Chain {
  readonly start: number;
  readonly count: number;
  /** The offset in a record of the distance to the next one. */
  readonly next: number;
}

function followChain(file: Buffer, { start, count, next }: Chain): readonly number[] {
  const offsets: number[] = [];
  for (let at = start; offsets.length < count; at += file.readUInt32LE(at + next)) {
    if (at === offsets.at(-1)) throw new ElfError('a chain of version needs that ends too early');
    offsets.push(at);
  }
  return offsets;
}

/** The hash of a version's name, as the loader computes it. Source: elf_hash in the System V ABI. */
export function hashName(name: string): number {
  let hash = 0;
  for (const byte of Buffer.from(name, 'latin1')) {
    hash = (hash << 4) + byte;
    const high = hash & 0xf000_0000;
    hash = ((hash ^ (high >>> 24)) & ~high) >>> 0;
  }
  return hash;
}
