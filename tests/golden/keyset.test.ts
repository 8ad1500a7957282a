import type { Document } from 'mongodb';
import { golden } from '../support/golden.js';

const cursor = (...parts: readonly unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');
const after = (...parts: readonly unknown[]): string =>
  `sort=${String(parts[0])}&pagination[pageSize]=10&pagination[after]=${cursor(...parts)}`;

interface Page {
  readonly after?: Document;
  readonly sort: Document;
  /** Where the values are that the next page begins after. */
  readonly place: readonly string[];
}

/** One entry more than requested. */
const paged = ({ after: match, sort, place }: Page): readonly Document[] => [
  ...(match === undefined ? [] : [{ $match: match }]),
  { $sort: sort },
  { $limit: 11 },
  { $project: { title: 1, _after: [...place, '$_id'] } },
];
const articles = { of: 'article', also: 'fields[0]=title', frame: paged };

golden('pages that begin after an entry', articles, [
  {
    rule: 'an empty cursor is the first page',
    query: 'sort=title&pagination[pageSize]=10&pagination[after]=',
    expected: { sort: { title: 1, _id: 1 }, place: ['$title'] },
  },
  {
    rule: 'by id',
    query: after('', 7).replace('sort=&', ''),
    expected: { after: { _id: { $gt: 7 } }, sort: { _id: 1 }, place: [] },
  },
  {
    rule: 'by id, descending',
    query: after('id:desc', 7, 7),
    expected: { after: { _id: { $lt: 7 } }, sort: { _id: -1 }, place: ['$_id'] },
  },
  {
    rule: 'equal entries continue by id',
    query: after('title', 'Hello', 7),
    expected: {
      after: { $or: [{ title: { $gt: 'Hello' } }, { title: { $eq: 'Hello' }, _id: { $gt: 7 } }] },
      sort: { title: 1, _id: 1 },
      place: ['$title'],
    },
  },
  {
    rule: 'in a descending sort, null is last',
    query: after('views:desc', 5, 7),
    expected: {
      after: { $or: [{ views: { $lt: 5 } }, { views: { $eq: null } }, { views: { $eq: 5 }, _id: { $gt: 7 } }] },
      sort: { views: -1, _id: 1 },
      place: ['$views'],
    },
  },
  {
    rule: 'descending, after null only nulls follow',
    query: after('views:desc', null, 7),
    expected: { after: { views: { $eq: null }, _id: { $gt: 7 } }, sort: { views: -1, _id: 1 }, place: ['$views'] },
  },
  {
    rule: 'ascending, after null all other values follow',
    query: after('views,title:desc', null, 'x', 7),
    expected: {
      after: {
        $or: [
          { views: { $ne: null } },
          { views: { $eq: null }, title: { $lt: 'x' } },
          { views: { $eq: null }, title: { $eq: null } },
          { views: { $eq: null }, title: { $eq: 'x' }, _id: { $gt: 7 } },
        ],
      },
      sort: { views: 1, title: -1, _id: 1 },
      place: ['$views', '$title'],
    },
  },
  {
    rule: 'an operator in a cursor is a string',
    query: after('title', '$where', 7),
    expected: {
      after: { $or: [{ title: { $gt: '$where' } }, { title: { $eq: '$where' }, _id: { $gt: 7 } }] },
      sort: { title: 1, _id: 1 },
      place: ['$title'],
    },
  },
]);

const looked = ([match, ...sorted]: readonly Document[]): readonly Document[] => [
  { $project: { ids: '$tags' } },
  { $unwind: { path: '$ids', preserveNullAndEmptyArrays: true } },
  { $group: { _id: '$ids' } },
  { $group: { _id: null, ids0: { $push: { ids: '$_id' } } } },
  {
    $lookup: {
      from: 'tags',
      localField: 'ids0.ids',
      foreignField: '_id',
      pipeline: [{ $project: { key: { $ifNull: ['$name', null] } } }],
      as: 'l0',
    },
  },
  {
    $lookup: {
      from: 'articles',
      let: { ids0: '$l0._id', keys0: { $concatArrays: ['$l0.key', [null]] } },
      pipeline: [
        { $set: { _k0: { $min: { $map: { input: { $ifNull: ['$tags', []] }, in: keyOfTag } } } } },
        { $match: match },
        ...sorted,
      ],
      as: 'page',
    },
  },
  { $project: { page: 1 } },
];
const keyOfTag = {
  $arrayElemAt: ['$$keys0', { $indexOfArray: ['$$ids0', '$$this'] }],
};

golden('pages after an entry, in an order that is computed', { ...articles, frame: looked }, [
  {
    rule: 'the condition follows the stages that compute its values',
    query: after('tags.name', 'Beta', 7),
    expected: [
      { $or: [{ _k0: { $gt: 'Beta' } }, { _k0: { $eq: 'Beta' }, _id: { $gt: 7 } }] },
      { $sort: { _k0: 1, _id: 1 } },
      { $limit: 11 },
      { $project: { title: 1, _after: ['$_k0', '$_id'] } },
    ],
  },
]);

const strange = 'Invalid pagination.after: it is not a cursor of a list with this sort';
const mixed = 'Invalid pagination.after: it cannot be combined with page or start';

golden('cursors that are refused', articles, [
  { rule: 'not a cursor', query: 'pagination[after]=7', refused: strange },
  { rule: 'a list', query: 'pagination[after][]=7', refused: strange },
  { rule: 'an operator', query: 'pagination[after][$gt]=7', refused: strange },
  { rule: 'of another sort', query: `sort=views&pagination[after]=${cursor('title', 'x', 7)}`, refused: strange },
  { rule: 'in the other direction', query: `sort=title:desc&pagination[after]=${cursor('title', 'x', 7)}`, refused: strange }, // prettier-ignore
  { rule: 'with a value of another type', query: after('views', '5', 7), refused: strange },
  { rule: 'with a number for a string', query: after('title', 5, 7), refused: strange },
  { rule: 'with an object for a value', query: after('title', { $gt: '' }, 7), refused: strange },
  { rule: 'with a list for a value', query: after('views', [5], 7), refused: strange },
  { rule: 'with no day', query: after('publishOn', 'yesterday', 7), refused: strange },
  { rule: 'without an id', query: after('title', 'x', null), refused: strange },
  { rule: 'with too few values', query: after('title', 7), refused: strange },
  { rule: 'with too many', query: after('title', 'x', 'y', 7), refused: strange },
  { rule: 'written in another way', query: `${after('title', 'x', 7)}=`, refused: strange },
  {
    rule: 'of private attributes, which cannot be sorted by',
    query: after('internalNote', 'x', 7),
    refused: 'Invalid parameter internalNote',
  },
  { rule: 'beside a page', query: 'pagination[after]=&pagination[page]=2', refused: mixed },
  { rule: 'beside a start', query: 'pagination[after]=&pagination[start]=0', refused: mixed },
]);
