/**
 * Measures the service beside Strapi 5 on the same project and data, see docs/internals/benchmarks.md:
 * `node scripts/benchmarks/beside-strapi5.mjs <folder> [rounds] [seconds] [W1,W4]`. The folder has a package.json and
 * the packages of Strapi 5; what is written into it is the project that both run.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { checkAnswers } from './check.mjs';
import { openBench, settingsOf, startProgram, startService } from './children.mjs';
import { totalCpu } from './columns.mjs';
import { memoryOf } from './cost.mjs';
import { measure, medianOf } from './measure.mjs';
import { seedForService } from './seed.mjs';
import { environmentOf, seedApplication, writeApplication } from './strapi5-application.mjs';
import { formatTable } from './table.mjs';
import { workloads } from './workloads.mjs';
import { inStrapi5 } from './workloads5.mjs';

const ENTRIES = 10_000;
const NAME = 'beside_strapi5';
/** Milliseconds after which a process that has just started is looked at. */
const settle = 1000;
const [folder, rounds = '3', seconds = '2', names = Object.keys(workloads).join(',')] = process.argv.slice(2);
const application = path.resolve(folder);

const { makeFolder, load, engine, client, close } = await openBench('beside-strapi5-');
const database = path.join(makeFolder('sqlite'), 'data.db');
writeApplication(application);
console.error(`Seeding ${ENTRIES} articles…`);
const environment = { MONGODB_URI: engine.uri, DATABASE_NAME: NAME, CONTENT_TYPES: application };
await seedForService(client.db(NAME), ENTRIES);
migrate(makeFolder('migrate'));
const documentIds = {
  article: await documentIdsOf('articles'),
  author: await documentIdsOf('authors'),
  category: await documentIdsOf('categories'),
  tag: await documentIdsOf('tags'),
};
seedApplication(application, database, ENTRIES, documentIds);

const starters = {
  'Content Service': (name) => startService(environment, makeFolder(name)),
  'Strapi 5': async () => {
    const command = [process.execPath, 'start.js'];
    const { pid, read, stop } = await startProgram(command, environmentOf(database), application, /Ready on (http\S+)/);
    return { pid, url: read[0], stop };
  },
};
const requests = Object.fromEntries(
  names.split(',').map((name) => [name, inStrapi5(name, workloads[name].service(ENTRIES), documentIds.article)]),
);

const starts = await measureStarts();
const systems = [];
for (const [name, start] of Object.entries(starters))
  systems.push({ name, ...(await start(`serve ${name}`)), headers: {}, requests });
for (const name of names.split(',')) await checkAnswers(name, workloads[name], systems, ['id', 'documentId']);
console.error('Both return the same responses.');

const rows = [];
for (const name of names.split(',')) {
  const options = { rounds: Number(rounds), seconds: Number(seconds), connections: 16 };
  const measured = await measure(name, systems, { load, client, databasePid: engine.pid }, options);
  rows.push(...measured.map((row) => ({ ...row, workload: name, other: measured.at(-1) })));
}
for (const { stop } of systems) await stop();
await close();

const number = (title, digits, read) => ({ title, right: true, value: (row) => read(row).toFixed(digits) });
const { version } = JSON.parse(
  fs.readFileSync(path.join(application, 'node_modules', '@strapi', 'strapi', 'package.json'), 'utf8'),
);
console.log(`Strapi ${version}, SQLite; ${ENTRIES} articles, 16 connections, median of ${rounds} × ${seconds} s\n`);
const columns = [
  { title: '', value: ({ workload }) => workload },
  { title: '', value: ({ name }) => name },
  number('requests/s', 0, ({ rate }) => rate),
  number('p50 ms', 1, ({ p50 }) => p50),
  number('p99 ms', 1, ({ p99 }) => p99),
  number('CPU ms', 2, totalCpu),
  number('×', 2, (row) => totalCpu(row) / totalCpu(row.other)),
  number('bytes', 0, ({ bytes }) => bytes),
  number('RSS MB', 0, ({ memory }) => memory),
];
console.log(formatTable(columns, rows));
const startColumns = [
  { title: 'a start', value: ({ name }) => name },
  number('first response ms', 0, ({ answered }) => answered),
  number('RSS MB', 0, ({ memory }) => memory),
];
console.log(`\n${formatTable(startColumns, starts)}`);

/** Gives the seeded entries documentIds. */
function migrate(cwd) {
  const program = path.resolve(import.meta.dirname, '../../bin/content-service.mjs');
  const env = { ...process.env, ...settingsOf(environment, cwd) };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'migrate', '--apply'], {
    cwd,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`migrate ends with ${status}:\n${stdout}${stderr}`);
}

async function documentIdsOf(collection) {
  const found = await client
    .db(NAME)
    .collection(collection)
    .find({}, { projection: { documentId: 1 } })
    .toArray();
  return new Map(found.map(({ _id, documentId }) => [_id, documentId]));
}

/** In turns, each until a list is answered; the first start of each is not counted. */
async function measureStarts() {
  const found = Object.keys(starters).map((name) => ({ name, all: [] }));
  for (let round = 0; round <= Number(rounds); round += 1) {
    for (const { name, all } of found) {
      const since = performance.now();
      const { pid, url, stop } = await starters[name](`start ${round} ${name}`);
      const response = await fetch(`${url}/api/articles`);
      await response.json();
      const answered = performance.now() - since;
      if (!response.ok) throw new Error(`${name} answers its first request with ${response.status}`);
      await wait(settle);
      if (round > 0) all.push({ answered, memory: memoryOf(pid) });
      await stop();
    }
  }
  return found.map(({ name, all }) => ({ name, answered: medianOf(all, 'answered'), memory: medianOf(all, 'memory') }));
}
