import type { Attribute, Registry } from '../../../../content-types/model/types.js';
import type { StagedLink } from '../../../../mongo/maintenance/staged-links.js';
import type { Item, LinkEnd } from '../source.js';

type Link = Extract<Item, { kind: 'link' }>;

/** The key of an entry or component that links are found by. */
export const ownerKey = (type: string, id: number): string => `${type}:${id}`;

/** The entry or component that owns a link, and the path; undefined if no attribute here does. */
export function placeLink({ left, right }: Link, registry: Registry): StagedLink | undefined {
  const onLeft = attributeOf(left, registry);
  if (onLeft?.kind === 'morph') return stage(left, right, right.place);
  if (onLeft?.kind === 'relation' && onLeft.side === 'owner') return stage(left, right, left.place);
  const onRight = attributeOf(right, registry);
  // Strapi keeps media on the side of the file.
  if (onRight?.kind === 'relation' && onRight.side === 'owner') return stage(right, left, right.place);
  return undefined;
}

const stage = (owner: LinkEnd, target: LinkEnd, position = 0): StagedLink => ({
  owner: ownerKey(owner.type, owner.id),
  field: owner.field ?? '',
  place: position,
  type: target.type,
  id: target.id,
  rank: target.place ?? 0,
});

const attributeOf = ({ type, field = '' }: LinkEnd, { contentTypes, components }: Registry): Attribute | undefined =>
  (contentTypes.get(type) ?? components.get(type))?.attributes.get(field);
