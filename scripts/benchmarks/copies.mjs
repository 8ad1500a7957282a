// node scripts/benchmarks/copies.mjs [rounds] [seconds] [W2,W4]: what working copies of a fifth of the articles cost
// live reads node scripts/benchmarks/copies.mjs examined [entries] [percent]: the index keys and documents that the
// database examines for each node scripts/benchmarks/copies.mjs previews [rounds] [seconds] [entries] [percent]:
// previews, beside those of a type without copies
import fs from 'node:fs';
import path from 'node:path';
import { openBench, startService } from './children.mjs';
import { speedColumns } from './columns.mjs';
import { examine } from './examine.mjs';
import { measure } from './measure.mjs';
import { seedForService } from './seed.mjs';
import { formatTable } from './table.mjs';
import { articles, workloads } from './workloads.mjs';

const args = process.argv.slice(2);
const mode = ['previews', 'examined'].includes(args[0]) ? args.shift() : 'live';
const [rounds, seconds] = mode === 'examined' ? [] : [args.shift() ?? '7', args.shift() ?? '1'];
const names = mode === 'live' ? args.shift()?.split(',') : undefined;
const [count = mode === 'live' ? 10_000 : 200_000, percent = mode === 'live' ? 20 : 1] = args.map(Number);
const BATCH = 1000;

const slice = (page) => `pagination[page]=${page}&pagination[pageSize]=25&pagination[withCount]=false`;
const preview = (query) => [articles(`publicationState=preview&${query}`)];
const previews = {
  'page 1': preview(slice(1)),
  'page 200': preview(slice(200)),
  'by an index': preview(`filters[kind]=news&sort=views:desc&${slice(1)}`),
  'by an index, page 200': preview(`filters[kind]=news&sort=views:desc&${slice(200)}`),
  'no index': preview(`filters[rating][$gt]=2&sort=rating&${slice(1)}`),
  relations: preview(`populate[0]=author&populate[1]=category&populate[2]=tags&${slice(1)}`),
  'through a relation': preview(`filters[author][name]=Alma%20Adler&${slice(1)}`),
};
const live = Object.fromEntries(
  (names ?? Object.keys(workloads)).map((name) => [name, workloads[name].service(count)]),
);
const reads = Object.fromEntries(Object.entries(live).filter(([, [{ body }]]) => body === undefined));
const requests = { live, previews, examined: { ...reads, ...previews } }[mode];

const { makeFolder, load, engine, client, close } = await openBench('copies-');

/** A service whose articles have working copies, or not. */
async function startWith(name, workingCopies) {
  const folder = makeFolder(name);
  fs.cpSync(path.join(import.meta.dirname, 'content-types'), folder, { recursive: true });
  const file = path.join(folder, 'article.json');
  const definition = JSON.parse(fs.readFileSync(file, 'utf8'));
  definition.options.workingCopies = workingCopies;
  fs.writeFileSync(file, JSON.stringify(definition));
  const db = client.db(name);
  await seedForService(db, count);
  const service = await startService({ MONGODB_URI: engine.uri, DATABASE_NAME: name, CONTENT_TYPES: folder }, folder);
  if (workingCopies) await addCopies(db);
  return { ...service, name, requests };
}

async function addCopies(db) {
  const every = Math.round(100 / percent);
  const ids = Array.from({ length: Math.floor(count / every) }, (_, index) => 1 + index * every);
  for (let from = 0; from < ids.length; from += BATCH) {
    const some = { _id: { $in: ids.slice(from, from + BATCH) } };
    const entries = await db.collection('articles').find(some).toArray();
    const copies = entries.map((entry) => ({ ...entry, title: `${entry.title}, changed`, _changes: ['title'] }));
    await db.collection('_copies.articles').insertMany(copies);
    await db.collection('articles').updateMany(some, { $set: { _copied: 1 } });
  }
}

const services = [await startWith('plain', false), await startWith('copied', true)];
if (mode !== 'live') {
  console.log('| keys / documents | plain | copied |');
  for (const [name, all] of Object.entries(requests)) {
    const examined = [];
    for (const service of services) examined.push(await examine(service, all.slice(0, 8)));
    console.log(`| ${name} | ${examined.join(' | ')} |`);
  }
}
const tools = { load, client, databasePid: engine.pid };
const options = { rounds: Number(rounds), seconds: Number(seconds), connections: mode === 'previews' ? 1 : 4 };
const rows = [];
for (const name of mode === 'examined' ? [] : Object.keys(requests)) {
  const measured = await measure(name, services, tools, options);
  rows.push(...measured.map((row) => ({ ...row, workload: name, limit: measured[0] })));
}
if (rows.length > 0) console.log(formatTable(speedColumns, rows));
for (const service of services) await service.stop();
await close();
