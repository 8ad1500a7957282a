/**
 * Measures the service beside a hand-written program that answers the same: `npm run bench`, see
 * docs/internals/benchmarks.md. Runs on the database of MONGODB_URI, in databases of its own that it removes, else on
 * the embedded engine.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { drawBars, drawLines } from './benchmarks/charts.mjs';
import { checkAnswers, checkStorage } from './benchmarks/check.mjs';
import { signUp, startEngine, startLimit, startLoad, startService, startTogether } from './benchmarks/children.mjs';
import {
  codeColumns,
  depthColumns,
  growthColumns,
  localeColumns,
  longColumns,
  memoryColumns,
  sortColumns,
  speedColumns,
  startInTurnsColumns,
  startColumns,
  totalCpu,
  uploadColumns,
} from './benchmarks/columns.mjs';
import { measureCode } from './benchmarks/code.mjs';
import { childrenOf } from './benchmarks/cost.mjs';
import { measureDepth } from './benchmarks/depth.mjs';
import { openFolders } from './benchmarks/folders.mjs';
import { growthDatabase, measureGrowth } from './benchmarks/growth.mjs';
import { checkSizes, localizeContentTypes } from './benchmarks/localized.mjs';
import { measureLong, seedLong } from './benchmarks/long.mjs';
import { meansOf, measure } from './benchmarks/measure.mjs';
import { measureMemory, seedDataFolder } from './benchmarks/memory.mjs';
import { readOptions } from './benchmarks/options.mjs';
import { seedForLimit, seedForService } from './benchmarks/seed.mjs';
import { measureCodeStarts, measureMcpStarts } from './benchmarks/code-start.mjs';
import { measureStarts } from './benchmarks/start.mjs';
import { measureSorts } from './benchmarks/sorts.mjs';
import { fillIn, formatTable } from './benchmarks/table.mjs';
import { giveShares } from './benchmarks/share.mjs';
import { measureUploads, uploads } from './benchmarks/uploads.mjs';
import { workloads } from './benchmarks/workloads.mjs';

await import('./setup.mjs');

const databases = {
  service: 'content_service_bench',
  limit: 'content_service_bench_limit',
  against: 'content_service_bench_against',
  localized: 'content_service_bench_localized',
};
/** Of a workload, for each process. */
const warmRequests = 4000;
const docs = path.resolve(import.meta.dirname, '../docs');

/** By their flags; otherwise the speed is measured. */
const modes = {
  memory: benchMemory,
  growth: benchGrowth,
  depth: benchDepth,
  sorts: benchSorts,
  code: benchCode,
  cluster: benchCluster,
  cache: benchCache,
  authorized: benchAuthorized,
  locales: benchLocales,
  tags: benchTags,
  uploads: benchUploads,
  long: benchLong,
  start: benchStart,
  'code-start': () => benchStartsInTurns('code-start', measureCodeStarts),
  'mcp-start': () => benchStartsInTurns('mcp-start', measureMcpStarts),
};

const options = readOptions(Object.keys(modes));
const makeFolder = openFolders('content-service-bench-');

const load = startLoad();
const own = process.env.MONGODB_URI ? undefined : await startEngine(makeFolder('engine'));
const uri = own?.uri ?? process.env.MONGODB_URI;
const client = await new MongoClient(uri).connect();
const tools = { load, client, databasePid: own?.pid };
try {
  const mode = Object.keys(modes).find((name) => options[name]);
  await (modes[mode] ?? benchSpeed)();
} finally {
  for (const name of [...Object.values(databases), ...options.sizes.map(growthDatabase)])
    await client.db(name).dropDatabase();
  await client.close();
  await load.stop();
  await own?.stop();
}

async function benchSpeed() {
  say(`Seeding ${options.count} articles…`);
  await seedForLimit(client.db(databases.limit), options.count);
  await seedForService(client.db(databases.service), options.count);
  if (options.against !== undefined) await seedForService(client.db(databases.against), options.count);
  const rows = await measureFresh(startInTurn(starters()), options.only, 'hand-written', check);
  report('benchmark', `${await describeRun()}\n\n${formatTable(speedColumns, rows)}`);
  const bars = rows
    .filter(({ name }) => name === 'service')
    .map(({ workload, rate, limit }) => ({
      label: workload,
      value: rate / limit.rate,
      text: `${(rate / limit.rate).toFixed(2)} · ${rate.toFixed(0)}/s`,
    }));
  draw(
    'throughput.svg',
    drawBars('Requests per second, beside those of a program written by hand', bars, [0, 0.25, 0.5, 0.75, 1]),
  );
}

/** Measures workloads on systems, each beside the one with the name `limit`, and stops these. */
async function measureAll(systems, names, limitName) {
  const rows = [];
  for (const name of names) {
    const measured = await measure(name, systems, tools, options);
    const limit = measured.find((row) => row.name === limitName);
    rows.push(...measured.map((row) => ({ ...row, workload: name, limit })));
    say(`${name}: ${measured.map((row) => `${row.name} ${row.rate.toFixed(0)}/s`).join(', ')}`);
  }
  // Several can be callers of the same service.
  for (const stop of new Set(systems.map((system) => system.stop))) await stop();
  return rows;
}

/**
 * Measures workloads on systems that are started as often as `--starts` says: two processes of one build differ by
 * several percent.
 * @param startAll gets the number of the start
 */
async function measureFresh(startAll, names, limitName, prepare = async () => {}) {
  const rows = [];
  for (let start = 0; start < options.starts; start++) {
    const systems = await startAll(start);
    // What it writes is there in further starts.
    if (start === 0) await prepare(systems);
    rows.push(...(await measureAll(systems, names, limitName)));
  }
  return meansOf(rows, limitName);
}

/** Starts one after the other, each time another one first: those that start later are faster. */
function startInTurn(starters) {
  return async (start) => {
    const systems = [];
    for (const startOne of rotated(starters, start)) systems.push(await startOne());
    return systems;
  };
}

function rotated(list, by) {
  const first = by % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}

/** One locale of three beside a type without locales that has as many entries as one of them. */
async function benchLocales() {
  const locales = ['en', 'fr', 'de'];
  say(`Seeding ${options.count} articles, and the same in ${locales.join(', ')}…`);
  await seedForService(client.db(databases.service), options.count);
  await seedForService(client.db(databases.localized), options.count, locales);
  const contentTypes = localizeContentTypes(makeFolder('content-types'), locales);
  const systems = [
    () => startSystem('no locales'),
    // Same settings as the first: how far these two differ is the noise.
    () => startSystem('the same again'),
    () => startSystem('one of three', { DATABASE_NAME: databases.localized, CONTENT_TYPES: contentTypes }),
  ];
  const lists = options.only.filter((name) => workloads[name].counts);
  const checkAll = async (started) => {
    for (const name of lists) await checkSizes(name, started);
    say('Both return the same number of entries.');
  };
  const rows = await measureFresh(startInTurn(systems), lists, 'no locales', checkAll);
  report('locales', `${await describeRun()}\n\n${formatTable(localeColumns, rows)}`);
}

/**
 * Public reads with tags for caches in front of the service, beside those without. The response cache is on, and too
 * small for any response.
 */
async function benchTags() {
  say(`Seeding ${options.count} articles…`);
  await seedForService(client.db(databases.service), options.count);
  const environment = {
    MONGODB_URI: uri,
    DATABASE_NAME: databases.service,
    RESPONSE_CACHE: '1kb',
    CACHE_CONTROL: 'public, s-maxage=31536000',
  };
  const systems = [
    ['no tags', environment],
    ['tags', { ...environment, CACHE_TAGS: 'true' }],
    // Same settings as the first: how far these two differ is the noise.
    ['the same again', environment],
  ];
  const startAll = async (start) => {
    const started = await startTogether(Object.fromEntries(rotated(systems, start)), makeFolder('tags'));
    return started.map((system) => ({ ...system, requests: requestsOf('service'), headers: {} }));
  };
  const reads = options.only.filter((name) => !workloads[name].writes);
  const rows = await measureFresh(startAll, reads, 'no tags');
  report('tags', `${await describeRun()}\n\n${formatTable(localeColumns, rows)}`);
}

/** The cost of authentication: the same service with requests of different callers. */
async function benchAuthorized() {
  say(`Seeding ${options.count} articles…`);
  await seedForService(client.db(databases.service), options.count);
  const service = await startSystem('service');
  const callers = [
    { ...service, name: 'public', headers: {} },
    { ...service, name: 'JSON web token', headers: await signUp(service.url) },
    { ...service, name: 'API token' },
  ];
  const reads = options.only.filter((name) => !workloads[name].writes);
  const rows = await measureAll(callers, reads, 'public');
  report('authorized', `${await describeRun()}\n\n${formatTable(speedColumns, rows)}`);
}

/** The service beside itself with other settings. */
async function benchSettings(marker, settings) {
  say(`Seeding ${options.count} articles…`);
  await seedForService(client.db(databases.service), options.count);
  const systems = [];
  for (const [name, environment] of Object.entries(settings)) systems.push(await startSystem(name, environment));
  // The other processes of a cluster start when the first one serves.
  await wait(5000);
  const release = options.share === undefined ? [] : await holdBack(systems);
  const rows = await measureAll(systems, options.only, systems[0].name);
  for (const remove of release) remove();
  report(marker, `${await describeRun()}\n\n${formatTable(speedColumns, rows)}`);
}

/**
 * Gives each process its share of a core, once its code is compiled: that would be most of what is measured.
 * @returns what removes the limits when the processes have ended
 */
async function holdBack(systems) {
  const { connections, only, share } = options;
  for (const { url, headers, requests, pid } of systems) {
    const amount = warmRequests * Math.max(1, childrenOf(pid).length);
    for (const name of only) await load.run({ url, headers, requests: requests[name], connections, amount });
  }
  return systems.flatMap(({ pid }) => giveShares(pid, share));
}

function benchCache() {
  return benchSettings('cache', { reads: { RESPONSE_CACHE: '0' }, remembers: { RESPONSE_CACHE: '64mb' } });
}

function benchCluster() {
  const settings = options.processes.map((n) => [n === 1 ? '1 process' : `${n} processes`, { CLUSTER: String(n) }]);
  return benchSettings('cluster', Object.fromEntries(settings));
}

function starters() {
  const other = options.against;
  const forLimit = { MONGODB_URI: uri, DATABASE_NAME: databases.limit };
  return [
    () => startSystem('service'),
    ...(other === undefined ? [] : [() => startSystem('against', { DATABASE_NAME: databases.against }, other)]),
    async () => ({
      name: 'hand-written',
      requests: requestsOf('limit'),
      ...(await startLimit(forLimit, makeFolder('limit'))),
    }),
  ];
}

/**
 * Starts the service on the seeded database, unless the environment names another.
 * @param checkout see `startService`
 */
async function startSystem(name, environment, checkout) {
  const whole = { MONGODB_URI: uri, DATABASE_NAME: databases.service, ...environment };
  return { name, requests: requestsOf('service'), ...(await startService(whole, makeFolder(name), checkout)) };
}

function requestsOf(kind) {
  return Object.fromEntries(Object.entries(workloads).map(([name, workload]) => [name, workload[kind](options.count)]));
}

/** What is measured, and what a write stores. Reads first: what is written changes what they find. */
async function check(systems) {
  for (const [name, workload] of Object.entries(workloads)) {
    if (!options.only.includes(name) && !workload.writes) continue;
    await checkAnswers(name, workload, systems);
  }
  await checkStorage(client.db(databases.service).collection('articles'));
  say('All systems return the same responses.');
}

async function benchMemory() {
  say(`Seeding ${options.count} articles…`);
  await seedForService(client.db(databases.service), options.count);
  await seedDataFolder(makeFolder('own'), databases.service, (db) => seedForService(db, options.count));
  const embedded = { DATABASE: 'embedded', MONGODB_URI: '', DATABASE_NAME: databases.service };
  const remote = { MONGODB_URI: uri, DATABASE_NAME: databases.service };
  const rows = [
    await measureMemory('embedded engine', embedded, makeFolder('own'), load, options),
    await measureMemory('external MongoDB', remote, makeFolder('service'), load, options),
  ];
  report('memory', `${await describeRun()}\n\n${formatTable(memoryColumns, rows)}`);
}

async function benchGrowth() {
  const sizes = options.sizes.join(', ');
  say(`Seeding ${sizes} articles…`);
  const rows = await measureGrowth(client, uri, makeFolder, tools, options);
  report('growth', `${await describeRun(sizes)}\n\n${formatTable(growthColumns, rows)}`);
  const series = [...new Set(rows.map(({ workload }) => workload))].map((name) => ({
    name,
    points: rows.filter(({ workload }) => workload === name).map((row) => ({ x: row.count, y: totalCpu(row) })),
  }));
  draw('growth.svg', drawLines('Milliseconds of processor time for an answer, by the number of articles', series));
}

async function benchDepth() {
  const count = options.sizes.at(-1);
  say(`Seeding ${count} articles…`);
  const rows = await measureDepth(client, uri, makeFolder, tools, options);
  report('depth', `${await describeRun(count)}\n\n${formatTable(depthColumns, rows)}`);
}

async function benchSorts() {
  const count = options.sizes.at(-1);
  say(`Seeding ${count} articles…`);
  const rows = await measureSorts(client, uri, makeFolder, tools, options);
  report('sorts', `${await describeRun(count)}\n\n${formatTable(sortColumns, rows)}`);
}

async function benchCode() {
  const [count] = options.sizes;
  say(`Seeding ${count} articles…`);
  const rows = await measureCode(client, uri, makeFolder, tools, options);
  report('code', `${await describeRun(count)}\n\n${formatTable(codeColumns, rows)}`);
}

async function benchUploads() {
  const rows = [];
  for (const { provider, what } of uploads) {
    const remote = { MONGODB_URI: uri, DATABASE_NAME: databases.service };
    rows.push(await measureUploads(provider, what, remote, makeFolder(`${provider} ${what}`), options.connections));
    await client.db(databases.service).dropDatabase();
    const { name, start, most } = rows.at(-1);
    say(`${name}: from ${start.toFixed(0)} to ${most.toFixed(0)} MB`);
  }
  report('uploads', `${await describeRun()}\n\n${formatTable(uploadColumns, rows)}`);
}

async function benchLong() {
  say('Seeding 100 long articles…');
  await seedLong(client.db(databases.service));
  const environment = { MONGODB_URI: uri, DATABASE_NAME: databases.service };
  const rows = [];
  for (const connections of new Set([1, options.connections])) {
    rows.push(...(await measureLong(environment, makeFolder, connections)));
  }
  report('long', `${await describeRun()}\n\n${formatTable(longColumns, rows)}`);
}

async function benchStart() {
  const { rounds } = options;
  const name = databases.service;
  const rows = await measureStarts({ uri, name, client, makeFolder, rounds });
  report('start', `${await describeMachine()}; median of ${rounds}; ${today()}.\n\n${formatTable(startColumns, rows)}`);
}

async function benchStartsInTurns(name, measure) {
  const { rounds } = options;
  const rows = await measure({ makeFolder, rounds });
  const table = formatTable(startInTurnsColumns, rows);
  report(name, `${await describeMachine()}; median of ${rounds}; ${today()}.\n\n${table}`);
}

function report(name, text) {
  console.log(`\n${text}`);
  if (options.markdown && !fillIn(path.join(docs, 'internals/benchmarks.md'), name, text))
    say(`docs/internals/benchmarks.md has no place for "${name}": it was not written there`);
}

function draw(file, chart) {
  if (options.markdown) fs.writeFileSync(path.join(docs, file), chart);
}

function today() {
  return new Date().toISOString().slice(0, 10);
}

async function describeMachine() {
  const { version, modules = [] } = await client.db('admin').command({ buildInfo: 1 });
  const engine = modules.includes('embedded') ? `embedded engine ${version}` : `MongoDB ${version}`;
  const model = os.cpus()[0]?.model ?? 'unknown processor';
  return `${os.availableParallelism()} cores of ${model.trim()}, Node ${process.versions.node}, ${engine}`;
}

async function describeRun(count = options.count) {
  const machine = await describeMachine();
  const { connections, rounds, seconds } = options;
  const how = options.memory || options.uploads || options.long ? '' : `, median of ${rounds} × ${seconds} s`;
  const articles = options.uploads || options.long ? '' : `${count} articles, `;
  return `${machine}; ${articles}${connections} connections${how}; ${today()}.`;
}

function say(text) {
  console.error(text);
}
