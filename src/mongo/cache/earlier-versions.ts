import type { TypeVersions, Versions } from './versions.js';

/** Milliseconds for which a process decides by what it has read. */
const AGE_MS = 1000;

/**
 * The versions of some types before the process read what it decides by now. If they are still the same later, nothing of these types has
 * changed since.
 * @returns undefined if they could not be read
 */
export function openEarlierVersions(
  versions: Pick<Versions, 'read'>,
  types: readonly string[],
): () => Promise<TypeVersions | undefined> {
  const readAll = async (): Promise<TypeVersions | undefined> =>
    types.length === 0 ? new Map() : versions.read(types).catch(() => undefined);
  let earlier = readAll();
  let last = earlier;
  let readAt = performance.now();
  return () => {
    if (performance.now() - readAt >= AGE_MS) {
      [earlier, last] = [last, readAll()];
      readAt = performance.now();
    }
    return earlier;
  };
}
