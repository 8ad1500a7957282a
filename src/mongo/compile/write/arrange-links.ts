import type { Document } from 'mongodb';
import { chainsOf } from '../../../query/connect-chains.js';
import type { LinkChange, Rank } from '../../../query/mutation.js';

const idOf = (pair: string): Document => ({ $arrayElemAt: [pair, 0] });
const idsOf = (pairs: string): Document => ({ $map: { input: pairs, as: 'pair', in: idOf('$$pair') } });

/**
 * The pairs of id and rank after a change: some go, and one after the other comes to its place, as `arrange` of the
 * documents service does it. One that is linked already moves there with its rank.
 */
export function arrangeLinks(stored: Document, change: LinkChange, ranks: readonly Rank[]): Document {
  const { replaces, disconnect, connect } = change;
  const comers = connect.map(({ id, position }, index) => ({
    pair: ranks[index] === undefined ? [id] : [id, ranks[index]],
    at: position.at,
    ...('id' in position && { of: position.id }),
    ...('otherwise' in position && { otherwise: position.otherwise }),
  }));
  const isGone = { $in: [idOf('$$pair'), { $literal: disconnect }] };
  const staying =
    disconnect.length === 0 ? '$$held' : { $filter: { input: '$$held', as: 'pair', cond: { $not: [isGone] } } };
  const initialValue = replaces ? [] : staying;
  const isLoose = connect.some(({ position }) => 'otherwise' in position);
  const turns = turnsOf(change);
  if (turns === undefined) {
    return { $let: { vars: { held: stored }, in: placeEach({ $literal: comers }, initialValue, isLoose) } };
  }
  const each = placeEach(inTurn, '$$value', isLoose);
  const all = { $reduce: { input: { $literal: turns }, initialValue: '$$staying', in: each } };
  const inner = { $let: { vars: { staying: initialValue, comers: { $literal: comers } }, in: all } };
  return { $let: { vars: { held: stored }, in: inner } };
}

/** What each comer may need before its turn: indexes and ids of later ones. Undefined where none needs any. */
function turnsOf({ connect }: LinkChange): readonly Document[] | undefined {
  const chains = chainsOf(connect);
  if (chains.every(({ ahead }) => ahead.length === 0)) return undefined;
  return connect.map(({ id }, index) => {
    const ahead = chains[index]?.ahead ?? [];
    return { id, index, ahead, ids: ahead.map((one) => connect[one]?.id) };
  });
}

/** The comers that `$$this` turn places in `$$value`: none if it came before its turn, else it and those that it needs. */
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
                in: { $arrayElemAt: ['$$comers', '$$index'] },
              },
            },
          ],
        },
      },
    },
  },
};

/** A list of pairs after each of the comers came to its place. */
function placeEach(comers: Document, initialValue: unknown, isLoose: boolean): Document {
  const isComer = { $eq: [idOf('$$pair'), idOf('$$this.pair')] };
  const linked = { $filter: { input: '$$held', as: 'pair', cond: isComer } };
  const others = { $filter: { input: '$$value', as: 'pair', cond: { $not: [isComer] } } };
  const neighbour = { $indexOfArray: [idsOf('$$others'), '$$this.of'] };
  const isLost = { $and: [{ $eq: ['$$this.otherwise', 'end'] }, { $lt: [neighbour, 0] }] };
  const place = {
    $switch: {
      branches: [
        ...(isLoose ? [{ case: isLost, then: { $size: '$$others' } }] : []),
        { case: { $eq: ['$$this.at', 'start'] }, then: 0 },
        { case: { $eq: ['$$this.at', 'before'] }, then: neighbour },
        { case: { $eq: ['$$this.at', 'after'] }, then: { $add: [neighbour, 1] } },
      ],
      default: { $size: '$$others' },
    },
  };
  const size = { $size: '$$others' };
  const before = { $cond: [{ $lte: ['$$place', 0] }, [], { $slice: ['$$others', '$$place'] }] };
  const after = { $cond: [{ $gte: ['$$place', size] }, [], { $slice: ['$$others', '$$place', size] }] };
  const own = { $ifNull: [{ $first: linked }, '$$this.pair'] };
  const insert = { $let: { vars: { place }, in: { $concatArrays: [before, [own], after] } } };
  return { $reduce: { input: comers, initialValue, in: { $let: { vars: { others }, in: insert } } } };
}
