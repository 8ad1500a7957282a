import type { RelationAttribute } from '../../../../content-types/model/types.js';
import { createIdSet, type IdSet } from '../../../../mongo/maintenance/check/id-set.js';

/** In exclusive relations, the first owner keeps a target. */
export interface OneToOneGuard {
  /** True for the first owner. `isRepeated`: the owner is processed again, with the same result. */
  tryClaim(attribute: RelationAttribute, owner: number, target: number, isRepeated: boolean): boolean;
}

export function createOneToOneGuard(): OneToOneGuard {
  const claimed = new Map<RelationAttribute, IdSet>();
  const refused = new Set<string>();
  return {
    tryClaim: (attribute, owner, target, isRepeated) => {
      const { inverse, relation, target: type, name } = attribute;
      if (inverse === undefined || (relation !== 'oneToOne' && relation !== 'oneToMany')) return true;
      const link = `${type.uid} ${name} ${owner} ${target}`;
      if (isRepeated) return !refused.has(link);
      const targets = claimed.get(attribute) ?? createIdSet();
      claimed.set(attribute, targets);
      const free = targets.add(target);
      if (!free) refused.add(link);
      return free;
    },
  };
}
