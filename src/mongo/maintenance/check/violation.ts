import type { ContentType, RelationAttribute } from '../../../content-types/model/types.js';
import { noChanges, type DependentWrite, type PrimaryWrite, type ReferenceRemoval } from '../../../query/mutation.js';

/** A path in an entry and the rule that it violates. */
export interface Finding {
  /** With the ids of components in it, as references name it: `blocks.14.file`; empty for the entry as a whole. */
  readonly path: string;
  readonly rule: string;
  readonly repair?: Repair;
  /** The next start of the service mends it, and nobody has to do anything about it. */
  readonly endsAtStart?: true;
}

/** What resolves a contradiction between entries. */
export interface Repair {
  readonly references?: readonly ReferenceRemoval[];
  readonly writes?: readonly (readonly [PrimaryWrite, ...DependentWrite[]])[];
}

/** A write that changes nothing of the entry itself: others may follow from it. */
export const unchanged = (type: ContentType, id: number): PrimaryWrite => ({
  kind: 'update',
  type,
  id,
  changes: noChanges,
});

/** An entry without the links to these targets. */
export const unlinked = (
  type: ContentType,
  attribute: RelationAttribute,
  id: number,
  targets: readonly number[],
): PrimaryWrite => {
  const links = [{ attribute, replaces: false, disconnect: targets, connect: [] }];
  return { kind: 'update', type, id, changes: { ...noChanges, links } };
};

/** A violation of a storage rule by an entry or its collection. */
export interface Violation extends Finding {
  readonly collection: string;
  /** The entry's `_id` as a string; empty for the whole collection. */
  readonly id: string;
}

/** A violation as one line: `articles 12 blocks.14.file: refers to plugin::upload.file 7, which does not exist`. */
export const describeViolation = ({ collection, id, path, rule }: Violation): string =>
  `${[collection, id, path].filter((part) => part !== '').join(' ')}: ${rule}`;
