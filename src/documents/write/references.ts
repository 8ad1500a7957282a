import type { ContentType, RelationAttribute } from '../../content-types/model/types.js';
import { mayRefer } from '../../mongo/compile/write/reference-removal.js';
import { isIndexed } from '../../mongo/stored/relation.js';
import type { DependentWrite, EntryName, LinkChange, ReferenceRemoval } from '../../query/mutation.js';
import type { Encoded } from './encode/encode.js';

/** The removals of all references to an entry. */
export function referenceRemovals(
  type: ContentType,
  id: number,
  contentTypes: ReadonlyMap<string, ContentType>,
): readonly ReferenceRemoval[] {
  return [...contentTypes.values()].flatMap((holder) => {
    const attributes = [...holder.attributes.values()];
    const unlinks = attributes
      .filter((candidate): candidate is RelationAttribute => isIndexed(candidate) && candidate.target === type)
      .map((attribute): ReferenceRemoval => ({ kind: 'unlink', type: holder, attribute, targets: [id] }));
    const refers = attributes.some((attribute) => mayRefer(attribute, type));
    return refers ? [...unlinks, { kind: 'forget', type: holder, target: type, id }] : unlinks;
  });
}

/** The writes of the entries that store the other sides of the relations of an entry. */
export const otherSideWrites = (
  target: EntryName,
  { inverse, morphed }: Pick<Encoded, 'inverse' | 'morphed'>,
): readonly DependentWrite[] =>
  [...inverse, ...morphed]
    .filter(changesSomething)
    .flatMap(({ attribute: side, ...change }): readonly DependentWrite[] => {
      const { target: type, many } = side;
      const attribute = type.attributes.get((side.kind === 'morphed' ? side.morphBy : side.inverse) ?? '');
      if (attribute?.kind === 'relation') return [{ kind: 'owners', type, attribute, target, many, change }];
      return attribute?.kind === 'morph' ? [{ kind: 'morphOwners', type, attribute, target, many, change }] : [];
    });

const changesSomething = ({ replaces, connect, disconnect }: LinkChange): boolean =>
  replaces || connect.length > 0 || disconnect.length > 0;
