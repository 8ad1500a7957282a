import { article, authors, categories, tags } from './world.mjs';

const batchSize = 1000;
/** Components of each kind in an article. */
const perArticle = { seo: 1, link: 2, text: 1, quote: 1, promo: 1 };

/** Fills a new database with the world as a hand-written program would store it. */
export async function seedForLimit(db, count) {
  await db.dropDatabase();
  await insert(db.collection('authors'), authors().map(withId));
  await insert(db.collection('categories'), categories().map(withId));
  await insert(db.collection('tags'), tags().map(withId));
  await insert(db.collection('articles'), everyArticle(count, limitArticle));
  await db.collection('counters').insertOne({ _id: 'articles', last: count });
  await db.collection('authors').createIndex({ name: 1 });
  await db
    .collection('articles')
    .createIndexes([
      { key: { live: 1, _id: 1 } },
      { key: { live: 1, kind: 1, views: -1, _id: 1 } },
      { key: { live: 1, views: -1 } },
      { key: { live: 1, author: 1, _id: 1 } },
      { key: { slug: 1 }, unique: true },
    ]);
}

/**
 * Fills a new database with the world as the service stores it; the service makes its indexes itself.
 * @param locales each article is in all of them; none: articles are not localized
 */
export async function seedForService(db, count, locales = []) {
  await db.dropDatabase();
  const ranks = { article: 0, category: 0 };
  const ranked = (category) =>
    category.parent === undefined ? category : { ...category, _rank: { parent: ++ranks.category } };
  const linked = (entry) => {
    const [author, category] = [++ranks.article, ++ranks.article];
    return { ...entry, _rank: { author, category, tags: entry.tags.map(() => ++ranks.article) } };
  };
  await insert(db.collection('authors'), authors().map(withId));
  await insert(db.collection('categories'), categories().map(withId).map(ranked));
  await insert(db.collection('tags'), tags().map(withId));
  const make = (one) => linked(serviceArticle(one));
  const localized = locales.length > 0;
  const stored = localized ? everyLocalization(count, locales, make) : everyArticle(count, make);
  await insert(db.collection('articles'), stored);
  const total = count * (localized ? locales.length : 1);
  const components = Object.entries(perArticle).map(([name, many]) => [`bench/${name}`, many * total]);
  await db.collection('_counters').insertMany([
    { _id: 'api::author.author', id: authors().length, rank: 0 },
    { _id: 'api::category.category', id: categories().length, rank: ranks.category },
    { _id: 'api::tag.tag', id: tags().length, rank: 0 },
    { _id: 'api::article.article', id: total, rank: ranks.article },
    { _id: 'components', last: Object.fromEntries(components) },
  ]);
}

const withId = ({ id, ...values }) => ({ _id: id, ...values });

function* everyArticle(count, make) {
  for (let id = 1; id <= count; id++) yield make(article(id));
}

/** Localizations of an article lie side by side, as they do where editors translate what they wrote. */
function* everyLocalization(count, locales, make) {
  for (let id = 1; id <= count; id++) {
    const group = locales.map((locale, index) => ({ id: (id - 1) * locales.length + index + 1, locale }));
    for (const one of group) {
      const others = group.filter((other) => other !== one);
      const made = make({ ...article(id), id: one.id, slug: `${article(id).slug}-${one.locale}` });
      const { _id, _live, _rank, ...stored } = made;
      yield {
        _id,
        _live,
        locale: one.locale,
        ...stored,
        _rank: { ..._rank, localizations: others.map(({ locale }) => locale) },
        localizations: others.map((other) => other.id),
      };
    }
  }
}

/** Both shapes give components the same ids, so that answers can be compared whole. */
const numberComponents = ({ id, seo, links, blocks, ...entry }) => ({
  _id: id,
  ...entry,
  seo: { id, ...seo },
  links: links.map((link, index) => ({ id: (id - 1) * links.length + index + 1, ...link })),
  blocks: blocks.map(({ component: name, ...values }) => ({ __component: `bench.${name}`, id, ...values })),
});

const limitArticle = (entry) => ({ ...numberComponents(entry), live: 1 });

function serviceArticle(entry) {
  const { _id, ...stored } = numberComponents(entry);
  const references = stored.blocks
    .filter(({ source }) => source !== undefined)
    .map(({ id, source }) => ({ a: `blocks.bench.quote:${id}.source`, r: `api::author.author:${source}` }));
  return { _id, _live: 1, ...stored, _refs: references };
}

async function insert(collection, documents) {
  let batch = [];
  const flush = async () => {
    if (batch.length > 0) await collection.insertMany(batch, { ordered: false });
    batch = [];
  };
  for (const document of documents) {
    batch.push(document);
    if (batch.length === batchSize) await flush();
  }
  await flush();
}
