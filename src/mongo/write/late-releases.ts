import { isRanked, type Links, type Write } from '../../query/mutation.js';
import { releasesAfter } from '../compile/write/recovery-step.js';
import type { FoundTargets } from '../read/missing-targets.js';

type Release = Write & { readonly kind: 'release' };

/**
 * Another write may have replaced the links of a relation after this one had got its ranks, and before it stored its links:
 * then they are older than those, and have to go as well.
 */
export function lateReleases(writes: readonly Write[], sets: FoundTargets['sets']): readonly Release[] {
  const [primary] = writes;
  if (sets.size === 0 || primary === undefined) return [];
  const { type: side } = primary;
  const links = ownReleases(primary);
  const others = writes.flatMap((write) => {
    if (write.kind !== 'link' && write.kind !== 'attach') return [];
    const rank = write.kind === 'link' ? write.reserved : (write.rank ?? 0);
    return releasesAfter(write, side).map((release) => ({ release, side, rank }));
  });
  return [...links, ...others].flatMap(({ release, side: type, rank }) => {
    const { id, name } = release.side;
    return (sets.get(type)?.get(id)?.[name] ?? rank) > rank ? [release] : [];
  });
}

/** Of each link of a written entry what removes it, should the other side have been replaced since. */
export const ownReleases = (primary: Write): readonly OwnRelease[] =>
  'changes' in primary ? primary.changes.links.flatMap((change) => releasesOf(primary, change)) : [];

interface OwnRelease {
  readonly release: Release;
  readonly side: Write['type'];
  readonly rank: number;
}

function releasesOf({ type }: Write, { attribute, connect, ranks }: Links): readonly OwnRelease[] {
  const { target: side, inverse: name = '' } = attribute;
  if (!isRanked(attribute)) return [];
  return connect.flatMap(({ id }, index) => {
    const rank = ranks[index];
    if (typeof rank !== 'number') return [];
    const release: Release = {
      kind: 'release',
      type,
      attribute,
      target: id,
      side: { collection: side.collectionName, id, name },
    };
    return [{ release, side, rank }];
  });
}
