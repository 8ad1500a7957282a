import { ElfError } from './elf-error.js';
import { hashName } from './elf-version-needs.js';
import { readElf, type Elf, type ElfSymbol } from './elf.js';
import { isNewer, parseGlibc, type Glibc } from './glibc.js';
import { EmbeddedUnavailable } from './unavailable.js';

/** C23 twins of old functions: they also read `0b` numbers; apart from that the same. */
const twinPrefix = '__isoc23_';
const twins = new Set(['strtol', 'strtoul', 'strtoll', 'strtoull', 'sscanf', 'fscanf']);
/** Each architecture's first version of the C library, by ELF machine: x86-64 and AArch64. */
const oldestVersions: Readonly<Record<number, string>> = { 62: 'GLIBC_2.2.5', 183: 'GLIBC_2.17' };

/**
 * Makes a native file of the engine loadable with an older C library than it was linked for (2.38), in place; returns
 * the symbols that were bound again. Everything that it uses from 2.38 exists in older versions: twins get their old name back,
 * which is the tail of the new one (`name offset += 9`), and `fmod` differs in an error wrapper only. Then the record
 * that needs 2.38 is turned to the oldest version. Sizes stay; the hash table does not cover undefined symbols.
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

interface Patch {
  readonly bound: readonly ElfSymbol[];
  readonly renamed: readonly ElfSymbol[];
  readonly turned: readonly { readonly at: number; readonly name: string; readonly nameOffset: number }[];
}

function planPatch(elf: Elf, have: Glibc): Patch {
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
