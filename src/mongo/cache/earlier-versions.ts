import type { TypeVersions, Versions } from './versions.js';

/** Milliseconds for which a process decides by what it has read. */
const AGE_MS = 1000;

/**
 * The versions of some types before the process read what it decides by now. If they are still the same later, nothing
 * of these types has changed since.
 * @returns undefined if they could not be read
 */
export function openEarlierVersions(
  versions: Pick<Versions, 'read'>,
  types: readonly string[],
): () => Promise<TypeVersions | undefined> {
  /** When the last read ended: what it read may be as young. */
  let readAt = Infinity;
  const readAll = async (): Promise<TypeVersions | undefined> => {
    const read = types.length === 0 ? new Map() : await versions.read(types).catch(() => undefined);
    readAt = performance.now();
    return read;
  };
  let earlier = readAll();
  let last = earlier;
  return () => {
    if (performance.now() - readAt >= AGE_MS) {
      readAt = Infinity;
      [earlier, last] = [last, readAll()];
    }
    return earlier;
  };
}
