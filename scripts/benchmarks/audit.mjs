/**
 * node scripts/benchmarks/audit.mjs [rounds] [seconds]: what the audit log adds to the processor time of writes. Two
 * services in one process, one with the log, take turns.
 */
import fs from 'node:fs';
import path from 'node:path';
import { credentials, openBench, startTogether } from './children.mjs';
import { speedColumns } from './columns.mjs';
import { measure } from './measure.mjs';
import { seedForService } from './seed.mjs';
import { formatTable } from './table.mjs';
import { freshNumber, workloads } from './workloads.mjs';

const ENTRIES = 2000;
const [rounds = '7', seconds = '3'] = process.argv.slice(2);
const update = Array.from({ length: ENTRIES }, (_, index) => ({
  path: `/api/articles/${index + 1}`,
  method: 'PUT',
  body: JSON.stringify({ data: { body: freshNumber } }),
}));
const requests = { create: workloads.W7.service(ENTRIES), update };
const plugins = { 'without the log': {}, 'with it': { audit: { config: { key: 'k'.repeat(32) } } } };

const { makeFolder, load, engine, client, close } = await openBench('audit-');
const environments = {};
for (const [index, [name, settings]] of Object.entries(plugins).entries()) {
  const folder = makeFolder(String(index));
  fs.mkdirSync(path.join(folder, 'config'));
  fs.writeFileSync(path.join(folder, 'config', 'plugins.json'), JSON.stringify(settings));
  const database = `audit_${index}`;
  await seedForService(client.db(database), ENTRIES);
  environments[name] = { MONGODB_URI: engine.uri, DATABASE_NAME: database, DATA_FOLDER: folder };
}
const started = await startTogether(environments, makeFolder('together'));
const services = started.map((service) => ({ ...service, requests, headers: credentials }));
const tools = { load, client, databasePid: engine.pid };
// Records follow their writes.
const options = { rounds: Number(rounds), seconds: Number(seconds), connections: 16, settle: 2000 };
const rows = [];
for (const name of Object.keys(requests)) {
  const measured = await measure(name, services, tools, options);
  rows.push(...measured.map((row) => ({ ...row, workload: name, limit: measured[0] })));
}
console.log(formatTable(speedColumns, rows));
await started[0].stop();
await close();
