import type { Document } from 'mongodb';
import type { ContentType } from '../../../content-types/model/types.js';
import type { Write } from '../../../query/mutation.js';
import { rankPath, REFERENCES } from '../../stored/relation.js';
import { notDecidedAfter } from './marks.js';
import { linkParts } from './release.js';
import { compileDisconnect, compileWrite, disconnected, type WriteCommand } from './write.js';

/** Of links that were made late. */
export type LateRelease = Write & { readonly kind: 'release'; readonly from: number };

type Link = Write & { readonly kind: 'link' | 'attach' };

/**
 * The commands of a dependant that recovery executes late. They leave alone links about which something was decided since,
 * by the numbers beside them. Those of former versions, which have none, leave alone entries that were written since.
 */
export function compileRecoveryStep(write: Write, since: Date): readonly WriteCommand[] {
  const commands = compileWrite(write);
  const only = (condition: Document): readonly WriteCommand[] =>
    commands.map((command) => restricted(command, condition));
  if (write.kind === 'link') return only(linkedBefore(write, write.reserved));
  if (write.kind === 'attach' && write.rank !== undefined) return only(linkedBefore(write, write.rank));
  if ((write.kind === 'unlink' || write.kind === 'detach') && write.rank !== undefined) {
    const { isOlder } = linkParts(write.attribute, disconnected(write));
    return [compileDisconnect(write, isOlder({ $literal: write.rank }))];
  }
  return only({ updatedAt: { $not: { $gt: since } } });
}

const restricted = (command: WriteCommand, condition: Document): WriteCommand =>
  command.kind === 'update' ? { ...command, filter: { $and: [command.filter, condition] } } : command;

/**
 * Only owners about whose link nothing was decided after this number. A new list counts what has a link as well, which gets
 * its place in it, and not positions in the former list.
 */
function linkedBefore(write: Link, rank: number): Document {
  const { name, many } = write.attribute;
  const notAfter = { $not: { $gt: rank } };
  const { link, linked } = linkParts(write.attribute, write.target);
  const replaces = write.kind === 'link' && write.replaces === true;
  const isFree = notDecidedAfter(link, rank, replaces);
  const isOlder = many || write.kind !== 'link' ? isFree : { ...isFree, [rankPath(name)]: notAfter };
  if (replaces) return { $or: [linked, isOlder] };
  if (many || write.kind === 'link') return isOlder;
  return { ...isFree, [REFERENCES]: { $not: { $elemMatch: { a: name, n: { $gt: rank } } } } };
}

/**
 * The releases after a link that recovery has executed: its side may have been replaced since, which the written entry
 * records.
 */
export function releasesAfter(write: Link, side: ContentType): readonly LateRelease[] {
  const { type, attribute, target } = write;
  const from = lowestRank(write);
  const id = typeof target === 'number' ? target : target.id;
  return [...side.attributes.values()].flatMap((other) => {
    const isSide =
      other.kind === 'morphed'
        ? attribute.kind === 'morph' && other.target === type && other.morphBy === attribute.name
        : other.kind === 'relation' &&
          other.side === 'inverse' &&
          other.target === type &&
          other.inverse === attribute.name;
    if (!isSide) return [];
    const replaced = { collection: side.collectionName, id, name: other.name };
    return [{ kind: 'release', type, attribute, target, side: replaced, from }];
  });
}

/** Links that have a position may have lower ranks than the number of their write. */
const lowestRank = (write: Link): number =>
  write.kind === 'attach'
    ? (write.rank ?? 0)
    : write.ranks.reduce<number>(
        (lowest, rank) => (typeof rank === 'number' ? Math.min(lowest, rank) : lowest),
        write.reserved,
      );
