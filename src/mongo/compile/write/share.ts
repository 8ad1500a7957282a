import type { Document } from 'mongodb';
import { linkFields, linkValues } from '../../stored/relation.js';
import type { Write } from '../../../query/mutation.js';

type Share = Write & { readonly kind: 'share' };

const listOf = (path: string): Document => ({ $ifNull: [path, []] });
const stampOf = (entry: string, name: string): Document => ({ $ifNull: [`${entry}._at.${name}`, 0] });

/**
 * Writes the latest shared values to all localizations of an entry, and with `links` links each of them to all others. One
 * command, computed from what is stored: it can be repeated, in any order with others of its kind, as stamps and links
 * only grow.
 */
export function compileShare({ type, id, from, names, links, at }: Share): readonly Document[] {
  const { collectionName } = type;
  const projection = Object.fromEntries(
    ['locale', ...names.flatMap((name) => [name, `_at.${name}`])].map((name) => [name, 1]),
  );
  const linked = { $concatArrays: [['$_id'], listOf('$localizations')] };
  return [
    { $match: { $or: [{ _id: id }, { localizations: id }] } },
    // The entry's own list comes first and determines the order.
    { $set: { _other: { $ne: ['$_id', { $literal: id }] } } },
    { $sort: { _other: 1, _id: 1 } },
    { $group: { _id: null, lists: { $push: linked } } },
    { $set: { ids: concatenated('$lists') } },
    entriesOf(collectionName, 'around', [{ $project: { linked } }]),
    { $set: { ids: { $concatArrays: ['$ids', concatenated('$around.linked')] } } },
    entriesOf(collectionName, 'members', [
      { $project: { ...projection, _other: { $ne: ['$_id', { $literal: from }] } } },
      { $sort: { _other: 1, _id: 1 } },
    ]),
    {
      $set: {
        ...(names.length > 0 && { latest: Object.fromEntries(names.map((name) => [name, latest(name)])) }),
        ...(links && { group }),
      },
    },
    { $unwind: '$members' },
    { $replaceWith: { _id: '$members._id', latest: '$latest', group: '$group' } },
    {
      $merge: {
        into: collectionName,
        whenMatched: [
          {
            $set: {
              ...Object.fromEntries(names.map((name) => [name, taken(name)])),
              ...(names.length > 0 && { _at: stamps(names) }),
              ...(links && { _pairs: pairs }),
              updatedAt: { $max: ['$updatedAt', { $literal: at }] },
            },
          },
          ...(links ? [{ $set: linkFields('localizations', column('id'), column('locale')) }] : []),
          ...(links ? [{ $unset: ['_pairs'] }] : []),
        ],
        whenNotMatched: 'discard',
      },
    },
  ];
}

const concatenated = (lists: string): Document => ({
  $reduce: { input: lists, initialValue: [], in: { $concatArrays: ['$$value', '$$this'] } },
});

const entriesOf = (from: string, as: string, pipeline: readonly Document[]): Document => ({
  $lookup: { from, localField: 'ids', foreignField: '_id', pipeline, as },
});

/** The value with the highest stamp among the members; if none has one, that of `from`. */
const latest = (name: string): Document => ({
  $reduce: {
    input: '$members',
    initialValue: { stamp: -1 },
    in: {
      $cond: [
        { $gt: [stampOf('$$this', name), '$$value.stamp'] },
        { stamp: stampOf('$$this', name), value: `$$this.${name}` },
        '$$value',
      ],
    },
  },
});

/** The entry may have changed after the members were read. */
const taken = (name: string): Document => ({
  $cond: [{ $gte: [`$$new.latest.${name}.stamp`, stampOf('$$ROOT', name)] }, `$$new.latest.${name}.value`, `$${name}`],
});

function stamps(names: readonly string[]): Document {
  const raised = names.map((name) => {
    const stamp = { $max: [`$$new.latest.${name}.stamp`, stampOf('$$ROOT', name)] };
    return [name, { $cond: [{ $gt: [stamp, 0] }, stamp, '$$REMOVE'] }] as const;
  });
  const all = { $mergeObjects: ['$_at', Object.fromEntries(raised)] };
  return { $let: { vars: { all }, in: { $cond: [{ $eq: ['$$all', {}] }, '$$REMOVE', '$$all'] } } };
}

/** The ids of the existing members, in order, with their locales. */
const group = {
  $reduce: {
    input: '$ids',
    initialValue: [],
    in: {
      $concatArrays: [
        '$$value',
        {
          $cond: [
            { $in: ['$$this', '$$value.id'] },
            [],
            {
              $map: {
                input: { $filter: { input: '$members', as: 'member', cond: { $eq: ['$$member._id', '$$this'] } } },
                as: 'member',
                in: { id: '$$member._id', locale: '$$member.locale' },
              },
            },
          ],
        },
      ],
    },
  },
};

const [memberIds, memberLocales] = linkValues('localizations');

/** The others of the group, then those that the entry links in addition. */
const pairs = {
  $let: {
    vars: {
      group: { $filter: { input: '$$new.group', as: 'one', cond: { $ne: ['$$one.id', '$_id'] } } },
      held: {
        $map: {
          input: { $range: [0, { $size: listOf(memberIds) }] },
          as: 'index',
          in: {
            id: { $arrayElemAt: [memberIds, '$$index'] },
            locale: { $arrayElemAt: [memberLocales, '$$index'] },
          },
        },
      },
    },
    in: {
      $concatArrays: [
        '$$group',
        { $filter: { input: '$$held', as: 'one', cond: { $not: [{ $in: ['$$one.id', '$$group.id'] }] } } },
      ],
    },
  },
};

const column = (name: string): Document => ({
  $cond: [{ $eq: ['$_pairs', []] }, '$$REMOVE', `$_pairs.${name}`],
});
