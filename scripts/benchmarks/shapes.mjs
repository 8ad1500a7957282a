// node scripts/benchmarks/shapes.mjs [sizes] [url]: 42 shapes of queries, one at a time; the best of four, in
// milliseconds. With a URL, another server answers that has the same world, such as Strapi.
import { MongoClient } from 'mongodb';
import { startEngine, startService } from './children.mjs';
import { openFolders } from './folders.mjs';
import { seedForService } from './seed.mjs';
import { authorName, tagName } from './world.mjs';

const [sizes = '10000', url] = process.argv.slice(2);
const TIMES = 4;
/** Milliseconds after which a shape is asked no more. */
const TOO_LONG = 8000;

const author = authorName(7);
const list = (type) => (parameters) => `/api/${type}?${parameters}`;
const [articles, authors, categories, tags] = ['articles', 'authors', 'categories', 'tags'].map(list);
const graphql = (query) => `/graphql?query=${query}`;

const shapes = {
  'one entry': '/api/articles/77',
  'first page': articles(''),
  'page 300': articles('pagination[page]=300'),
  'sorted by an index': articles('sort=views:desc'),
  'sorted by a number': articles('sort=rating'),
  'sorted by a text': articles('sort=title'),
  'sorted by a relation': articles('sort=author.name'),
  'sorted by a relation, no total': articles('sort=author.name&pagination[withCount]=false'),
  'sorted by a relation of a relation': articles('sort=category.parent.name'),
  'sorted by a component': articles('sort=seo.metaTitle'),
  'text contains': articles('filters[title][$contains]=amber'),
  'text contains, any case': articles('filters[title][$containsi]=AMBER'),
  'long text contains': articles('filters[body][$contains]=zephyr'),
  search: articles('_q=zephyr'),
  'search without a hit': articles('_q=nowhere'),
  'filtered by a relation': articles(`filters[author][name]=${author}`),
  'filtered by a relation, not': articles(`filters[author][name][$ne]=${author}`),
  'filtered by a list': articles('filters[tags][name][$startsWith]=amber'),
  'filtered by a list, not': articles(`filters[tags][name][$ne]=${tagName(32)}`),
  'filtered by a relation of a relation': articles('filters[category][parent][name]=Category 1'),
  'filtered by a component': articles('filters[seo][metaTitle][$startsWith]=a'),
  'filtered by a list of components': articles('filters[links][label][$contains]=amber'),
  'filtered from the other side': authors('filters[articles][views][$gt]=1000'),
  'filtered from the other side, two steps': authors(`filters[articles][tags][name]=${tagName(32)}`),
  'filtered from the other side, by an author': tags(`filters[articles][author][name]=${author}`),
  'filtered by one or another relation': articles(
    `filters[$or][0][author][name]=${author}&filters[$or][1][category][name]=Category 3`,
  ),
  'no relation': articles('filters[author][id][$null]=true'),
  'no relation of a relation': articles('filters[category][parent][id][$null]=true'),
  'populate all': articles('populate=*'),
  'populate the other side of a relation, five': articles(
    'populate[author][populate][articles][limit]=5&pagination[pageSize]=5',
  ),
  'populate the other side of a relation': articles('populate[author][populate]=articles&pagination[pageSize]=5'),
  'populate the other side': authors('populate=articles&pagination[pageSize]=5'),
  'populate ids of the other side': authors('populate[articles][fields]=id'),
  'populate the other side, three by views': authors('populate[articles][sort]=views:desc&populate[articles][limit]=3'),
  'populate the other side of children, two': categories('populate[children][populate][articles][limit]=2'),
  'populate the other side of a list, three': tags('populate[articles][limit]=3'),
  'one entry with ids of the other side': '/api/authors/1?populate[articles][fields]=id',
  'GraphQL: first page': graphql('{articles{data{id attributes{title}}}}'),
  'GraphQL: the other side, three': graphql(
    '{authors{data{attributes{name articles(pagination:{limit:3}){data{id}}}}}}',
  ),
  'GraphQL: the other side of a list, three by views': graphql(
    '{tags{data{attributes{name articles(pagination:{limit:3},sort:"views:desc"){data{id attributes{author{data{attributes{name}}}}}}}}}}',
  ),
  'GraphQL: a total': graphql('{articles{meta{pagination{total}}}}'),
  'GraphQL: a total of a filter': graphql('{articles(filters:{title:{contains:"amber"}}){meta{pagination{total}}}}'),
};

/** The best time of each shape in milliseconds; a text says why there is none. */
async function askAll(base, headers) {
  const best = {};
  for (const [title, path] of Object.entries(shapes)) {
    const times = [];
    while (times.length < TIMES && !(times[0] > TOO_LONG)) {
      const before = performance.now();
      const response = await fetch(base + encodeURI(path), { headers });
      const body = await response.text();
      times.push(performance.now() - before);
      if (!response.ok || body.startsWith('{"errors"')) throw new Error(`${title}: ${response.status} ${body}`);
    }
    best[title] = Math.round(Math.min(...times));
  }
  return best;
}

const columns = {};
if (url !== undefined) columns[url] = await askAll(url, {});
else {
  const makeFolder = openFolders('shapes-');
  const engine = await startEngine(makeFolder('engine'));
  const client = await new MongoClient(engine.uri).connect();
  for (const size of sizes.split(',')) {
    const name = `shapes_${size}`;
    await seedForService(client.db(name), Number(size));
    const settings = { MONGODB_URI: engine.uri, DATABASE_NAME: name, QUERY_TIMEOUT: '60000' };
    const service = await startService(settings, makeFolder(name));
    columns[size] = await askAll(service.url, service.headers);
    await service.stop();
  }
  await client.close();
  await engine.stop();
}
const rows = Object.keys(shapes).map((title) => [
  title,
  Object.fromEntries(Object.entries(columns).map(([name, best]) => [name, best[title]])),
]);
console.table(Object.fromEntries(rows));
