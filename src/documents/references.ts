import type { ContentType, MorphAttribute, RelationAttribute } from '../content-types/types.js';
import { mayRefer } from '../mongo/compile/forget.js';
import { isIndexed, isSole, type LinkChange, type Links, type Owners, type Write } from '../query/write.js';
import type { Encoded, RelationChange } from './encode.js';

type ContentTypes = ReadonlyMap<string, ContentType>;

/** The writes that take an entry out of everything that refers to it. */
export function forgetWrites(type: ContentType, id: number, contentTypes: ContentTypes): readonly Write[] {
  return [...contentTypes.values()].flatMap((holder) => {
    const attributes = [...holder.attributes.values()];
    const unlinks = attributes
      .filter((one): one is RelationAttribute => one.kind === 'relation' && isIndexed(one) && one.target === type)
      .map((attribute): Write => ({ kind: 'unlink', type: holder, attribute, targets: [id], owners: { except: [] } }));
    const refers = attributes.some((attribute) => mayRefer(attribute, type));
    return refers ? [...unlinks, { kind: 'forget', type: holder, target: type, id }] : unlinks;
  });
}

/** Changes of relations whose other side owns them, with the rank of each that is connected, and one given out for this. */
export type RankedChange = RelationChange & { readonly ranks: readonly number[]; readonly reserved: number };

/**
 * The writes on other entries that follow from an entry's relations: values on the other side, and what is taken from
 * former owners. Strapi v4 takes over in bidirectional one-to-one and one-to-many relations only.
 */
export function relationWrites(
  type: ContentType,
  id: number,
  links: readonly Links[],
  morphed: Encoded['morphed'],
  inverse: readonly RankedChange[],
): readonly Write[] {
  return [
    ...links.flatMap((change) => takeover(type, change)),
    ...inverse.flatMap((change) => otherSide(id, change)),
    ...morphed.flatMap(({ attribute, ...change }): readonly Write[] => {
      const morph = attribute.target.attributes.get(attribute.morphBy);
      if (morph?.kind !== 'morph') return [];
      return morphSide(attribute.target, morph, { __type: attribute.owner, id }, attribute.many, change);
    }),
  ];
}

function takeover(type: ContentType, { attribute, connect, ranks }: Links): readonly Write[] {
  const [taken, rank] = [connect.at(-1), ranks.at(-1)];
  if (!isSole(attribute) || taken === undefined || rank === undefined) return [];
  return [{ kind: 'takeover', type, attribute, target: taken.id, rank }];
}

/** A relation to one entry keeps the last that is connected. */
const idsOf = (connect: LinkChange['connect'], many: boolean): readonly number[] =>
  (many ? connect : connect.slice(-1)).map((one) => one.id);

/** Who loses the link: all others when it is replaced, or when there can be one only; else those that are named. */
function losers({ replaces, disconnect }: LinkChange, connected: readonly number[], many: boolean): Owners | undefined {
  if (replaces || (!many && connected.length > 0)) return { except: connected };
  const only = disconnect.filter((owner) => !connected.includes(owner));
  return only.length > 0 ? { only } : undefined;
}

function otherSide(id: number, { attribute, ranks, reserved, ...change }: RankedChange): readonly Write[] {
  const { target: type, inverse = '', many } = attribute;
  const other = type.attributes.get(inverse);
  if (other?.kind !== 'relation') return [];
  const owners = idsOf(change.connect, many);
  const part = { type, attribute: other } as const;
  const [rank] = ranks.slice(-1);
  if (!many && rank !== undefined) {
    return [
      { kind: 'link', ...part, owners, ranks: [rank], target: id, reserved },
      { kind: 'takeover', ...part, target: id, rank },
    ];
  }
  const lost = losers(change, owners, many);
  return [
    ...(owners.length > 0 ? [{ kind: 'link', ...part, owners, ranks, target: id, reserved } as const] : []),
    ...(lost === undefined ? [] : [{ kind: 'unlink', ...part, targets: [id], owners: lost } as const]),
  ];
}

function morphSide(
  type: ContentType,
  attribute: MorphAttribute,
  target: { readonly __type: string; readonly id: number },
  many: boolean,
  change: LinkChange,
): readonly Write[] {
  const owners = idsOf(change.connect, many);
  const lost = losers(change, owners, many);
  return [
    ...(owners.length > 0 ? [{ kind: 'attach', type, attribute, owners, target } as const] : []),
    ...(lost === undefined ? [] : [{ kind: 'detach', type, attribute, target, owners: lost } as const]),
  ];
}
