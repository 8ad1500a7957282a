import { isDeepStrictEqual } from 'node:util';
import type { Document } from 'mongodb';
import type { Asked, Probe, Use } from './probe.js';

/** The documents that expressions, filters and stages are tried on. */
const documents: readonly Document[] = [
  { _id: 1, n: -2.5, i: 3, text: 'Straße', list: [3, 1, 2], items: [{ k: 'a', v: 1 }, { k: 'b' }], to: 2 },
  { _id: 2, n: 4, i: 1, text: 'anvil', list: [], items: [], to: 1 },
];
const COLLECTION = 'operators';

/** An expression, and its value for the first document. */
const expressions: readonly (readonly [operator: string, use: Use, expression: unknown, value: unknown])[] = [
  ['$abs', 'reads', { $abs: '$n' }, 2.5],
  ['$and', 'reads', { $and: [true, { $gt: ['$i', 1] }] }, true],
  ['$anyElementTrue', 'reads', { $anyElementTrue: [[false, true]] }, true],
  ['$arrayElemAt', 'reads', { $arrayElemAt: ['$list', -1] }, 2],
  ['$ceil', 'groups', { $ceil: '$n' }, -2],
  ['$concat', 'reads', { $concat: ['$text', '!'] }, 'Straße!'],
  ['$concatArrays', 'reads', { $concatArrays: ['$list', [4]] }, [3, 1, 2, 4]],
  ['$cond', 'reads', { $cond: [{ $lt: ['$n', 0] }, 'negative', 'positive'] }, 'negative'],
  ['$dateFromString', 'groups', { $dateFromString: { dateString: 'never', onError: 'none' } }, 'none'],
  ['$dateToString', 'dialects', { $dateToString: { date: new Date(0), format: '%H:%M:%S.%L' } }, '00:00:00.000'],
  [
    '$dateToString in a time zone',
    'groups',
    {
      $dateToString: {
        date: new Date('2024-12-30T23:30:00Z'),
        timezone: 'Europe/Berlin',
        format: '%G-W%V %Y-%m-%dT%H',
      },
    },
    '2025-W01 2024-12-31T00',
  ],
  ['$divide', 'groups', { $divide: ['$i', 2] }, 1.5],
  ['$eq', 'reads', { $eq: ['$i', 3] }, true],
  ['$filter', 'reads', { $filter: { input: '$list', as: 'one', cond: { $gt: ['$$one', 1] } } }, [3, 2]],
  ['$first', 'groups', { $first: '$list' }, 3],
  ['$gt', 'reads', { $gt: ['$i', 2] }, true],
  ['$gte', 'reads', { $gte: ['$i', 3] }, true],
  ['$ifNull', 'reads', { $ifNull: ['$missing', 'none'] }, 'none'],
  ['$in', 'reads', { $in: [2, '$list'] }, true],
  ['$indexOfArray', 'reads', { $indexOfArray: ['$list', 2] }, 2],
  ['$isArray', 'reads', { $isArray: '$list' }, true],
  ['$let', 'reads', { $let: { vars: { one: '$i' }, in: { $add: ['$$one', 1] } } }, 4],
  ['$literal', 'reads', { $literal: '$i' }, '$i'],
  ['$lt', 'reads', { $lt: ['$n', 0] }, true],
  ['$lte', 'reads', { $lte: ['$i', 3] }, true],
  ['$map', 'reads', { $map: { input: '$items', as: 'one', in: '$$one.k' } }, ['a', 'b']],
  ['$max', 'reads', { $max: '$list' }, 3],
  ['$mergeObjects', 'reads', { $mergeObjects: [{ a: 1 }, { b: '$i' }] }, { a: 1, b: 3 }],
  ['$min', 'reads', { $min: '$list' }, 1],
  ['$month', 'groups', { $month: { date: new Date('2024-01-31T23:30:00Z'), timezone: '+01:00' } }, 2],
  ['$multiply', 'groups', { $multiply: ['$i', 2] }, 6],
  ['$ne', 'reads', { $ne: ['$i', 4] }, true],
  ['$not', 'reads', { $not: [{ $eq: ['$i', 4] }] }, true],
  ['$objectToArray', 'maintenance', { $objectToArray: { a: '$i' } }, [{ k: 'a', v: 3 }]],
  ['$or', 'reads', { $or: [false, { $eq: ['$i', 3] }] }, true],
  ['$range', 'writes', { $range: [0, '$i'] }, [0, 1, 2]],
  ['$reduce', 'reads', { $reduce: { input: '$list', initialValue: 0, in: { $add: ['$$value', '$$this'] } } }, 6],
  [
    '$regexFindAll',
    'operation',
    { $map: { input: { $regexFindAll: { input: 'a/b/c', regex: '/(.)' } }, as: 'one', in: '$$one.captures' } },
    [['b'], ['c']],
  ],
  ['$regexMatch', 'reads', { $regexMatch: { input: '$text', regex: '^STR', options: 'i' } }, true],
  ['$round', 'dialects', { $toString: { $round: [{ $toDecimal: '$n' }, 2] } }, '-2.50'],
  ['$rtrim', 'dialects', { $rtrim: { input: '10.00', chars: '0' } }, '10.'],
  ['$setDifference', 'maintenance', { $setDifference: ['$list', [1, 2]] }, [3]],
  ['$setField', 'writes', { $setField: { field: 'a.b', input: {}, value: '$i' } }, { 'a.b': 3 }],
  ['$setIntersection', 'reads', { $setIntersection: ['$list', [2, 9]] }, [2]],
  ['$setIsSubset', 'reads', { $setIsSubset: [[1], '$list'] }, true],
  ['$setUnion', 'groups', { $size: { $setUnion: ['$list', [3, 4]] } }, 4],
  ['$size', 'reads', { $size: '$list' }, 3],
  ['$slice', 'reads', { $slice: ['$list', 2] }, [3, 1]],
  ['$sortArray', 'rules', { $sortArray: { input: '$list', sortBy: 1 } }, [1, 2, 3]],
  ['$substrBytes', 'groups', { $substrBytes: ['$text', 0, 3] }, 'Str'],
  ['$subtract', 'coordination', { $subtract: ['$i', 1] }, 2],
  ['$sum', 'maintenance', { $sum: '$list' }, 6],
  ['$switch', 'writes', { $switch: { branches: [{ case: { $eq: ['$i', 3] }, then: 'yes' }], default: 'no' } }, 'yes'],
  ['$toDecimal', 'dialects', { $toString: { $toDecimal: '$i' } }, '3'],
  ['$toDouble', 'groups', { $toDouble: { $toDecimal: '$n' } }, -2.5],
  ['$toInt', 'reads', { $toInt: '$i' }, 3],
  ['$toLong', 'reads', { $toLong: '$i' }, 3],
  ['$toString', 'reads', { $toString: '$i' }, '3'],
  ['$trunc', 'reads', { $trunc: '$n' }, -2],
  ['$type', 'reads', { $type: '$list' }, 'array'],
  ['$$ROOT', 'reads', { $eq: ['$$ROOT', { $literal: documents[0] }] }, true],
  ['$$REMOVE', 'writes', { $ifNull: [{ $cond: [true, '$$REMOVE', 1] }, 'removed'] }, 'removed'],
  ['$$NOW', 'coordination', { $type: '$$NOW' }, 'date'],
];

/** A filter, and the ids of the documents that match. */
const filters: readonly (readonly [operator: string, use: Use, filter: Document, ids: readonly number[]])[] = [
  ['$and', 'reads', { $and: [{ i: 3 }, { n: -2.5 }] }, [1]],
  ['$bitsAllSet', 'speed', { i: { $bitsAllSet: 2 } }, [1]],
  ['$elemMatch', 'reads', { items: { $elemMatch: { k: 'a', v: 1 } } }, [1]],
  ['$eq', 'reads', { i: { $eq: 3 } }, [1]],
  ['$exists', 'reads', { 'items.v': { $exists: true } }, [1]],
  ['$expr', 'reads', { $expr: { $gt: ['$i', '$n'] } }, [1]],
  ['$gt', 'reads', { i: { $gt: 1 } }, [1]],
  ['$gte', 'reads', { i: { $gte: 3 } }, [1]],
  ['$in', 'reads', { _id: { $in: [1, 7] } }, [1]],
  ['$lt', 'reads', { n: { $lt: 0 } }, [1]],
  ['$lte', 'reads', { n: { $lte: 4 } }, [1, 2]],
  ['$ne', 'reads', { i: { $ne: 3 } }, [2]],
  ['$nin', 'reads', { i: { $nin: [3] } }, [2]],
  ['$nor', 'reads', { $nor: [{ i: 3 }] }, [2]],
  ['$not', 'reads', { text: { $not: { $regex: '^anvil$' } } }, [1]],
  ['$or', 'reads', { $or: [{ i: 3 }, { i: 1 }] }, [1, 2]],
  ['$regex', 'reads', { text: { $regex: 'SSE$|VIL$', $options: 'i' } }, [2]],
  ['$size', 'reads', { list: { $size: 3 } }, [1]],
  ['$type', 'maintenance', { text: { $type: 'string' } }, [1, 2]],
];

const stages: readonly (readonly [stage: string, use: Use, pipeline: readonly Document[], result: readonly Document[]])[] =
  [
    ['$count', 'reads', [{ $match: {} }, { $count: 'count' }], [{ count: 2 }]],
    ['$documents in $lookup', 'groups', [{ $match: { _id: 1 } }, { $lookup: { let: { found: '$items' }, pipeline: [{ $documents: '$$found' }, { $project: { k: 1 } }], as: 'found' } }, { $project: { _id: 0, found: 1 } }], [{ found: [{ k: 'a' }, { k: 'b' }] }]],
    ['$facet', 'writes', [{ $facet: { all: [{ $count: 'count' }] } }], [{ all: [{ count: 2 }] }]],
    ['$group', 'reads', [{ $group: { _id: null, ids: { $addToSet: '$i' }, all: { $push: '$_id' } } }, { $project: { _id: 0, n: { $size: '$ids' } } }], [{ n: 2 }]],
    ['$limit', 'reads', [{ $sort: { _id: -1 } }, { $limit: 1 }, { $project: { _id: 1 } }], [{ _id: 2 }]],
    ['$lookup', 'reads', [{ $match: { _id: 1 } }, { $lookup: { from: COLLECTION, localField: 'to', foreignField: '_id', as: 'found' } }, { $project: { _id: 0, id: { $first: '$found._id' } } }], [{ id: 2 }]],
    ['$lookup with a pipeline and localField', 'reads', [{ $match: { _id: 1 } }, { $lookup: { from: COLLECTION, localField: 'to', foreignField: '_id', pipeline: [{ $match: { i: 1 } }, { $project: { text: 1 } }], as: 'found' } }, { $project: { _id: 0, found: 1 } }], [{ found: [{ _id: 2, text: 'anvil' }] }]],
    ['$lookup with let', 'reads', [{ $match: { _id: 1 } }, { $lookup: { from: COLLECTION, let: { to: '$to' }, pipeline: [{ $match: { $expr: { $eq: ['$_id', '$$to'] } } }, { $lookup: { from: COLLECTION, localField: 'to', foreignField: '_id', as: 'back' } }, { $project: { back: '$back._id' } }], as: 'found' } }, { $project: { _id: 0, found: 1 } }], [{ found: [{ _id: 2, back: [1] }] }]],
    ['$match', 'reads', [{ $match: { _id: 2 } }, { $project: { _id: 1 } }], [{ _id: 2 }]],
    ['$project', 'reads', [{ $match: { _id: 1 } }, { $project: { _id: 0, 'items.k': 1 } }], [{ items: [{ k: 'a' }, { k: 'b' }] }]],
    ['$replaceRoot', 'reads', [{ $match: { _id: 1 } }, { $replaceRoot: { newRoot: { id: '$_id' } } }], [{ id: 1 }]],
    ['$replaceWith', 'reads', [{ $match: { _id: 1 } }, { $replaceWith: { id: '$_id' } }], [{ id: 1 }]],
    ['$sample', 'speed', [{ $sample: { size: 5 } }, { $count: 'count' }], [{ count: 2 }]],
    ['$set', 'reads', [{ $match: { _id: 1 } }, { $set: { double: { $add: ['$i', '$i'] } } }, { $project: { double: 1 } }], [{ _id: 1, double: 6 }]],
    ['$skip', 'reads', [{ $sort: { _id: 1 } }, { $skip: 1 }, { $project: { _id: 1 } }], [{ _id: 2 }]],
    ['$sort', 'reads', [{ $sort: { n: -1, _id: 1 } }, { $project: { _id: 1 } }], [{ _id: 2 }, { _id: 1 }]],
    ['$unionWith', 'reads', [{ $match: { _id: 1 } }, { $unionWith: { coll: COLLECTION, pipeline: [{ $match: { _id: 2 } }] } }, { $project: { _id: 1 } }], [{ _id: 1 }, { _id: 2 }]],
    ['$unset', 'reads', [{ $match: { _id: 2 } }, { $unset: ['n', 'i', 'text', 'list', 'items'] }], [{ _id: 2, to: 1 }]],
    ['$unwind', 'reads', [{ $match: { _id: 1 } }, { $unwind: { path: '$list', includeArrayIndex: 'index' } }, { $project: { _id: 0, list: 1 } }], [{ list: 3 }, { list: 1 }, { list: 2 }]],
  ]; // prettier-ignore

/** An update, and what it makes of `{ n: 1, list: [1, 2], gone: true }`. */
const updates: readonly (readonly [operator: string, use: Use, update: Document | Document[], result: Document])[] = [
  ['$addToSet', 'writes', { $addToSet: { list: 2 } }, { n: 1, list: [1, 2], gone: true }],
  ['$inc', 'coordination', { $inc: { n: 2 } }, { n: 3, list: [1, 2], gone: true }],
  ['$max', 'writes', { $max: { n: 5 } }, { n: 5, list: [1, 2], gone: true }],
  [
    '$push with $each and $slice',
    'coordination',
    { $push: { list: { $each: [3], $slice: -2 } } },
    { n: 1, list: [2, 3], gone: true },
  ],
  ['$set', 'writes', { $set: { 'inner.a': 1 } }, { n: 1, list: [1, 2], gone: true, inner: { a: 1 } }],
  ['$setOnInsert', 'coordination', { $setOnInsert: { n: 9 } }, { n: 1, list: [1, 2], gone: true }],
  ['$unset', 'writes', { $unset: { gone: '' } }, { n: 1, list: [1, 2] }],
  [
    'a pipeline with $set and $unset',
    'writes',
    [{ $set: { n: { $size: '$list' } } }, { $unset: 'gone' }],
    { n: 2, list: [1, 2] },
  ],
];

const aggregate = (db: Asked['db'], pipeline: readonly Document[]): Promise<Document[]> =>
  db
    .collection(COLLECTION)
    .aggregate([...pipeline])
    .toArray();

/** Stores what the probes of this file use. */
export const prepareOperators = async ({ db }: Asked): Promise<void> => {
  await db.collection(COLLECTION).insertMany([...documents]);
};

/**
 * A probe for each operator and stage that the service sends. `tests/architecture/probes.test.ts` compares it with the
 * source.
 */
export const operatorProbes: readonly Probe[] = [
  ...expressions.map(([operator, use, expression, value]): Probe => ({
    name: operator.startsWith('$$') ? `the variable ${operator}` : `the expression ${operator}`,
    use,
    ask: async ({ db }) => {
      const pipeline = [{ $match: { _id: 1 } }, { $project: { _id: 0, value: expression } }];
      expectEqual(await aggregate(db, pipeline), [{ value }]);
    },
  })),
  ...filters.map(([operator, use, filter, ids]): Probe => ({
    name: `the filter ${operator}`,
    use,
    ask: async ({ db }) => {
      const found = await db
        .collection(COLLECTION)
        .find(filter, { projection: { _id: 1 }, sort: { _id: 1 } })
        .toArray();
      expectEqual(
        found.map(({ _id }) => _id as unknown),
        ids,
      );
    },
  })),
  ...stages.map(([stage, use, pipeline, result]): Probe => ({
    name: `the stage ${stage}`,
    use,
    ask: async ({ db }) => expectEqual(await aggregate(db, pipeline), result),
  })),
  ...updates.map(([operator, use, update, result], index): Probe => ({
    name: `the update ${operator}`,
    use,
    ask: async ({ db }) => {
      const collection = db.collection<{ _id: number }>('updates');
      await collection.insertOne({ _id: index, n: 1, list: [1, 2], gone: true } as { _id: number });
      await collection.updateOne({ _id: index }, update);
      expectEqual(await collection.findOne({ _id: index }), { _id: index, ...result });
    },
  })),
];

/** @throws Error with both, if they differ */
export function expectEqual(actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`gives ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}
