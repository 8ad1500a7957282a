import { UNLINKED } from '../../../content-types/link/other-sides.js';
import type {
  Attribute,
  ContentType,
  MorphedAttribute,
  RelationAttribute,
} from '../../../content-types/model/types.js';
import { isUnreachable } from '../../../query/morphs.js';
import {
  isIndexed,
  type LinkChange,
  type Reference,
  type Replacement,
  type StoredValue,
  type UniqueKey,
  type ValueChange,
} from '../../../query/mutation.js';
import { arrange, checkConnect, strictly } from '../list-order.js';
import type { Data } from '../../context.js';
import { encodeValue, plainValue, type Place } from './encode-value.js';
import { collectTarget, givenValues, type EncodeOptions } from './encoding.js';
import { onlyOne, parseRelation, unique } from '../../input/relation-input.js';

/** A change of a relation that has an index, seen from the entry that is written. */
export interface RelationChange extends LinkChange {
  readonly attribute: RelationAttribute;
}

/** Valid data in its stored form, and all that goes with it. */
export interface Encoded {
  /** By attribute; undefined clears. */
  readonly values: ReadonlyMap<string, StoredValue | undefined>;
  /** Attributes that keep components they have. */
  readonly merges: ReadonlyMap<string, ValueChange>;
  /** Relations that this entry owns. */
  readonly links: readonly RelationChange[];
  /** Relations that the other side owns. */
  readonly inverse: readonly RelationChange[];
  /** Other sides of morph relations. */
  readonly morphed: readonly (LinkChange & { readonly attribute: MorphedAttribute })[];
  readonly references: Replacement<Reference>;
  readonly uniqueKeys: Replacement<UniqueKey>;
  /** Where in the data each unique key of a component came from. */
  readonly uniquePaths: ReadonlyMap<string, readonly string[]>;
  /** Every entry that is led to. */
  readonly targets: ReadonlyMap<ContentType, ReadonlySet<number>>;
}

/**
 * Encodes valid data of a content type as it is stored.
 * @throws AppError invalidValue, validation
 */
export function encode(data: Data, { attributes }: ContentType, options: EncodeOptions): Encoded {
  const collected: Place['collected'] = {
    paths: [],
    referencesGone: [],
    references: [],
    uniqueKeys: [],
    uniquePaths: new Map(),
    targets: new Map(),
  };
  const values = new Map<string, StoredValue | undefined>();
  const merges = new Map<string, ValueChange>();
  const links: RelationChange[] = [];
  const inverse: RelationChange[] = [];
  const morphed: Encoded['morphed'][number][] = [];
  const place: Place = { path: [], storedPath: '', uid: undefined, isNew: options.isNew, collected, options };
  for (const [name, value] of givenValues(data, attributes, options.isNew && options.defaults)) {
    const attribute = attributes.get(name) as Attribute;
    if (attribute.kind === 'relation' && (attribute.side === 'inverse' || isIndexed(attribute))) {
      const change = parseRelation(value);
      if (change === undefined) continue;
      collectTarget(collected.targets, attribute.target, change);
      if (attribute.inverse === UNLINKED) continue;
      const known = attribute.many ? ordered(change, options.isNew) : onlyOne(change, options.isNew);
      (attribute.side === 'inverse' ? inverse : links).push({ ...known, attribute });
    } else if (attribute.kind === 'morphed') {
      const change = parseRelation(value);
      if (change === undefined || isUnreachable(attribute)) continue;
      collectTarget(collected.targets, attribute.target, change);
      morphed.push({ ...change, connect: unique(change.connect, ({ id }) => id), attribute });
    } else {
      const change = encodeValue(value, attribute, { ...place, path: [name], storedPath: name });
      if (change === undefined) continue;
      const plain = plainValue(change);
      if (plain === 'merge') merges.set(name, change);
      else values.set(name, plain.value);
      if (attribute.kind !== 'scalar') collected.paths.push({ path: name, keep: false });
    }
  }
  const { paths, referencesGone, references, uniqueKeys, uniquePaths, targets } = collected;
  return {
    values,
    merges,
    links,
    inverse,
    morphed,
    references: { paths, remove: referencesGone, add: references },
    uniqueKeys: { paths, remove: [], add: uniqueKeys },
    uniquePaths,
    targets,
  };
}

/** A change of a list; in a new one positions are settled at once, and strictly. @throws AppError invalidValue */
function ordered(change: LinkChange, isNew: boolean): LinkChange {
  checkConnect(change);
  if (!isNew) return change;
  const known = new Map(change.connect.map((one) => [one.id, one]));
  const connect = arrange([], strictly(change)).map((id) => ({
    ...known.get(id),
    id,
    position: { at: 'end' } as const,
  }));
  return { replaces: true, disconnect: [], connect };
}
