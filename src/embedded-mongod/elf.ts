import { ElfError } from './elf-error.js';
import { readVersionNeeds, type VersionNeed } from './elf-version-needs.js';

/**
 * Reads what the dynamic loader reads of a 64-bit little-endian ELF file: names, symbols and the versions they need.
 * Source: https://refspecs.linuxfoundation.org/LSB_5.0.0/LSB-Core-generic/LSB-Core-generic/symversion.html and elf(5).
 */
export interface Elf {
  readonly machine: number;
  /** The name at an offset of the string table. */
  readonly name: (offset: number) => string;
  /** The offset of a name in the string table; undefined if it is not there as a whole. */
  readonly findName: (name: string) => number | undefined;
  readonly undefinedSymbols: readonly ElfSymbol[];
  readonly versionNeeds: readonly VersionNeed[];
}

export interface ElfSymbol {
  /** The offset of its record in the file; the record begins with the name's offset (4 bytes). */
  readonly at: number;
  readonly name: string;
  readonly nameOffset: number;
  /** The `index` of the version need it is bound to. */
  readonly version: number;
  /** It is imported, not defined here. */
  readonly imported: boolean;
}

const segmentTypes = { load: 1, dynamic: 2 };
const tags = {
  strings: 5,
  symbols: 6,
  stringsSize: 10,
  hash: 0x6ffffef5,
  symbolVersions: 0x6ffffff0,
  needs: 0x6ffffffe,
  needsCount: 0x6fffffff,
};
const sizes = { header: 64, tag: 16, symbol: 24, symbolVersion: 2 };

/** @throws ElfError or RangeError for anything but such a file */
export function readElf(file: Buffer): Elf {
  if (file.length < sizes.header || file.toString('latin1', 0, 4) !== '\x7fELF') throw new ElfError('not an ELF file');
  if (file[4] !== 2 || file[5] !== 1) throw new ElfError('not a 64-bit little-endian ELF file');
  const number64 = (at: number) => Number(file.readBigUInt64LE(at));

  const segments = Array.from({ length: file.readUInt16LE(56) }, (_, i) => {
    const at = number64(32) + i * file.readUInt16LE(54);
    const [offset, address, size] = [number64(at + 8), number64(at + 16), number64(at + 32)];
    return { type: file.readUInt32LE(at), offset, address, size };
  });
  const dynamic = segments.find((segment) => segment.type === segmentTypes.dynamic);
  if (!dynamic) throw new ElfError('no dynamic section');

  const entries = new Map<number, number>();
  for (let at = dynamic.offset; at < dynamic.offset + dynamic.size && number64(at) !== 0; at += sizes.tag) {
    entries.set(number64(at), number64(at + 8));
  }
  const entry = (tag: keyof typeof tags): number => {
    const value = entries.get(tags[tag]);
    if (value === undefined) throw new ElfError(`no ${tag} in its dynamic section`);
    return value;
  };
  const table = (tag: keyof typeof tags): number => {
    const address = entry(tag);
    const segment = segments.find(
      ({ type, address: start, size }) => type === segmentTypes.load && address >= start && address < start + size,
    );
    if (!segment) throw new ElfError(`its ${tag} are outside of every segment`);
    return address - segment.address + segment.offset;
  };

  const strings = file.subarray(table('strings'), table('strings') + entry('stringsSize'));
  const name = (offset: number): string => {
    const end = strings.indexOf(0, offset);
    if (offset >= strings.length || end < 0) throw new ElfError('a name outside of its string table');
    return strings.toString('latin1', offset, end);
  };
  const symbols = table('symbols');
  const symbolVersions = table('symbolVersions');
  // The hash table's second number: all symbols before that one are undefined, except the first, which is not a symbol.
  const firstDefined = Math.max(1, file.readUInt32LE(table('hash') + 4));

  return {
    machine: file.readUInt16LE(18),
    name,
    findName: (name) => {
      const start = strings.indexOf(`\0${name}\0`, 0, 'latin1');
      return start < 0 ? undefined : start + 1;
    },
    undefinedSymbols: Array.from({ length: firstDefined - 1 }, (_, i) => {
      const at = symbols + sizes.symbol * (i + 1);
      const nameOffset = file.readUInt32LE(at);
      const version = file.readUInt16LE(symbolVersions + sizes.symbolVersion * (i + 1)) & 0x7fff;
      return { at, name: name(nameOffset), nameOffset, version, imported: file.readUInt16LE(at + 6) === 0 };
    }),
    versionNeeds: readVersionNeeds(file, table('needs'), entry('needsCount'), name),
  };
}
