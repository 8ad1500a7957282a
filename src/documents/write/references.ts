import type { ContentType, RelationAttribute } from '../../content-types/model/types.js';
import { mayRefer } from '../../mongo/compile/write/remove-references.js';
import type { LinkChange, Links, Mark, Owners, Write } from '../../query/mutation.js';
import { isExclusive, isIndexed } from '../../mongo/stored/relation.js';
import type { Encoded, RelationChange } from './encode/encode.js';

type ContentTypes = ReadonlyMap<string, ContentType>;

/** The writes that remove all references to an entry. */
export function removeReferenceWrites(type: ContentType, id: number, contentTypes: ContentTypes): readonly Write[] {
  return [...contentTypes.values()].flatMap((holder) => {
    const attributes = [...holder.attributes.values()];
    const unlinks = attributes
      .filter((candidate): candidate is RelationAttribute => isIndexed(candidate) && candidate.target === type)
      .map((attribute): Write => ({ kind: 'unlink', type: holder, attribute, targets: [id], owners: { except: [] } }));
    const refers = attributes.some((attribute) => mayRefer(attribute, type));
    return refers ? [...unlinks, { kind: 'forget', type: holder, target: type, id }] : unlinks;
  });
}

/** A change of a relation that the other side owns, with the rank of each connected entry, and one reserved for the write. */
export type RankedChange = RelationChange & {
  readonly ranks: readonly number[];
  readonly reserved: number;
  /** The former ranks of the entries that take a position in the order. */
  readonly seen?: readonly (number | null)[];
};

/** A change of the other side of a relation to any type, with a rank for all connected entries. */
export type RankedMorph = Encoded['morphed'][number] & { readonly rank: number };

/** For each relation that the other side stores, and whose links are replaced: a rank below that of each new link. */
export function replacedSides(
  inverse: readonly RankedChange[],
  morphed: readonly RankedMorph[],
): ReadonlyMap<string, number> {
  return new Map([
    ...inverse.filter(replacesList).map(({ attribute, reserved }) => [attribute.name, reserved] as const),
    ...morphed.filter(replacesMorph).map(({ attribute, rank }) => [attribute.name, rank] as const),
  ]);
}

export const replacesList = ({ attribute, replaces }: RelationChange): boolean =>
  replaces && attribute.side === 'inverse';

/** The link decisions of an update: its own relations, and those that other entries store, as evidence that it was done. */
export const marksOf = (
  own: readonly Mark[],
  inverse: readonly RankedChange[],
  morphed: readonly RankedMorph[],
): readonly Mark[] => [
  ...own,
  ...inverse.flatMap(({ attribute: { name }, reserved }) => (reserved > 0 ? [{ a: name, n: reserved }] : [])),
  ...morphed.map(({ attribute: { name }, rank }) => ({ a: name, n: rank })),
];

/** More links than this count as all links of their attribute. */
const MARKED_LINKS = 8;

/** The decision of an entry about a relation that it stores. */
export function ownMarks(
  { attribute, replaces, disconnect, connect }: LinkChange & Pick<Links, 'attribute'>,
  n: number,
): readonly Mark[] {
  const { name: a, many } = attribute;
  const ids = [...new Set([...disconnect, ...connect.map(({ id }) => id)])];
  return many && !replaces && ids.length <= MARKED_LINKS ? ids.map((r) => ({ a, r, n })) : [{ a, n }];
}

export const replacesMorph = ({ attribute, replaces, connect }: Encoded['morphed'][number]): boolean =>
  replaces || (!attribute.many && connect.length > 0);

/**
 * The writes to other entries that follow from the relations of an entry: values on the other side, and links removed from
 * former owners. As in Strapi v4, only bidirectional one-to-one and one-to-many relations are exclusive.
 */
export function relationWrites(
  type: ContentType,
  id: number,
  links: readonly Links[],
  morphed: readonly RankedMorph[],
  inverse: readonly RankedChange[],
): readonly Write[] {
  const side = { collection: type.collectionName, id };
  return [
    ...links.flatMap((change) => takeover(type, change)),
    ...inverse.flatMap((change) => otherSide(change, { ...side, name: change.attribute.name })),
    ...morphed.flatMap((change) => morphSide(change, { ...side, name: change.attribute.name })),
  ];
}

type Side = (Write & { readonly kind: 'release' })['side'];

function takeover(type: ContentType, { attribute, connect, ranks }: Links): readonly Write[] {
  const [taken, rank] = [connect.at(-1), ranks.at(-1)];
  if (!isExclusive(attribute) || taken === undefined || rank === undefined) return [];
  return [{ kind: 'takeover', type, attribute, target: taken.id, rank }];
}

/** A to-one relation keeps the last connected entry. */
export const idsOf = (connect: LinkChange['connect'], many: boolean): readonly number[] =>
  (many ? connect : connect.slice(-1)).map((link) => link.id);

/** The disconnected owners that are not connected again. */
function ownersToUnlink({ disconnect }: LinkChange, connected: readonly number[]): Owners | undefined {
  const only = disconnect.filter((owner) => !connected.includes(owner));
  return only.length > 0 ? { only } : undefined;
}

function otherSide(change: RankedChange, side: Side): readonly Write[] {
  const { attribute, ranks, reserved, seen } = change;
  const { target: type, inverse = '', many } = attribute;
  const other = type.attributes.get(inverse);
  if (other?.kind !== 'relation') return [];
  const owners = idsOf(change.connect, many);
  const part = { type, attribute: other } as const;
  const [rank] = ranks.slice(-1);
  const target = side.id;
  if (!many && rank !== undefined) {
    return [
      { kind: 'link', ...part, owners, ranks: [rank], target, reserved },
      { kind: 'takeover', ...part, target, rank },
    ];
  }
  const order = { ...(seen !== undefined && { seen }), ...(replacesList(change) && { replaces: true as const }) };
  const link = { kind: 'link', ...part, owners, ranks, target, reserved, ...order } as const;
  const unlinked = ownersToUnlink(change, owners);
  return [
    ...(owners.length > 0 ? [link] : []),
    ...(replacesList(change) ? [{ kind: 'release', ...part, target, side } as const] : []),
    ...(unlinked === undefined || replacesList(change)
      ? []
      : [{ kind: 'unlink', ...part, targets: [target], owners: unlinked, rank: reserved } as const]),
  ];
}

function morphSide(change: RankedMorph, side: Side): readonly Write[] {
  const { target: type, morphBy, owner, many } = change.attribute;
  const morph = type.attributes.get(morphBy);
  if (morph?.kind !== 'morph') return [];
  const target = { __type: owner, id: side.id };
  const part = { type, attribute: morph, target } as const;
  const owners = idsOf(change.connect, many);
  const unlinked = ownersToUnlink(change, owners);
  return [
    ...(owners.length > 0 ? [{ kind: 'attach', ...part, owners, rank: change.rank + 1 } as const] : []),
    ...(replacesMorph(change) ? [{ kind: 'release', ...part, side } as const] : []),
    ...(unlinked === undefined || replacesMorph(change)
      ? []
      : [{ kind: 'detach', ...part, owners: unlinked, rank: change.rank } as const]),
  ];
}
