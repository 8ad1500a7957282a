/**
 * The hand-written limit: what a program that knows its data can reach with node:http and the driver alone, with the
 * service's promises on writes. Reads need one command (two by author's name), related entries come once per page. It
 * checks no input and serves nothing else. It remembers totals until its own next write.
 * Environment: MONGODB_URI, DATABASE_NAME.
 */
import http from 'node:http';
import { MongoClient } from 'mongodb';

const { MONGODB_URI = '', DATABASE_NAME = '' } = process.env;
const client = await new MongoClient(MONGODB_URI, {
  enableUtf8Validation: false,
  writeConcern: { w: 1, journal: true },
}).connect();
const db = client.db(DATABASE_NAME);
const articles = db.collection('articles');

const live = { live: 1 };
const names = ['title', 'slug', 'body', 'kind', 'views', 'rating', 'createdAt', 'updatedAt', 'publishedAt'];
const flat = Object.fromEntries(names.map((name) => [name, 1]));
const related = { ...flat, author: 1, category: 1, tags: 1 };
const deep = { ...related, seo: 1, links: 1, blocks: 1 };

const routes = {
  '/one': async (query) => ({
    data: entry(await articles.findOne({ _id: +query.get('id') }, { projection: flat })),
    meta: {},
  }),
  '/list': (query) => list(live, { start: +query.get('start'), limit: 25 }, findFlat),
  '/filtered': (query) => {
    const views = { $gte: +query.get('from'), $lt: +query.get('to') };
    const filter = { live: 1, kind: query.get('kind'), views };
    return list(filter, { start: 0, limit: 25, sort: { views: -1, _id: 1 } }, findFlat);
  },
  '/related': (query) => list(live, { start: +query.get('start'), limit: 25 }, findRelated),
  '/deep': (query) => list(live, { start: +query.get('start'), limit: 10 }, findDeep),
  '/by-author': async (query) => {
    const name = query.get('eq') ?? { $regex: query.get('contains') };
    const found = await db
      .collection('authors')
      .find({ name }, { projection: { _id: 1 } })
      .toArray();
    const filter = { live: 1, author: { $in: found.map(({ _id }) => _id) } };
    return list(filter, { start: 0, limit: 25 }, findFlat);
  },
  '/create': async (_, request) => ({ data: await create((await readJson(request)).data), meta: {} }),
};

async function list(filter, { start, limit, sort = { _id: 1 } }, find) {
  const [data, total] = await Promise.all([find(filter, { start, limit, sort }), countLive(filter)]);
  return { data, meta: { pagination: { start, limit, total } } };
}

const totals = new Map();
async function countLive(query) {
  const key = JSON.stringify(query);
  const cached = totals.get(key);
  if (cached !== undefined) return cached;
  const { n } = await db.command({ count: 'articles', query });
  totals.set(key, n);
  return n;
}

async function findFlat(filter, { start, limit, sort }) {
  const found = await articles.find(filter, { sort, skip: start, limit, projection: flat, batchSize: 100 }).toArray();
  return found.map(entry);
}

const lookUp = (from, localField, as) => ({ $lookup: { from, localField, foreignField: '_id', as } });
const groupPage = { $group: { _id: null, page: { $push: '$$ROOT' } } };
const lookUpRelated = [
  groupPage,
  lookUp('authors', 'page.author', 'authors'),
  lookUp('categories', 'page.category', 'categories'),
  lookUp('tags', 'page.tags', 'tags'),
];
const lookUpDeep = [
  ...lookUpRelated,
  lookUp('categories', 'categories.parent', 'parents'),
  lookUp('authors', 'page.blocks.source', 'sources'),
];

async function findPage(filter, { start, limit, sort }, project, stages) {
  const slice = [{ $match: filter }, { $sort: sort }, { $skip: start }, { $limit: limit }, { $project: project }];
  const [found] = await articles.aggregate([...slice, ...stages]).toArray();
  return found ?? { page: [], authors: [], categories: [], tags: [], parents: [], sources: [] };
}

async function findRelated(filter, slice) {
  const { page, ...found } = await findPage(filter, slice, related, lookUpRelated);
  const [authors, tags] = [entriesById(found.authors), entriesById(found.tags)];
  const categories = entriesById(found.categories, withoutParent);
  return page.map(({ author, category, tags: ids, ...values }) =>
    entry({ ...values, ...link(authors.get(author), categories.get(category), ids, tags) }),
  );
}

async function findDeep(filter, slice) {
  const { page, ...found } = await findPage(filter, slice, deep, lookUpDeep);
  const [authors, tags] = [entriesById(found.authors), entriesById(found.tags)];
  const sources = entriesById(found.sources);
  const parents = entriesById(found.parents, withoutParent);
  const categories = entriesById(found.categories, ({ parent, ...category }) =>
    entry({ ...category, parent: { data: parents.get(parent) ?? null } }),
  );
  return page.map(({ author, category, tags: ids, blocks, ...values }) =>
    entry({
      ...values,
      ...link(authors.get(author), categories.get(category), ids, tags),
      blocks: blocks.map((block) =>
        block.source === undefined ? block : { ...block, source: { data: sources.get(block.source) ?? null } },
      ),
    }),
  );
}

const entry = ({ _id, ...attributes }) => ({ id: _id, attributes });
const withoutParent = ({ parent: _parent, ...category }) => entry(category);
const entriesById = (documents, make = entry) => {
  const entries = new Map();
  for (const document of documents) {
    const one = make(document);
    entries.set(one.id, one);
  }
  return entries;
};
const link = (author = null, category = null, ids = [], tags = new Map()) => ({
  author: { data: author },
  category: { data: category },
  tags: { data: ids.map((id) => tags.get(id)) },
});

/** Related entries must exist, ids come from a counter: four commands side by side, then the insert. */
async function create(data) {
  totals.clear();
  const people = new Set([data.author, ...data.blocks.flatMap(({ source }) => source ?? [])]);
  const { id, ...found } = await reserveAndCount(people, data);
  if (found.authors < people.size || found.categories < 1 || found.tags < data.tags.length)
    throw new Error('No such entry');
  const now = new Date();
  const document = {
    ...data,
    seo: { id, ...data.seo },
    links: data.links.map((one, index) => ({ id: 2 * id + index, ...one })),
    blocks: data.blocks.map((one) => ({ id, ...one })),
    live: 1,
    createdAt: now,
    updatedAt: now,
    publishedAt: now,
  };
  await articles.insertOne({ _id: id, ...document });
  totals.clear();
  return { id, attributes: Object.fromEntries(names.map((name) => [name, document[name]])) };
}

async function reserveAndCount(people, { category, tags }) {
  const count = async (collection, ids) => (await db.command({ count: collection, query: { _id: { $in: ids } } })).n;
  const [counter, foundAuthors, foundCategories, foundTags] = await Promise.all([
    db.collection('counters').findOneAndUpdate({ _id: 'articles' }, { $inc: { last: 1 } }, { returnDocument: 'after' }),
    count('authors', [...people]),
    count('categories', [category]),
    count('tags', tags),
  ]);
  return { id: counter.last, authors: foundAuthors, categories: foundCategories, tags: foundTags };
}

async function readJson(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

async function respond(request, response) {
  try {
    const [path, query] = request.url.split('?');
    const text = JSON.stringify(await routes[path](new URLSearchParams(query), request));
    const length = Buffer.byteLength(text);
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': length });
    response.end(text);
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
}

const server = http.createServer((request, response) => void respond(request, response));
server.listen(0, '127.0.0.1', () => console.log(`Ready on http://127.0.0.1:${server.address().port}`));
// The benchmark is gone.
process.stdin.resume().on('end', () => process.exit());
