import type { ContentType, Registry, RelationAttribute } from '../../content-types/model/types.js';
import { storedTypes } from '../../content-types/model/stored-types.js';
import { mayRefer } from '../../mongo/compile/write/reference-removal.js';
import { isIndexed } from '../../mongo/stored/relation.js';
import type { ReferenceRemoval } from '../../query/mutation.js';

/** The removals of all references to an entry. */
export function referenceRemovals(
  type: ContentType,
  id: number,
  registry: Pick<Registry, 'contentTypes'>,
): readonly ReferenceRemoval[] {
  return storedTypes(registry).flatMap((holder) => {
    const attributes = [...holder.attributes.values()];
    const unlinks = attributes
      .filter((candidate): candidate is RelationAttribute => isIndexed(candidate) && candidate.target === type)
      .map((attribute): ReferenceRemoval => ({ kind: 'unlink', type: holder, attribute, targets: [id] }));
    const refers = attributes.some((attribute) => mayRefer(attribute, type));
    return refers ? [...unlinks, { kind: 'forget', type: holder, target: type, id }] : unlinks;
  });
}
