// node scripts/benchmarks/groups.mjs [rounds] [entries]: processor time of groups over REST, beside the same pipelines
// written by hand
import assert from 'node:assert/strict';
import { openBench, startService } from './children.mjs';
import { cpuOf } from './cost.mjs';
import { examine } from './examine.mjs';
import { seedForService } from './seed.mjs';
import { articles } from './workloads.mjs';

const [rounds = 15, count = 100_000] = process.argv.slice(2).map(Number);
const NAME = 'groups';

const published = { $match: { _live: 1 } };
const number = { $sum: 1 };
const byKey = { $sort: { _id: 1 } };
const byCount = { $sort: { count: -1, _id: 1 } };
/** Twenty-five groups, and the number of all. */
const page = (...stages) => [{ $facet: { page: [...stages, { $limit: 25 }], total: [{ $count: 'count' }] } }];
/** Groups by an id become groups by the name of what it leads to. */
const byName = (from, fields) => [
  { $lookup: { from, localField: '_id', foreignField: '_id', pipeline: [{ $project: { name: 1 } }], as: 'target' } },
  { $group: { _id: { $first: '$target.name' }, count: { $sum: '$count' }, ...fields } },
];

/** The query of each request, its pipeline, and the index that this reads. */
const requests = {
  'all, with a sum': [
    'sum=views',
    [published, { $group: { _id: null, count: number, views: { $sum: '$views' } } }],
    { views: -1, _id: 1, _live: 1 },
  ],
  'by a value, with an average, from an index': [
    'groupBy=kind&avg=views',
    [published, { $group: { _id: '$kind', count: number, views: { $avg: '$views' } } }, ...page(byKey)],
    { kind: 1, views: -1, _id: 1, _live: 1 },
  ],
  'by month': [
    'groupBy=createdAt:month',
    [
      published,
      { $group: { _id: { $dateToString: { date: '$createdAt', format: '%Y-%m' } }, count: number } },
      ...page(byKey),
    ],
  ],
  'by author, with a sum': [
    'groupBy=author.name&sum=views&sort=count:desc',
    [
      published,
      { $group: { _id: '$author', count: number, views: { $sum: '$views' } } },
      ...byName('authors', { views: { $sum: '$views' } }),
      ...page(byCount),
    ],
  ],
  'by tag': [
    'groupBy=tags.name&sort=count:desc',
    [
      published,
      { $unwind: { path: '$tags', preserveNullAndEmptyArrays: true } },
      { $group: { _id: '$tags', count: number } },
      ...byName('tags', {}),
      ...page(byCount),
    ],
  ],
  'by component': [
    'groupBy=seo.metaTitle&sort=count:desc',
    [published, { $group: { _id: '$seo.metaTitle', count: number } }, ...page(byCount)],
  ],
  'some, by two keys': [
    'filters[kind]=news&groupBy=author.name,category.name&having[count][$gte]=2',
    [
      { $match: { _live: 1, kind: 'news' } },
      { $group: { _id: { author: '$author', category: '$category' }, count: number } },
      { $lookup: { from: 'authors', localField: '_id.author', foreignField: '_id', as: 'author' } },
      { $lookup: { from: 'categories', localField: '_id.category', foreignField: '_id', as: 'category' } },
      {
        $group: {
          _id: { author: { $first: '$author.name' }, category: { $first: '$category.name' } },
          count: { $sum: '$count' },
        },
      },
      { $match: { count: { $gte: 2 } } },
      ...page(byKey),
    ],
  ],
};

const { makeFolder, engine, client, close } = await openBench('groups-');
const db = client.db(NAME);
await seedForService(db, count);
// Elapsed time is not measured: a busy machine may take long.
const settings = { MONGODB_URI: engine.uri, DATABASE_NAME: NAME, QUERY_TIMEOUT: '600000' };
const service = await startService(settings, makeFolder(NAME));

/** The numbers of the groups that the service answers with. */
async function ask(query) {
  const { path } = articles(query);
  const response = await fetch(service.url + path.replace('?', '/aggregate?'), { headers: service.headers });
  const { data, error } = await response.json();
  assert.equal(error, undefined);
  return data.map((group) => group.count);
}

async function run(pipeline, hint) {
  const [first, ...others] = await db.collection('articles').aggregate(pipeline, { hint }).toArray();
  assert.equal(others.length, 0);
  return (first.page ?? [first]).map((group) => group.count);
}

const own = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000;
/** Milliseconds of processor time of the database, and of the program beside it. */
async function costOf(work, program) {
  const before = cpuOf(engine.pid) + program();
  for (let index = 0; index < 3; index++) await work();
  return (cpuOf(engine.pid) + program() - before) / 3;
}
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

console.log('| groups | service, ms | by hand, ms | ratio | keys / documents |\n| --- | --: | --: | --: | --: |');
const ratios = [];
for (const [name, [query, pipeline, hint]] of Object.entries(requests)) {
  assert.deepEqual(await ask(query), await run(pipeline, hint), name);
  const [served, written] = [[], []];
  // The first requests compile the code that answers them.
  for (let index = 0; index < 5; index++) await ask(query);
  for (let round = 0; round < rounds; round++) {
    served.push(
      await costOf(
        () => ask(query),
        () => cpuOf(service.pid),
      ),
    );
    written.push(await costOf(() => run(pipeline, hint), own));
  }
  const [one, other] = [median(served), median(written)];
  ratios.push(one / other);
  const address = articles(query).path.replace('?', '/aggregate?');
  const examined = await examine(service, [{ path: address }]);
  console.log(`| ${name} | ${one.toFixed(0)} | ${other.toFixed(0)} | ${(one / other).toFixed(2)} | ${examined} |`);
}
console.log(`\nMean of the ratios: ${(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toFixed(2)}`);
await service.stop();
await close();
