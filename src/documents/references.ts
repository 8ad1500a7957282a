import type { ContentType, RelationAttribute } from '../content-types/types.js';
import { mayRefer } from '../mongo/compile/forget.js';
import { isIndexed, isRanked, type Write } from '../query/write.js';

type ContentTypes = ReadonlyMap<string, ContentType>;

/** The writes that take an entry out of everything that refers to it. */
export function forgetWrites(type: ContentType, id: number, contentTypes: ContentTypes): readonly Write[] {
  return [...contentTypes.values()].flatMap((holder) => {
    const attributes = [...holder.attributes.values()];
    const unlinks = attributes
      .filter((one): one is RelationAttribute => one.kind === 'relation' && isIndexed(one) && one.target === type)
      .filter((attribute) => attribute.target.uid !== 'admin::user')
      .map((attribute) => ({ kind: 'unlink', type: holder, attribute, targets: [id], except: [] }) as const);
    const refers = attributes.some((attribute) => mayRefer(attribute, type));
    return refers ? [...unlinks, { kind: 'forget', type: holder, target: type, id } as const] : unlinks;
  });
}

/**
 * The writes on other entries that follow when `id` gets these relations: the other side's own values, and what is
 * taken from former owners. Strapi v4 takes over in bidirectional one-to-one and one-to-many relations only.
 */
export function relationWrites(
  id: number,
  links: readonly { readonly attribute: RelationAttribute; readonly ids: readonly number[] }[],
  inverse: readonly { readonly attribute: RelationAttribute; readonly ids: readonly number[]; readonly rank: number }[],
  type: ContentType,
): readonly Write[] {
  const taken = links.filter(({ attribute, ids }) => ids.length > 0 && takesOver(attribute));
  const takeovers = taken.map(
    ({ attribute, ids }) => ({ kind: 'unlink', type, attribute, targets: ids, except: [id] }) as const,
  );
  const linked = inverse.flatMap(({ attribute, ids, rank }) => {
    const owner = attribute.target;
    const other = owner.attributes.get(attribute.inverse ?? '');
    if (other?.kind !== 'relation') return [];
    const ranks = isRanked(other) ? ids.map((_, index) => rank + index) : [];
    return [
      { kind: 'link', type: owner, attribute: other, owners: ids, ranks, target: id },
      { kind: 'unlink', type: owner, attribute: other, targets: [id], except: ids },
    ] as const;
  });
  return [...takeovers, ...linked];
}

const takesOver = ({ inverse, relation }: RelationAttribute): boolean =>
  inverse !== undefined && (relation === 'oneToOne' || relation === 'oneToMany');
