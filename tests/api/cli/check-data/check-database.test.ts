import { beforeEach, expect, test } from '@jest/globals';
import type { Collection, Document } from 'mongodb';
import { describeViolation } from '../../../../src/mongo/maintenance/check/violation.js';
import { checkDatabase, findUnknownCollections } from '../../../../src/mongo/maintenance/check/check-database.js';
import { openStore } from '../../../../src/mongo/store.js';
import { useService } from '../../../support/service.js';

const client = useService({}, { checked: false });
const create: typeof client.create = (...entry) => client.create(...entry);
const collection = (name: string): Collection<Document & { _id: number }> =>
  client.service.database.db.collection(name);

/** All that a check of a database finds, and how many entries it looked at. */
async function check(db = client.service.database.db): Promise<{ entries: number; breaches: readonly string[] }> {
  const { registry } = client.service;
  const found = { entries: 0, breaches: [] as string[] };
  for await (const { entries, violations: breaches } of checkDatabase(db, registry)) {
    found.entries += entries;
    found.breaches.push(...breaches.map(describeViolation));
  }
  return found;
}

const gone = (uid: string, id: unknown): string => `refers to ${uid} ${String(id)}, which does not exist`;

const breaches = async (): Promise<readonly string[]> => (await check()).breaches;

beforeEach(async () => {
  const collections = await client.service.database.db.listCollections({}, { nameOnly: true }).toArray();
  // The service remembers what it took from the counters, and tests go on with their token.
  const kept = new Set(['_counters', 'strapi_api_tokens']);
  const emptied = collections.filter(({ name }) => !kept.has(name));
  await Promise.all(emptied.map(({ name }) => collection(name).deleteMany({})));
});

/** Creates content with every kind of attribute; returns the ids. */
async function createContent() {
  const author = await create('authors', { name: 'Ada', address: { city: 'Ulm' } });
  const tags = [await create('tags', { name: 'One' }), await create('tags', { name: 'Two' })];
  const seoCard = await create('seo-cards', { headline: 'Card' });
  const article = await create('articles', {
    title: 'Everything',
    slug: 'everything',
    rating: 4.5,
    bignum: '9007199254740993',
    publishOn: '2024-02-29',
    airTime: '08:30:00',
    startsAt: '2024-02-29T08:30:00Z',
    ts: '2024-02-29T08:30:00Z',
    secret: 'hidden',
    meta: { a: [null] },
    author,
    tags,
    seoCard,
    seo: { metaTitle: 'Seo', openGraph: { ogTitle: 'Graph', extra: [] } },
    links: [{ label: 'one' }, { label: 'two' }],
    blocks: [
      { __component: 'blocks.quote', text: 'q', source: author, mentions: tags },
      { __component: 'blocks.promo', title: 'p', cta: { label: 'three' } },
    ],
  });
  const draft = await create('articles', { title: 'Draft', publishedAt: null, author, tags, related: [article] });
  const product = await create('products', { sku: 'abc', name: 'Thing' });
  await create('comments', { text: 'hm', subject: { __type: 'api::product.product', id: product } });
  await create('bookmarks', { label: 'b', items: [{ __type: 'api::tag.tag', id: tags[0] }] });
  await client.put('/api/setting', { siteName: 'Site', footerLinks: [{ label: 'four' }] });
  return { author, tags, seoCard, article, draft, product };
}

test('check-data finds no violation in data written by the service', async () => {
  const { author, tags, article, draft, product } = await createContent();
  await client.put(`/api/articles/${draft}`, { tags: [tags[1]], author: null, blocks: [], links: [{ label: 'x' }] });
  await client.put(`/api/tags/${tags[0]}`, { articles: [draft, article] });
  await client.put(`/api/articles/${draft}`, { publishedAt: '2024-01-01' });
  await client.delete(`/api/tags/${tags[1]}`);
  await client.delete(`/api/authors/${author}`);
  await client.delete(`/api/products/${product}`);
  expect(await check()).toEqual({ entries: 8, breaches: [] });
});

test('check-data reports violations within one entry', async () => {
  const { article } = await createContent();
  await collection('articles').updateOne(
    { _id: article },
    { $set: { views: 'many', other: 1 }, $unset: { _live: '' } },
  );
  expect((await breaches()).toSorted()).toEqual([
    `articles ${article} _live: must be 1, because publishedAt is set; is absent`,
    `articles ${article} other: is not an attribute of api::article.article`,
    `articles ${article} views: must be a whole number, is "many"`,
  ]);
});

test('check-data reports references to missing entries in relations, components and morphs', async () => {
  const { author, tags, article, draft } = await createContent();
  await collection('authors').deleteOne({ _id: author });
  const quote: { id: number } = (await collection('articles').findOne({ _id: article }))?.['blocks'][0];
  await collection('tags').deleteOne({ _id: tags[0] ?? 0 });
  const bookmark = await collection('bookmarks').findOne<Document>({});
  expect((await breaches()).toSorted()).toEqual(
    [
      `articles ${article} author: ${gone('api::author.author', author)}`,
      `articles ${draft} author: ${gone('api::author.author', author)}`,
      `articles ${article} blocks.blocks.quote:${quote.id}.source: ${gone('api::author.author', author)}`,
      `articles ${article} blocks.blocks.quote:${quote.id}.mentions: ${gone('api::tag.tag', tags[0])}`,
      `articles ${article} tags: ${gone('api::tag.tag', tags[0])}`,
      `articles ${draft} tags: ${gone('api::tag.tag', tags[0])}`,
      `bookmarks ${bookmark?.['_id']} items: ${gone('api::tag.tag', tags[0])}`,
    ].toSorted(),
  );
});

test('check-data reports both owners of an entry in an exclusive relation', async () => {
  const { seoCard, article, draft } = await createContent();
  await collection('articles').updateOne({ _id: draft }, { $set: { seoCard } });
  const both = (other: number): string =>
    `seoCard: refers to api::seo-card.seo-card ${seoCard}, which ${other} also refers to: only one may`;
  expect(await breaches()).toEqual([`articles ${article} ${both(draft)}`, `articles ${draft} ${both(article)}`]);
});

test('check-data reports ids above the last allocated id', async () => {
  const { author } = await createContent();
  const counters = client.service.database.db.collection<{ _id: string; id: number; last: Record<string, number> }>(
    '_counters',
  );
  const last = (await counters.findOne({ _id: 'components' }))?.last['shared/address'] ?? 0;
  const tag = (await counters.findOne({ _id: 'api::tag.tag' }))?.id ?? 0;
  await collection('tags').insertOne({ _id: tag + 1, name: 'Smuggled' });
  await collection('authors').updateOne({ _id: author }, { $set: { 'address.id': last + 1 } });
  expect(await breaches()).toEqual([
    `authors ${author} address.${last + 1}: has an id above ${last}, the last allocated id of a shared.address`,
    `tags ${tag + 1} _id: is above ${tag}, the last allocated id`,
  ]);
});

test('check-data reports a wrong lock, and tolerates one of a transaction that has ended', async () => {
  const { tags } = await createContent();
  const [tag = 0] = tags;
  await collection('tags').updateOne({ _id: tag }, { $set: { _lock: { by: 'ended' } } });
  expect(await breaches()).toEqual([]);
  await collection('tags').updateOne({ _id: tag }, { $set: { _lock: 'batch' } });
  expect(await breaches()).toEqual([`tags ${tag} _lock: must name a transaction, is "batch"`]);
});

test('check-data reports a wrong mark of a single type', async () => {
  await createContent();
  const [setting = 0] = await collection('settings').distinct('_id');
  await collection('settings').updateOne({ _id: setting }, { $set: { _sole: 2 } });
  expect(await breaches()).toEqual([`settings ${setting} _sole: must be 1 or absent, is 2`]);
});

test('check-data reports duplicate component ids across entries', async () => {
  const { author } = await createContent();
  const other = await client.create('authors', { name: 'Bea', address: { city: 'York' } });
  const address: { id: number } = (await collection('authors').findOne({ _id: author }))?.['address'];
  await collection('authors').updateOne({ _id: other }, { $set: { 'address.id': address.id } });
  expect(await breaches()).toEqual([`authors ${other} address.${address.id}: has the id of another shared.address`]);
});

test('check-data reports a second entry of a single type in the same locale', async () => {
  await createContent();
  const [one = 0] = await collection('settings').distinct('_id');
  const counters = client.service.database.db.collection<{ _id: string }>('_counters');
  await counters.updateOne({ _id: 'api::setting.setting' }, { $set: { id: one + 1 } });
  await counters.updateOne({ _id: 'api::homepage.homepage' }, { $set: { id: 3 } }, { upsert: true });
  await collection('settings').insertOne({ _id: one + 1, siteName: 'Second' });
  await collection('homepages').insertMany([
    { _id: 1, title: 'One', locale: 'en', localizations: [2], _rank: { localizations: ['de'] } },
    { _id: 2, title: 'Eins', locale: 'de', localizations: [1], _rank: { localizations: ['en'] } },
    { _id: 3, title: 'Zwei', locale: 'de' },
  ]);
  expect(await breaches()).toEqual([
    'homepages 3: is one entry too many in the locale de: the single type has 2',
    `settings ${one + 1}: is one entry too many: the single type has ${one}`,
  ]);
});

test('check-data reports localizations that are not linked to each other or differ in shared values', async () => {
  const counters = client.service.database.db.collection<{ _id: string }>('_counters');
  await counters.updateOne({ _id: 'api::category.category' }, { $max: { id: 4 } }, { upsert: true });
  await collection('categories').insertMany([
    { _id: 1, name: 'One', position: 1, locale: 'en', localizations: [2, 3], _rank: { localizations: ['fr', 'en'] } },
    { _id: 2, name: 'Eins', position: 2, locale: 'de', localizations: [1] },
    { _id: 3, name: 'Uno', position: 1, locale: 'en' },
    { _id: 4, name: 'None' },
  ]);
  expect(await breaches()).toEqual([
    'categories 1 _rank.localizations: contains "fr" for 2, whose locale is "de"',
    'categories 1 position: differs from its value in 2, a localization',
    'categories 1 localizations: refers to 3, which does not refer back',
    'categories 1 localizations: refers to 3, which has the same locale',
    'categories 2 _rank.localizations: must be a list of locales, one per localization',
    'categories 2 localizations: lacks 3, to which 1 refers',
    'categories 2 position: differs from its value in 1, a localization',
    'categories 4 locale: must be the code of a locale, is absent',
  ]);
});

test('check-data reports missing and different indexes', async () => {
  await createContent();
  const { database, registry } = client.service;
  const tags = collection('tags');
  try {
    await tags.dropIndex('cs_unique_name');
    expect(await breaches()).toEqual([
      'tags index cs_unique_name: is missing: the next start of the service creates it',
    ]);
    await tags.createIndex({ name: 1 }, { name: 'cs_unique_name' });
    expect(await breaches()).toEqual([
      'tags index cs_unique_name: is different: drop it, and the next start creates it',
    ]);
  } finally {
    await tags.dropIndex('cs_unique_name').catch(() => undefined);
    await openStore(database.db, { timeout: 60_000, exclusive: true }).prepare(registry);
  }
  expect(await breaches()).toEqual([]);
});

test('check-data reports a transaction that is unfinished for more than a minute', async () => {
  // The service, which would end it at its next sweep, does not know this database.
  const { db, client: connection } = client.service.database;
  const other = connection.db(`${db.databaseName}_b`);
  const transactions = other.collection<{ _id: string; at: Date; state: string }>('_transactions');
  await transactions.insertMany([
    { _id: 'old', at: new Date('2024-01-01'), state: 'open' },
    { _id: 'undone', at: new Date('2024-01-01'), state: 'aborted' },
    { _id: 'young', at: new Date(), state: 'open' },
  ]);
  expect((await check(other)).breaches).toEqual([
    '_transactions old: was left unfinished at 2024-01-01T00:00:00.000Z: the next start of the service ends it',
  ]);
  await other.dropDatabase();
});

test('check-data notes collections without a content type', async () => {
  const { database, registry } = client.service;
  await createContent();
  // A plugin that another test switched on may have one in this database.
  const before = await findUnknownCollections(database.db, registry);
  await collection('leftovers').insertOne({ _id: 1 });
  expect(await findUnknownCollections(database.db, registry)).toEqual([...before, 'leftovers'].toSorted());
  expect(await breaches()).toEqual([]);
});

test('check-data checks more entries than one batch with few commands', async () => {
  const { database } = client.service;
  const author = await create('authors', { name: 'Ada' });
  const ids = Array.from({ length: 2500 }, (_, index) => index + 1);
  const plain = { locale: 'en', _live: 1, publishedAt: new Date(0), author, _rank: { author: 1 } };
  const articles = ids.map((_id) => ({ _id, ...plain }));
  await database.db
    .collection<{ _id: string }>('_counters')
    .updateOne({ _id: 'api::article.article' }, { $set: { id: 2500 } }, { upsert: true });
  await collection('articles').insertMany(articles);
  await collection('articles').updateOne({ _id: 2500 }, { $set: { author: author + 1 } });
  let commands = 0;
  const note = (): void => void (commands += 1);
  database.client.on('commandStarted', note);
  const found = await check();
  database.client.off('commandStarted', note);
  expect(found).toEqual({
    entries: 2502,
    breaches: [`articles 2500 author: refers to api::author.author ${author + 1}, which does not exist`],
  });
  expect(commands).toBeGreaterThan(3);
  expect(commands).toBeLessThan(80);
});
