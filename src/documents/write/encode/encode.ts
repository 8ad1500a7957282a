import { UNLINKED } from '../../../content-types/link/other-sides.js';
import type { ContentType, MorphedAttribute, RelationAttribute } from '../../../content-types/model/types.js';
import { isUnreachable } from '../../../query/visibility.js';
import type {
  LinkChange,
  Reference,
  Replacement,
  StoredValue,
  UniqueKey,
  ValueChange,
} from '../../../query/mutation.js';
import { isIndexed } from '../../../mongo/stored/relation.js';
import type { EntryInput } from '../../input/entry-input.js';
import { onlyOne, unique } from '../../input/relation-input.js';
import { addTargets, type Targets } from '../../input/targets.js';
import { arrange, checkConnect, strictly } from '../../../query/list-order.js';
import { encodeValue, isAdded, plainValue, type ValuePath, inputsOf, type EncodeOptions } from './encode-value.js';

/** A change of a relation that has an index, seen from the written entry. */
export interface RelationChange extends LinkChange {
  readonly attribute: RelationAttribute;
}

/** A written entry in its stored form, with its dependent writes. */
export interface Encoded {
  /** By attribute; undefined clears. */
  readonly values: ReadonlyMap<string, StoredValue | undefined>;
  /** Attributes with existing components that are kept. */
  readonly merges: ReadonlyMap<string, ValueChange>;
  /** Relations that this entry owns. */
  readonly links: readonly RelationChange[];
  /** Relations that the other side owns. */
  readonly inverse: readonly RelationChange[];
  /** Other sides of morph relations. */
  readonly morphed: readonly (LinkChange & { readonly attribute: MorphedAttribute })[];
  readonly references: Replacement<Reference>;
  readonly uniqueKeys: Replacement<UniqueKey>;
  /** The path in the data of each unique key of a component. */
  readonly uniquePaths: ReadonlyMap<string, readonly string[]>;
  /** All entries that it links to. */
  readonly targets: Targets;
}

/**
 * Encodes an entry in its stored form.
 * @throws AppError invalidValue
 */
export function encode(entry: EntryInput, { attributes }: ContentType, options: EncodeOptions): Encoded {
  const collected: ValuePath['collected'] = {
    paths: [],
    removedReferences: [],
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
  const { isNew } = options;
  for (const input of inputsOf(entry, attributes, isNew && options.defaults)) {
    const { name } = input.attribute;
    if (input.kind === 'relation' && (input.attribute.side === 'inverse' || isIndexed(input.attribute))) {
      const { attribute, change } = input;
      addTargets(collected.targets, attribute.target, change.connect);
      if (attribute.inverse === UNLINKED) continue;
      const effective = attribute.many ? ordered(change, isNew) : onlyOne(change, isNew);
      (attribute.side === 'inverse' ? inverse : links).push({ ...effective, attribute });
    } else if (input.kind === 'morphed') {
      const { attribute, change } = input;
      if (isUnreachable(attribute)) continue;
      addTargets(collected.targets, attribute.target, change.connect);
      morphed.push({ ...change, connect: unique(change.connect, ({ id }) => id), attribute });
    } else {
      const change = encodeValue(input, { path: [name], storedPath: name, uid: undefined, isNew, collected, options });
      if (change === undefined) continue;
      const plain = plainValue(change);
      if (plain === 'merge') merges.set(name, change);
      else values.set(name, plain.value);
      if (input.kind !== 'scalar') collected.paths.push({ path: name, keep: isAdded(change) });
    }
  }
  const { paths, removedReferences, references, uniqueKeys, uniquePaths, targets } = collected;
  return {
    values,
    merges,
    links,
    inverse,
    morphed,
    references: { paths, remove: removedReferences, add: references },
    uniqueKeys: { paths, remove: [], add: uniqueKeys },
    uniquePaths,
    targets,
  };
}

/** A change of a list; for a new entry the positions are resolved immediately and strictly. @throws AppError invalidValue */
function ordered(change: LinkChange, isNew: boolean): LinkChange {
  checkConnect(change);
  if (!isNew) return change;
  const byId = new Map(change.connect.map((link) => [link.id, link]));
  const connect = arrange([], strictly(change)).map((id) => ({
    ...byId.get(id),
    id,
    position: { at: 'end' } as const,
  }));
  return { replaces: true, disconnect: [], connect };
}
