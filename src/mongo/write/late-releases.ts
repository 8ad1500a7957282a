import type { Links, Write } from '../../query/mutation.js';
import { isRanked } from '../stored/relation.js';
import { releasesAfter, type LateRelease } from '../compile/write/recovery-step.js';
import type { FoundTargets } from '../read/missing-targets.js';

/**
 * Another write may have replaced the links of a relation after this one had got its ranks, and before it stored its links:
 * then its links are older than the replacement, and are removed too.
 */
export function lateReleases(writes: readonly Write[], sets: FoundTargets['sets']): readonly LateRelease[] {
  const [primary] = writes;
  if (sets.size === 0 || primary === undefined) return [];
  const { type: side } = primary;
  const links = ownReleases(primary);
  const others = writes.flatMap((write) => {
    if (write.kind !== 'link' && write.kind !== 'attach') return [];
    return releasesAfter(write, side).map((release) => ({ release, side }));
  });
  return [...links, ...others].flatMap(({ release, side: type }) => {
    const { from, side } = release;
    return (sets.get(type)?.get(side.id)?.[side.name] ?? from) > from ? [release] : [];
  });
}

/** For each link of a written entry, the write that removes it if the other side was replaced later. */
export const ownReleases = (primary: Write): readonly OwnRelease[] =>
  'changes' in primary ? primary.changes.links.flatMap((change) => releasesOf(primary, change)) : [];

interface OwnRelease {
  readonly release: LateRelease;
  readonly side: Write['type'];
}

function releasesOf({ type }: Write, { attribute, connect, ranks }: Links): readonly OwnRelease[] {
  const { target: side, inverse: name = '' } = attribute;
  if (!isRanked(attribute)) return [];
  return connect.flatMap(({ id }, index) => {
    const from = ranks[index];
    if (typeof from !== 'number') return [];
    const release: LateRelease = {
      kind: 'release',
      type,
      attribute,
      target: id,
      side: { collection: side.collectionName, id, name },
      from,
    };
    return [{ release, side }];
  });
}
