// node scripts/benchmarks/events.mjs [rounds] [seconds]: what the event log costs on W7, of two services each
import { openBench, startService } from './children.mjs';
import { speedColumns } from './columns.mjs';
import { measure } from './measure.mjs';
import { seedForService } from './seed.mjs';
import { formatTable } from './table.mjs';
import { workloads } from './workloads.mjs';

const ENTRIES = 10_000;
const [rounds = '17', seconds = '1'] = process.argv.slice(2);

const { makeFolder, load, engine, client, close } = await openBench('events-');
const services = [];
for (const [index, EVENTS] of ['false', 'true', 'false', 'true'].entries()) {
  const name = `events${index}`;
  await seedForService(client.db(name), ENTRIES);
  const service = await startService({ MONGODB_URI: engine.uri, DATABASE_NAME: name, EVENTS }, makeFolder(name));
  services.push({ ...service, name: `EVENTS=${EVENTS}`, requests: { W7: workloads.W7.service(ENTRIES) } });
}
const tools = { load, client, databasePid: engine.pid };
const options = { rounds: Number(rounds), seconds: Number(seconds), connections: 16 };
const rows = await measure('W7', services, tools, options);
console.log(
  formatTable(
    speedColumns,
    rows.map((row) => ({ ...row, workload: 'W7', limit: rows[0] })),
  ),
);
for (const service of services) await service.stop();
await close();
