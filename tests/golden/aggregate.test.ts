import { describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { dialectOf } from '../../src/content-types/model/dialects.js';
import { system } from '../../src/documents/caller.js';
import { imposePublicationState } from '../../src/documents/interceptors.js';
import { compileGroups } from '../../src/mongo/compile/groups/compile-groups.js';
import type { GroupPlan } from '../../src/mongo/compile/plan.js';
import { HIGHEST } from '../../src/mongo/compile/read/sort.js';
import { parseAggregate } from '../../src/query/parse/parse-aggregate.js';
import { parseQueryString } from '../../src/calls/query-string.js';
import { limits, loadCorpus, typeOf } from '../support/golden.js';

type Database = Parameters<typeof dialectOf>[0];

/** The plan of groups of articles, as a list over REST reads them. */
async function compile(query: string, database: Database = 'sqlite', of = 'article'): Promise<GroupPlan> {
  const type = typeOf(await loadCorpus(undefined, dialectOf(database)), of);
  const parsed = parseAggregate(parseQueryString(query), type, 'client', limits);
  const { aggregate, ...list } = imposePublicationState(parsed, { action: 'find', caller: system });
  if (aggregate === undefined) throw new Error('There are no groups');
  return compileGroups(list, aggregate);
}

const orNull = (value: unknown): Document => ({ $ifNull: [value, null] });
const published = { $match: { _live: 1 } };
const counted = { $count: 'count' };
const page = (...stages: readonly Document[]): Document => ({
  $facet: { page: [...stages, { $limit: 25 }], total: [counted] },
});
const byKey = page({ $sort: { k0: 1 } });
const key = { _id: 0, k0: '$_id.k0', count: 1 };
const count = { $sum: 1 };

interface Row {
  readonly rule: string;
  readonly query: string;
  readonly database?: Database;
  /** The stages after those that find published articles. */
  readonly stages: readonly Document[];
}

const all = (fields: Document, results: Document, empty: Document): readonly Document[] => [
  { $group: { _id: {}, count, ...fields } },
  { $project: { _id: 0, count: 1, ...results } },
  { $unionWith: { pipeline: [{ $documents: [{ count: 0, ...empty }] }] } },
  { $limit: 1 },
  page(),
];

const rows: readonly Row[] = [
  { rule: 'without keys all entries are one group, if there are none too', query: '', stages: all({}, {}, {}) },
  {
    rule: 'null and missing are one group; equal groups come in the order of their keys',
    query: 'groupBy=kind',
    stages: [{ $group: { _id: { k0: orNull('$kind') }, count } }, { $project: key }, byKey],
  },
  {
    rule: 'null comes last where the database has it there',
    query: 'groupBy=featured',
    database: 'postgres',
    stages: [
      { $group: { _id: { k0: orNull('$featured') }, count } },
      { $project: key },
      page({ $set: { s0: { $ifNull: ['$k0', HIGHEST] } } }, { $sort: { s0: 1 } }, { $unset: ['s0'] }),
    ],
  },
  {
    rule: 'of texts that are equal for the database the first entry has the one that is shown',
    query: 'groupBy=title',
    database: 'mysql',
    stages: [
      { $group: { _id: { k0: orNull('$title') }, count, x0: { $min: { id: '$_id', value: orNull('$title') } } } },
      { $project: { ...key, k0: '$x0.value' } },
      byKey,
    ],
  },
  {
    rule: 'moments are grouped by their part in a time zone, if they have one',
    query: 'groupBy[0][startsAt]=month&timeZone=europe/berlin',
    stages: [
      {
        $group: {
          _id: {
            k0: orNull({
              $cond: [
                {
                  $and: [
                    { $gte: ['$startsAt', new Date('0000-01-02T00:00:00Z')] },
                    { $lte: ['$startsAt', new Date('9999-12-30T23:59:59Z')] },
                  ],
                },
                { $dateToString: { date: '$startsAt', timezone: 'Europe/Berlin', format: '%Y-%m' } },
                null,
              ],
            }),
          },
          count,
        },
      },
      { $project: key },
      byKey,
    ],
  },
  {
    rule: 'a day is stored as text',
    query: 'groupBy=publishOn:year',
    stages: [
      {
        $group: {
          _id: { k0: orNull({ $cond: [{ $gt: ['$publishOn', null] }, { $substrBytes: ['$publishOn', 0, 4] }, null] }) },
          count,
        },
      },
      { $project: key },
      byKey,
    ],
  },
  {
    rule: 'fractions and large integers are added as decimal numbers, and an average is of those that are there',
    query: 'sum=rating,views,bignum&avg=views',
    stages: all(
      {
        a0: { $sum: { $toDecimal: '$rating' } },
        a1: { $sum: '$views' },
        a2: { $sum: { $toDecimal: '$bignum' } },
        a3: { $sum: '$views' },
        c3: { $sum: { $cond: [{ $gt: ['$views', null] }, 1, 0] } },
      },
      {
        sum: { m0: { $toDouble: '$a0' }, m1: '$a1', m2: '$a2' },
        avg: { m3: { $cond: [{ $eq: ['$c3', 0] }, null, { $toDouble: { $divide: ['$a3', '$c3'] } }] } },
      },
      { sum: { m0: 0, m1: 0, m2: 0 }, avg: { m3: null } },
    ),
  },
  {
    rule: 'lowest, highest and different values',
    query: 'countDistinct=kind&min=title&max=startsAt',
    stages: all(
      { a0: { $addToSet: { $ifNull: ['$kind', '$$REMOVE'] } }, a1: { $min: '$title' }, a2: { $max: '$startsAt' } },
      { countDistinct: { m0: { $size: '$a0' } }, min: { m1: '$a1' }, max: { m2: '$a2' } },
      { countDistinct: { m0: 0 }, min: { m1: null }, max: { m2: null } },
    ),
  },
  {
    rule: 'conditions on measures, and a sort by them',
    query:
      'groupBy=kind&sum=views&having[count][$gte]=3&having[sum][views][$lt]=9&sort=sum.views:desc,count&pagination[page]=2',
    stages: [
      { $group: { _id: { k0: orNull('$kind') }, count, a0: { $sum: '$views' } } },
      { $project: { ...key, sum: { m0: '$a0' } } },
      {
        $facet: {
          page: [
            { $match: { $and: [{ count: { $gte: 3 } }, { 'sum.m0': { $lt: 9 } }] } },
            { $sort: { 'sum.m0': -1, count: 1, k0: 1 } },
            { $skip: 25 },
            { $limit: 25 },
          ],
          total: [{ $match: { $and: [{ count: { $gte: 3 } }, { 'sum.m0': { $lt: 9 } }] } }, counted],
          all: [counted],
        },
      },
    ],
  },
  {
    rule: 'an entry is once in the group of each value of its components',
    query: 'groupBy=links.label',
    stages: [
      {
        $set: {
          e0: {
            $setUnion: [
              {
                $let: {
                  vars: {
                    rows: {
                      $reduce: {
                        input: {
                          $map: { input: { $ifNull: ['$links', []] }, as: 'c1', in: [{ k0: orNull('$$c1.label') }] },
                        },
                        initialValue: [],
                        in: { $concatArrays: ['$$value', '$$this'] },
                      },
                    },
                  },
                  in: { $cond: [{ $eq: ['$$rows', []] }, [{ k0: null }], '$$rows'] },
                },
              },
              [],
            ],
          },
        },
      },
      { $unwind: '$e0' },
      { $group: { _id: { k0: '$e0.k0' }, count } },
      { $project: key },
      byKey,
    ],
  },
];

/** Groups of ids, as one document for which their targets are looked up. */
const pushed = (fields: Document): Document => ({
  $group: { _id: null, groups: { $push: { $mergeObjects: ['$_id', fields] } } },
});
const table = (from: string, localField: string, row: Document, match: readonly Document[] = []): Document => ({
  $lookup: { from, localField, foreignField: '_id', pipeline: [...match, { $project: { rows: [row] } }], as: 'l0' },
});
const variables = { l0ids: '$l0._id', l0rows: { $concatArrays: ['$l0.rows', [[]]] } };
const rowsFor = (id: string): Document => ({ $arrayElemAt: ['$$l0rows', { $indexOfArray: ['$$l0ids', id] }] });
const orNulls = (rows: unknown, nulls: Document): Document => ({
  $let: { vars: { rows }, in: { $cond: [{ $eq: ['$$rows', []] }, [nulls], '$$rows'] } },
});
const regrouped = (nulls: Document, ...stages: readonly Document[]): readonly Document[] => [
  {
    $lookup: {
      let: { groups: '$groups', ...variables },
      pipeline: [
        { $documents: '$$groups' },
        { $set: { row: orNulls(rowsFor('$b0'), nulls) } },
        { $unwind: '$row' },
        ...stages,
      ],
      as: 'groups',
    },
  },
  { $unwind: '$groups' },
  { $replaceWith: '$groups' },
];

const throughRelations: readonly Row[] = [
  {
    rule: 'entries are grouped by the ids that they store, each target is looked up once, and groups with its values are joined',
    query: 'groupBy=author.name&countDistinct=kind&sum=views,author.rank',
    stages: [
      {
        $group: { _id: { b0: orNull('$author'), d0: orNull('$kind') }, count, a1: { $sum: '$views' } },
      },
      pushed({ count: '$count', a1: '$a1' }),
      table('authors', 'groups.b0', { k0: orNull('$name'), m2: orNull('$rank') }),
      ...regrouped(
        { k0: null, m2: null },
        {
          $group: {
            _id: { k0: '$row.k0' },
            count: { $sum: '$count' },
            a1: { $sum: '$a1' },
            a0: { $addToSet: { $ifNull: ['$d0', '$$REMOVE'] } },
            a2: { $sum: { $multiply: ['$count', '$row.m2'] } },
          },
        },
      ),
      { $project: { ...key, countDistinct: { m0: { $size: '$a0' } }, sum: { m1: '$a1', m2: '$a2' } } },
      byKey,
    ],
  },
];

describe('groups', () => {
  test.each([...rows, ...throughRelations].map((row) => [row.rule, row.query, row] as const))(
    '%s: %s',
    async (_rule, _query, { query, database, stages }) => {
      const { pipelines } = await compile(query, database);
      expect(pipelines).toStrictEqual([[published, ...stages]]);
    },
  );

  test('groups of ids in a list say where several have the same value; then the rows of each entry are made', async () => {
    const { pipelines } = await compile('groupBy=tags.name');
    const isTwice = { $or: [{ $ne: ['$o0', '$p0'] }, { $eq: ['$q0', true] }] };
    const named = { k0: orNull('$name') };
    const byIds = [
      published,
      { $unwind: { path: '$tags', preserveNullAndEmptyArrays: true } },
      { $group: { _id: { b0: orNull('$tags') }, count } },
      pushed({ count: '$count' }),
      table('tags', 'groups.b0', named),
      ...regrouped(
        { k0: null, q0: { $gt: ['$b0', null] } },
        {
          $group: {
            _id: { k0: '$row.k0' },
            count: { $sum: '$count' },
            o0: { $min: { $ifNull: ['$b0', 0] } },
            p0: { $max: { $ifNull: ['$b0', 0] } },
            q0: { $max: '$row.q0' },
          },
        },
        { $set: { again: isTwice } },
      ),
      { $project: { ...key, again: 1 } },
      {
        $facet: {
          page: [{ $sort: { k0: 1 } }, { $limit: 25 }],
          total: [counted],
          again: [{ $match: { again: true } }, { $limit: 1 }, { $project: { again: 1 } }],
        },
      },
    ];
    const ids = [published, { $project: { ids: '$tags' } }, { $unwind: '$ids' }, { $group: { _id: '$ids' } }];
    const listed = {
      $reduce: {
        input: { $map: { input: { $ifNull: ['$tags', []] }, as: 'id', in: rowsFor('$$id') } },
        initialValue: [],
        in: { $concatArrays: ['$$value', '$$this'] },
      },
    };
    const byRows = [
      { $limit: 1 },
      { $project: { _id: 1 } },
      { $lookup: { from: 'articles', pipeline: ids, as: 'ids0' } },
      table('tags', 'ids0._id', named),
      {
        $lookup: {
          from: 'articles',
          let: variables,
          pipeline: [
            published,
            { $set: { row: { $setUnion: [orNulls(listed, { k0: null }), []] } } },
            { $unwind: '$row' },
            { $group: { _id: { k0: '$row.k0' }, count } },
          ],
          as: 'groups',
        },
      },
      { $unwind: '$groups' },
      { $replaceWith: '$groups' },
      { $project: key },
      byKey,
    ];
    expect(pipelines).toStrictEqual([byIds, byRows]);
  });

  test('drafts behind a relation are left out, as where it is populated', async () => {
    const { pipelines } = await compile('groupBy=related.title');
    // Ids do not tell them from others, so that only rows are right.
    expect(pipelines).toHaveLength(1);
    expect(JSON.stringify(pipelines)).toContain(
      '"from":"articles","localField":"ids0._id","foreignField":"_id","pipeline":[{"$match":{"_live":1}}',
    );
  });

  test('an index that has all that is read is named by its paths', async () => {
    const read = async (query: string, database?: Database) => (await compile(query, database)).paths;
    expect(await read('groupBy=kind,author.name&sum=views')).toEqual(['author', 'kind', 'views']);
    expect(await read('groupBy=featured&sum=views', 'postgres')).toEqual(['featured', 'views']);
    // It has no texts with a collation, and no lists as they are.
    expect(await read('groupBy=kind', 'postgres')).toBeUndefined();
    expect(await read('groupBy=tags.name')).toBeUndefined();
    expect(await read('groupBy=links.label')).toBeUndefined();
  });

  test.each([
    ['unknown attributes', 'groupBy=nope', 'Invalid parameter nope'],
    ['names of all objects', 'groupBy=constructor', 'Invalid parameter constructor'],
    ['private attributes', 'groupBy=internalNote', 'Invalid parameter internalNote'],
    ['private attributes, of which nothing is computed', 'max=internalNote', 'Invalid parameter internalNote'],
    ['passwords', 'countDistinct=secret', 'Invalid parameter secret'],
    ['private attributes of a related type', 'groupBy=author.notes', 'Invalid parameter notes'],
    ['relations that no answer shows', 'groupBy=author.account.role.users.username', 'Invalid parameter users'],
    ['a relation by itself', 'groupBy=author', 'Invalid parameter author'],
    ['dynamic zones', 'groupBy=blocks.text', 'Invalid parameter blocks'],
    ['a key that is named twice', 'groupBy=kind,title,kind', 'Invalid parameter kind'],
    ['parts of what is no date', 'groupBy=kind:month', 'Invalid parameter month'],
    ['unknown parts', 'groupBy=startsAt:decade', 'Invalid parameter decade'],
    ['parts that a day does not have', 'groupBy=publishOn:hour', 'Invalid parameter hour'],
    ['values that are no paths', 'groupBy[0][]=kind', 'Invalid parameter groupBy'],
    ['sums of texts', 'sum=title', 'Invalid parameter title'],
    ['a part of a measure', 'min=startsAt:month', 'Invalid parameter month'],
    ['the lowest JSON', 'min=meta', 'Invalid parameter meta'],
    ['conditions on measures that are not asked for', 'having[sum][views][$gt]=1', 'Invalid parameter sum'],
    ['conditions on keys', 'groupBy=kind&having[kind]=news', 'Invalid parameter kind'],
    ['conditions on an id', 'having[id]=1', 'Invalid parameter having'],
    ['sorts by what is not asked for', 'groupBy=kind&sort=title', 'Invalid parameter title'],
    ['unknown directions', 'groupBy=kind&sort=kind:up', 'Invalid parameter up'],
    ['unknown time zones', 'timeZone=Mars/Base', 'Invalid parameter timeZone'],
    ['fields', 'groupBy=kind&fields=title', 'Invalid parameter fields'],
    ['populate', 'populate=author', 'Invalid parameter populate'],
    ['cursors', 'pagination[after]=', 'Invalid pagination.after: groups have pages alone'],
    [
      'many keys',
      `groupBy=${'title slug kind views rating bignum score featured code ref summary'.replaceAll(' ', ',')}`,
      'The query asks for too much: at most 10 keys in groupBy',
    ],
    [
      'long paths',
      `groupBy=${'related.'.repeat(11)}title`,
      'The query asks for too much: at most 10 relations in keys and measures',
    ],
    [
      'a sum over a list that a key goes through',
      'groupBy=links.label&sum=links.priority',
      'sum=links.priority has no meaning beside links.label: groupBy goes through the list links, too: read the entries of links by themselves',
    ],
    [
      'different values of a list',
      'countDistinct=tags.name',
      'countDistinct=tags.name goes through the list tags: group by tags.name instead: the total of the groups is their number',
    ],
  ])('%s are refused', async (_, query, message) => {
    await expect(compile(query)).rejects.toThrow(new Error(message));
  });
});
