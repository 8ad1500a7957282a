import type { Document } from 'mongodb';
import type { ContentType } from '../../../content-types/model/types.js';
import type { Write } from '../../../query/mutation.js';
import { notDecidedAfter } from './marks.js';
import { linkParts } from './release.js';
import { compileDisconnect, compileWrite, disconnected, type WriteCommand } from './write.js';

type Link = Write & { readonly kind: 'link' | 'attach' };

/**
 * The commands of a dependant that recovery executes late. They leave alone links about which something was decided since,
 * by the numbers beside them. Those of former versions, which have none, leave alone entries that were written since.
 */
export function compileRecoveryStep(write: Write, since: Date): readonly WriteCommand[] {
  const commands = compileWrite(write);
  const only = (condition: Document): readonly WriteCommand[] =>
    commands.map((command) => restricted(command, condition));
  if (write.kind === 'release') return commands;
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

/** Only owners about whose link nothing was decided after this number. */
function linkedBefore(write: Link, rank: number): Document {
  const { name, many } = write.attribute;
  const notAfter = { $not: { $gt: rank } };
  const isFree = notDecidedAfter(linkParts(write.attribute, write.target).link, rank);
  if (many) return isFree;
  if (write.kind === 'link') return { ...isFree, [`_rank.${name}`]: notAfter };
  return { ...isFree, _refs: { $not: { $elemMatch: { a: name, n: { $gt: rank } } } } };
}

/**
 * What the side of a link that recovery has executed replaced since, as it may have come too late for that: the written
 * entry knows.
 */
export function releasesAfter(write: Link, side: ContentType): readonly (Write & { readonly kind: 'release' })[] {
  const { type, attribute, target } = write;
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
    return [
      { kind: 'release', type, attribute, target, side: { collection: side.collectionName, id, name: other.name } },
    ];
  });
}
