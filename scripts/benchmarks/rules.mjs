// node scripts/benchmarks/rules.mjs [rounds] [seconds] [W2,W4]: what rules for articles cost
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { openBench, startService } from './children.mjs';
import { speedColumns } from './columns.mjs';
import { measure } from './measure.mjs';
import { seedForService } from './seed.mjs';
import { formatTable } from './table.mjs';
import { workloads } from './workloads.mjs';
import { kinds } from './world.mjs';

const ENTRIES = 10_000;
const [rounds = '12', seconds = '0.5', names = 'W2,W4'] = process.argv.slice(2);
const find = 'api::article.article.find';
/** All of them show the same entries. */
const where = { kind: { $in: kinds } };
const variants = {
  'no rule': find,
  where: { action: find, where },
  fields: { action: find, fields: ['-slug'] },
  'where and fields': { action: find, where, fields: ['-slug'] },
};

const { makeFolder, load, engine, client, close } = await openBench('rules-');
const requests = Object.fromEntries(names.split(',').map((name) => [name, workloads[name].service(ENTRIES)]));
await seedForService(client.db('rules'), ENTRIES);

/** A service with a token that has this permission, and may list what articles lead to. */
async function startWith([name, permission], index) {
  const folder = makeFolder(String(index));
  fs.cpSync(path.join(import.meta.dirname, 'content-types'), folder, { recursive: true });
  const others = ['author', 'category', 'tag'].map((type) => `api::${type}.${type}.find`);
  const token = { type: 'custom', permissions: [permission, ...others], key: { env: 'BENCHMARK_TOKEN' } };
  fs.writeFileSync(path.join(folder, 'access.json'), JSON.stringify({ tokens: { [name]: token } }));
  const key = randomUUID();
  const settings = {
    MONGODB_URI: engine.uri,
    DATABASE_NAME: 'rules',
    CONTENT_TYPES: folder,
    BENCHMARK_TOKEN: key,
  };
  const service = await startService(settings, folder);
  return { ...service, name, requests, headers: { authorization: `Bearer ${key}` } };
}

const services = [];
for (const [index, variant] of Object.entries(variants).entries()) services.push(await startWith(variant, index));
const tools = { load, client, databasePid: engine.pid };
const options = { rounds: Number(rounds), seconds: Number(seconds), connections: 4 };
const rows = [];
for (const name of names.split(',')) {
  const measured = await measure(name, services, tools, options);
  rows.push(...measured.map((row) => ({ ...row, workload: name, limit: measured[0] })));
}
console.log(formatTable(speedColumns, rows));
for (const service of services) await service.stop();
await close();
