// node scripts/benchmarks/events.mjs [rounds] [requests]: what the event log costs on W7, in processor time per request of two services each,
// alone and with the database
import { MongoClient } from 'mongodb';
import { startEngine, startLoad, startService } from './children.mjs';
import { cpuOf } from './cost.mjs';
import { openFolders } from './folders.mjs';
import { seedForService } from './seed.mjs';
import { workloads } from './workloads.mjs';

const ENTRIES = 10_000;
const [rounds = '17', amount = '500'] = process.argv.slice(2);

const makeFolder = openFolders('events-');
const [load, engine] = [startLoad(), await startEngine(makeFolder('engine'))];
const client = await new MongoClient(engine.uri).connect();
const services = [];
for (const [index, EVENTS] of ['false', 'true', 'false', 'true'].entries()) {
  const name = `events${index}`;
  await seedForService(client.db(name), ENTRIES);
  const settings = { MONGODB_URI: engine.uri, DATABASE_NAME: name, EVENTS };
  services.push({ EVENTS, own: [], total: [], ...(await startService(settings, makeFolder(name))) });
}
const run = ({ url, headers }) =>
  load.run({ url, headers, requests: workloads.W7.service(ENTRIES), connections: 16, amount: Number(amount) });

for (const service of services) for (let time = 0; time < 3; time += 1) await run(service);
for (let round = 0; round < Number(rounds); round += 1) {
  for (const service of round % 2 === 0 ? services : services.toReversed()) {
    const [own, database] = [cpuOf(service.pid), cpuOf(engine.pid)];
    await run(service);
    const [usedOwn, usedDatabase] = [cpuOf(service.pid) - own, cpuOf(engine.pid) - database];
    service.own.push(usedOwn / Number(amount));
    service.total.push((usedOwn + usedDatabase) / Number(amount));
  }
}
const describe = (times) => {
  const sorted = times.toSorted((a, b) => a - b);
  const [lowest, quarter, median] = [0, 0.25, 0.5].map((part) => sorted[Math.floor(part * (sorted.length - 1))]);
  return `median ${median.toFixed(2)} ms, lower quartile ${quarter.toFixed(2)}, lowest ${lowest.toFixed(2)}`;
};
for (const { EVENTS, own, total } of services) {
  console.log(`EVENTS=${EVENTS.padEnd(5)} service: ${describe(own)}; with the database: ${describe(total)}`);
}
for (const service of services) await service.stop();
await client.close();
await load.stop();
await engine.stop();
