// node scripts/benchmarks/strapi5.mjs [starts] [rounds] [seconds] [W1,W4]: what the plugin strapi5 costs the addresses
// of Strapi v4, and what its own cost beside them node scripts/benchmarks/strapi5.mjs examined: the index keys and
// documents that the database examines for each
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { credentials as headers, openBench, settingsOf, startTogether } from './children.mjs';
import { totalCpu } from './columns.mjs';
import { examine } from './examine.mjs';
import { measure, median } from './measure.mjs';
import { seedForService } from './seed.mjs';
import { formatTable } from './table.mjs';
import { workloads } from './workloads.mjs';
import { inStrapi5 } from './workloads5.mjs';

const ENTRIES = 10_000;
const args = process.argv.slice(2);
const isExamined = args[0] === 'examined';
const [starts = '4', rounds = '9', seconds = '1', names = Object.keys(workloads).join(',')] = isExamined ? [] : args;
/** Those that Strapi 5's REST API answers by the same query. */
const inBoth = new Set(['W1', 'W2', 'W3', 'W4', 'W5', 'W6']);

const { makeFolder, load, engine, client, close } = await openBench('strapi5-');

/**
 * The settings of a service with or without the plugin, on a database of its own, which has documentIds if the plugin
 * is on.
 */
async function prepare(name, isOn) {
  const folder = makeFolder(name);
  fs.mkdirSync(path.join(folder, 'config'));
  fs.writeFileSync(path.join(folder, 'config', 'plugins.json'), JSON.stringify(isOn ? { strapi5: true } : {}));
  await seedForService(client.db(name), ENTRIES);
  const settings = settingsOf({ MONGODB_URI: engine.uri, DATABASE_NAME: name }, folder);
  if (isOn) {
    const program = path.resolve(import.meta.dirname, '../../bin/content-service.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'migrate', '--apply'], {
      cwd: folder,
      env: { ...process.env, ...settings },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`migrate ends with ${status}:\n${stdout}${stderr}`);
  }
  return settings;
}

/** The requests in Strapi 5's form, at the plugin's addresses. @param documentIds by the numbers of entries */
const atV5 = (name, requests, documentIds) =>
  inStrapi5(name, requests, documentIds).map(({ path: address }) => ({ path: `/v5${address}` }));

const environments = {
  off: await prepare('off', false),
  'off again': await prepare('again', false),
  on: await prepare('on', true),
};
const stored = await client
  .db('on')
  .collection('articles')
  .find({}, { projection: { documentId: 1 } })
  .toArray();
const documentIds = new Map(stored.map(({ _id, documentId }) => [_id, documentId]));

/** The services, and the one with the plugin once more as Strapi 5's clients see it. */
const systemsFor = (services, name) => {
  const requests = workloads[name].service(ENTRIES);
  const v4 = services.map((service) => ({ ...service, headers, requests: { [name]: requests } }));
  const on = v4.find((service) => service.name === 'on');
  const v5 = { ...on, name: 'Strapi 5', requests: { [name]: atV5(name, requests, documentIds) } };
  return inBoth.has(name) ? [...v4, v5] : v4;
};

/** The rows of all starts, by workload and system. */
const found = new Map();
const tools = { load, client, databasePid: engine.pid };
for (let start = 0; start < (isExamined ? 1 : Number(starts)); start += 1) {
  const order = Object.entries(environments);
  const services = await startTogether(
    Object.fromEntries(start % 2 === 0 ? order : order.toReversed()),
    makeFolder(`start-${start}`),
  );
  for (const name of names.split(',')) {
    const systems = systemsFor(services, name);
    if (isExamined) {
      if (workloads[name].writes || !inBoth.has(name)) continue;
      // Plans are shown at the addresses of Strapi v4.
      for (const system of systems.filter(({ name: of }) => of !== 'Strapi 5'))
        console.log(name, system.name, await examine(system, system.requests[name].slice(0, 8)));
      continue;
    }
    const rows = await measure(name, systems, tools, {
      rounds: Number(rounds),
      seconds: Number(seconds),
      connections: 4,
    });
    const off = rows.find((row) => row.name === 'off');
    for (const row of rows) {
      const key = `${name} ${row.name}`;
      found.set(key, [...(found.get(key) ?? []), { workload: name, ...row, ratio: totalCpu(row) / totalCpu(off) }]);
    }
  }
  await services[0].stop();
}
const of = (read) => (rows) => median(rows.map(read));
const ratios = (rows) => rows.map(({ ratio }) => ratio).toSorted((one, other) => one - other);
const columns = [
  { title: '', value: ([{ workload }]) => workload },
  { title: '', value: ([{ name }]) => name },
  { title: 'CPU ms', right: true, value: (rows) => of(totalCpu)(rows).toFixed(3) },
  { title: '× of off', right: true, value: (rows) => of(({ ratio }) => ratio)(rows).toFixed(3) },
  {
    title: 'least–most',
    right: true,
    value: (rows) => `${ratios(rows)[0].toFixed(3)}–${ratios(rows).at(-1).toFixed(3)}`,
  },
  { title: 'of it database', right: true, value: (rows) => of(({ databaseCpu }) => databaseCpu)(rows).toFixed(3) },
  { title: 'commands', right: true, value: (rows) => of(({ commands }) => commands)(rows).toFixed(2) },
  { title: 'bytes', right: true, value: (rows) => of(({ bytes }) => bytes)(rows).toFixed(0) },
];
if (found.size > 0)
  console.log(
    formatTable(
      columns,
      [...found.values()].toSorted(([one], [other]) => (one.workload < other.workload ? -1 : 1)),
    ),
  );
await close();
