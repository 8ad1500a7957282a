// node scripts/benchmarks/rules.mjs [rounds] [requests] [W2,W4]: what rules for articles cost, in processor time per request
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { MongoClient } from 'mongodb';
import { startEngine, startLoad, startService } from './children.mjs';
import { cpuOf } from './cost.mjs';
import { openFolders } from './folders.mjs';
import { seedForService } from './seed.mjs';
import { workloads } from './workloads.mjs';
import { kinds } from './world.mjs';

const ENTRIES = 10_000;
const [rounds = '12', amount = '600', names = 'W2,W4'] = process.argv.slice(2);
const find = 'api::article.article.find';
/** All of them show the same entries. */
const where = { kind: { $in: kinds } };
const variants = {
  'no rule': find,
  where: { action: find, where },
  fields: { action: find, fields: ['-slug'] },
  'where and fields': { action: find, where, fields: ['-slug'] },
};

const makeFolder = openFolders('rules-');
const [load, engine] = [startLoad(), await startEngine(makeFolder('engine'))];
const client = await new MongoClient(engine.uri).connect();
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
  return { ...service, name, headers: { authorization: `Bearer ${key}` } };
}

const services = [];
for (const [index, variant] of Object.entries(variants).entries()) services.push(await startWith(variant, index));
for (const name of names.split(',')) {
  const requests = workloads[name].service(ENTRIES);
  const job = ({ url, headers }) => ({ url, headers, requests, connections: 4 });
  const times = new Map(services.map((service) => [service, []]));
  for (const service of services) await load.run({ ...job(service), amount: Number(amount) });
  for (let round = 0; round < Number(rounds); round += 1) {
    for (const service of round % 2 === 0 ? services : services.toReversed()) {
      const before = [cpuOf(service.pid), cpuOf(engine.pid)];
      await load.run({ ...job(service), amount: Number(amount) });
      const after = [cpuOf(service.pid), cpuOf(engine.pid)];
      times.get(service).push(after.map((time, part) => (time - before[part]) / Number(amount)));
    }
  }
  const middle = (service, part) => {
    const sorted = times.get(service).map((time) => time[part]);
    return sorted.toSorted((a, b) => a - b)[Math.floor(sorted.length / 2)];
  };
  for (const service of services) {
    const [own, database] = [0, 1].map((part) => middle(service, part));
    const ratio = (own / middle(services[0], 0)).toFixed(2);
    console.log(
      `${name} ${service.name.padEnd(17)} ${own.toFixed(3)} ms × ${ratio}, database ${database.toFixed(3)} ms`,
    );
  }
}
for (const service of services) await service.stop();
await client.close();
await load.stop();
await engine.stop();
