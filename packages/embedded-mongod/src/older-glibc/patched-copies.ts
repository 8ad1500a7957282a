import fs from 'node:fs';
import path from 'node:path';
import { isNewer, parseGlibc, type Glibc } from '../glibc.js';
import { EmbeddedUnavailable } from '../engine-package.js';

/**
 * Makes sure that `folder` holds patched copies of these files of `source`, of which no other user can have changed a
 * byte. Copies are made once: a note holds what the file system says of originals and copies (a change of content
 * changes the time of it, which no program can set back), so that later starts need not read 35 MB.
 * @throws EmbeddedUnavailable when a file is not as expected or the folder is not this user's alone
 */
export function storePatchedCopies(source: string, files: readonly string[], folder: string, have: Glibc): void {
  const pairs = files.map((name) => ({ name, original: path.join(source, name), copy: path.join(folder, name) }));
  const describePairs = () => JSON.stringify(pairs.map(({ original, copy }) => [describe(original), describe(copy)]));
  const note = path.join(folder, 'copies.json');
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    checkOwner(folder);
    if (fs.existsSync(note) && fs.readFileSync(note, 'utf8') === describePairs()) return;
    for (const { name, original, copy } of pairs) {
      const bytes = fs.readFileSync(original);
      patchElf(bytes, have, name);
      if (!fs.existsSync(copy) || !fs.readFileSync(copy).equals(bytes)) writeAtomically(copy, bytes);
    }
    writeAtomically(note, Buffer.from(describePairs()));
  } catch (cause) {
    if (cause instanceof EmbeddedUnavailable) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EmbeddedUnavailable(`no copies can be stored in ${folder} (${reason}); set XDG_CACHE_HOME`, { cause });
  }
}

function checkOwner(folder: string): void {
  const { uid, mode } = fs.lstatSync(folder);
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) throw new Error('others can write to it');
}

function describe(file: string): unknown {
  const { size, ino, mtimeMs, ctimeMs } = fs.statSync(file);
  return { size, ino, mtimeMs, ctimeMs };
}

/** Never overwrites a file in place: another process may run it. */
function writeAtomically(file: string, bytes: Buffer): void {
  const temporary = `${file}.${process.pid}`;
  fs.writeFileSync(temporary, bytes, { mode: 0o600, flush: true });
  fs.renameSync(temporary, file);
}

/** C23 twins of old functions; they differ only in that they also read `0b` numbers. */
const twinPrefix = '__isoc23_';
const twins = new Set(['strtol', 'strtoul', 'strtoll', 'strtoull', 'sscanf', 'fscanf']);
/** Each architecture's first version of the C library, by ELF machine: x86-64 and AArch64. */
const oldestVersions: Readonly<Record<number, string>> = { 62: 'GLIBC_2.2.5', 183: 'GLIBC_2.17' };

/**
 * Makes a native file of the engine loadable with an older C library than it was linked for (2.38), in place; returns
 * the symbols that were bound again. Everything that it uses from 2.38 exists in older versions: twins get their old
 * name back, which is the tail of the new one (`name offset += 9`), and `fmod` differs in an error wrapper only. Then
 * the record that needs 2.38 is turned to the oldest version. Sizes stay; the hash table does not cover undefined
 * symbols.
 * @throws EmbeddedUnavailable for anything unexpected; the bytes are then as before
 */
export function patchElf(file: Buffer, have: Glibc, label: string): readonly string[] {
  try {
    const plan = planPatch(readElf(file), have);
    for (const { at, nameOffset } of plan.renamed) file.writeUInt32LE(nameOffset + twinPrefix.length, at);
    for (const { at, name, nameOffset } of plan.turned) {
      file.writeUInt32LE(hashName(name), at);
      file.writeUInt32LE(nameOffset, at + 8);
    }
    return plan.bound.map((symbol) => symbol.name);
  } catch (cause) {
    // Others are reads behind the end.
    const reason = cause instanceof ElfError ? cause.message : 'truncated or damaged';
    throw new EmbeddedUnavailable(`${label}: ${reason}`, { cause });
  }
}

function planPatch(elf: ReturnType<typeof readElf>, have: Glibc) {
  for (const { name, hash } of elf.versionNeeds) {
    if (hash !== hashName(name)) throw new ElfError(`version ${name} has an unexpected hash`);
    // The flag of a relocation format that older loaders do not support.
    if (name === 'GLIBC_ABI_DT_RELR' && isNewer([2, 36], have)) throw new ElfError('glibc 2.36 or newer is needed');
  }
  const tooNew = new Map(
    elf.versionNeeds.filter(({ name }) => needsMore(name, have)).map((need) => [need.index, need]),
  );
  if (tooNew.size === 0) return { bound: [], renamed: [], turned: [] };
  const bound = elf.undefinedSymbols.filter((symbol) => tooNew.has(symbol.version));
  const isTwin = ({ name, version }: ElfSymbol) =>
    tooNew.get(version)?.library === 'libc.so.6' &&
    name.startsWith(twinPrefix) &&
    twins.has(name.slice(twinPrefix.length));
  const isFmod = ({ name, version }: ElfSymbol) => tooNew.get(version)?.library === 'libm.so.6' && name === 'fmod';
  for (const symbol of bound) {
    const version = tooNew.get(symbol.version)?.name ?? '';
    const isPatchable = version === 'GLIBC_2.38' && symbol.imported && (isTwin(symbol) || isFmod(symbol));
    if (!isPatchable) throw new ElfError(`needs ${symbol.name} of ${version}, this system has glibc ${have.join('.')}`);
  }

  const name = oldestVersions[elf.machine];
  const nameOffset = name === undefined ? undefined : elf.findName(name);
  if (name === undefined || nameOffset === undefined) throw new ElfError(`machine ${elf.machine} is unknown`);
  const turned = [...tooNew.values()].map(({ at }) => ({ at, name, nameOffset }));
  return { bound, renamed: bound.filter(isTwin), turned };
}

function needsMore(version: string, have: Glibc): boolean {
  const needed = version.startsWith('GLIBC_') ? parseGlibc(version.slice('GLIBC_'.length)) : undefined;
  return needed !== undefined && isNewer(needed, have);
}

interface ElfSymbol {
  /** The offset of its record in the file; the record begins with the name's offset (4 bytes). */
  readonly at: number;
  readonly name: string;
  readonly nameOffset: number;
  /** The `index` of the version need it is bound to. */
  readonly version: number;
  /** Whether it is imported, not defined here. */
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

/**
 * Reads what the dynamic loader reads of a 64-bit little-endian ELF file: names, symbols and the versions they need.
 * Source: https://refspecs.linuxfoundation.org/LSB_5.0.0/LSB-Core-generic/LSB-Core-generic/symversion.html and elf(5).
 * @throws ElfError or RangeError for anything but such a file
 */
function readElf(file: Buffer) {
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
    /** The offset of a name in the string table; undefined if it is not there as a whole. */
    findName: (name: string): number | undefined => {
      const start = strings.indexOf(`\0${name}\0`, 0, 'latin1');
      return start < 0 ? undefined : start + 1;
    },
    undefinedSymbols: Array.from({ length: firstDefined - 1 }, (_, i): ElfSymbol => {
      const at = symbols + sizes.symbol * (i + 1);
      const nameOffset = file.readUInt32LE(at);
      const version = file.readUInt16LE(symbolVersions + sizes.symbolVersion * (i + 1)) & 0x7fff;
      return { at, name: name(nameOffset), nameOffset, version, imported: file.readUInt16LE(at + 6) === 0 };
    }),
    versionNeeds: readVersionNeeds(file, table('needs'), entry('needsCount'), name),
  };
}

/** Reads `count` libraries and their versions, a chain of chains that begins at `start`. */
function readVersionNeeds(file: Buffer, start: number, count: number, name: (offset: number) => string) {
  return followChain(file, start, count).flatMap((at) => {
    // E.g. `libm.so.6`.
    const library = name(file.readUInt32LE(at + 4));
    // A record in the file: hash (4 bytes), flags (2), index in symbols that are bound to it (2), the name's offset
    // (4), next (4).
    return followChain(file, at + file.readUInt32LE(at + 8), file.readUInt16LE(at + 2)).map((at) => ({
      at,
      index: file.readUInt16LE(at + 6),
      hash: file.readUInt32LE(at),
      name: name(file.readUInt32LE(at + 8)),
      library,
    }));
  });
}

/** The offset in a record of the distance to the next one. */
const NEXT = 12;

function followChain(file: Buffer, start: number, count: number): readonly number[] {
  const offsets: number[] = [];
  for (let at = start; offsets.length < count; at += file.readUInt32LE(at + NEXT)) {
    if (at === offsets.at(-1)) throw new ElfError('a chain of version needs that ends too early');
    offsets.push(at);
  }
  return offsets;
}

/** The hash of a version's name, as the loader computes it. Source: elf_hash in the System V ABI. */
function hashName(name: string): number {
  let hash = 0;
  for (const byte of Buffer.from(name, 'latin1')) {
    hash = (hash << 4) + byte;
    const high = hash & 0xf000_0000;
    hash = ((hash ^ (high >>> 24)) & ~high) >>> 0;
  }
  return hash;
}

/** A file that the dynamic loader would refuse. */
class ElfError extends Error {
  override readonly name = 'ElfError';
}
