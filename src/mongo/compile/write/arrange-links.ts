import type { Document } from 'mongodb';
import { chainsOf } from '../../../query/connect-chains.js';
import type { LinkChange, Rank } from '../../../query/mutation.js';

const idOf = (pair: string): Document => ({ $arrayElemAt: [pair, 0] });
const idsOf = (pairs: string): Document => ({ $map: { input: pairs, as: 'pair', in: idOf('$$pair') } });

/**
 * The pairs of id and rank after a change: some links are removed, then each connected entry gets its position. The
 * `arrange` of the documents service does the same in JavaScript; a property test compares the two. An entry that is
 * already linked moves with its rank.
 */
export function arrangeLinks(stored: Document, change: LinkChange, ranks: readonly Rank[]): Document {
  const { replaces, disconnect, connect } = change;
  const added = connect.map(({ id, position }, index) => ({
    pair: ranks[index] === undefined ? [id] : [id, ranks[index]],
    at: position.at,
    ...('id' in position && { of: position.id }),
    ...('otherwise' in position && { otherwise: position.otherwise }),
  }));
  const isRemoved = { $in: [idOf('$$pair'), { $literal: disconnect }] };
  const remaining =
    disconnect.length === 0 ? '$$held' : { $filter: { input: '$$held', as: 'pair', cond: { $not: [isRemoved] } } };
  const initialValue = replaces ? [] : remaining;
  const isLoose = connect.some(({ position }) => 'otherwise' in position);
  const turns = turnsOf(change);
  if (turns === undefined) {
    return { $let: { vars: { held: stored }, in: placeEach({ $literal: added }, initialValue, isLoose) } };
  }
  const each = placeEach(inTurn, '$$value', isLoose);
  const all = { $reduce: { input: { $literal: turns }, initialValue: '$$staying', in: each } };
  const inner = { $let: { vars: { staying: initialValue, added: { $literal: added } }, in: all } };
  return { $let: { vars: { held: stored }, in: inner } };
}

/** For each added link the later ones that it may need first: their indexes and ids. Undefined if none needs any. */
function turnsOf({ connect }: LinkChange): readonly Document[] | undefined {
  const chains = chainsOf(connect);
  if (chains.every(({ ahead }) => ahead.length === 0)) return undefined;
  return connect.map(({ id }, index) => {
    const ahead = chains[index]?.ahead ?? [];
    return { id, index, ahead, ids: ahead.map((position) => connect[position]?.id) };
  });
}

/** The links that the step `$$this` inserts into `$$value`: none if it was inserted earlier, otherwise it and those that it needs. */
const inTurn: Document = {
  $let: {
    vars: { turn: '$$this', present: idsOf('$$value') },
    in: {
      $let: {
        vars: {
          stop: {
            $indexOfArray: [{ $map: { input: '$$turn.ids', as: 'id', in: { $in: ['$$id', '$$present'] } } }, true],
          },
        },
        in: {
          $cond: [
            { $and: [{ $in: ['$$turn.id', '$$present'] }, { $not: [{ $in: ['$$turn.id', idsOf('$$staying')] }] }] },
            [],
            {
              $map: {
                input: {
                  $concatArrays: [
                    {
                      $reverseArray: {
                        $switch: {
                          branches: [
                            { case: { $lt: ['$$stop', 0] }, then: '$$turn.ahead' },
                            { case: { $eq: ['$$stop', 0] }, then: [] },
                          ],
                          default: { $slice: ['$$turn.ahead', '$$stop'] },
                        },
                      },
                    },
                    ['$$turn.index'],
                  ],
                },
                as: 'index',
                in: { $arrayElemAt: ['$$added', '$$index'] },
              },
            },
          ],
        },
      },
    },
  },
};

/** A list of pairs after each added link got its position. */
function placeEach(added: Document, initialValue: unknown, isLoose: boolean): Document {
  const isAdded = { $eq: [idOf('$$pair'), idOf('$$this.pair')] };
  const linked = { $filter: { input: '$$held', as: 'pair', cond: isAdded } };
  const others = { $filter: { input: '$$value', as: 'pair', cond: { $not: [isAdded] } } };
  const anchor = { $indexOfArray: [idsOf('$$others'), '$$this.of'] };
  const isAnchorMissing = { $and: [{ $eq: ['$$this.otherwise', 'end'] }, { $lt: [anchor, 0] }] };
  const position = {
    $switch: {
      branches: [
        ...(isLoose ? [{ case: isAnchorMissing, then: { $size: '$$others' } }] : []),
        { case: { $eq: ['$$this.at', 'start'] }, then: 0 },
        { case: { $eq: ['$$this.at', 'before'] }, then: anchor },
        { case: { $eq: ['$$this.at', 'after'] }, then: { $add: [anchor, 1] } },
      ],
      default: { $size: '$$others' },
    },
  };
  const size = { $size: '$$others' };
  const before = { $cond: [{ $lte: ['$$place', 0] }, [], { $slice: ['$$others', '$$place'] }] };
  const after = { $cond: [{ $gte: ['$$place', size] }, [], { $slice: ['$$others', '$$place', size] }] };
  const own = { $ifNull: [{ $first: linked }, '$$this.pair'] };
  const insert = { $let: { vars: { place: position }, in: { $concatArrays: [before, [own], after] } } };
  return { $reduce: { input: added, initialValue, in: { $let: { vars: { others }, in: insert } } } };
}
