// node scripts/benchmarks/repeated.mjs [rounds] [connections]: repeated requests, and those with If-None-Match, beside
// the limit, which reads each time
import { openBench, startLimit, startService } from './children.mjs';
import { speedColumns } from './columns.mjs';
import { measure } from './measure.mjs';
import { seedForLimit, seedForService } from './seed.mjs';
import { formatTable } from './table.mjs';
import { workloads } from './workloads.mjs';

const ENTRIES = 10_000;
const [rounds = '5', connections = '16'] = process.argv.slice(2);

const { makeFolder, load, engine, client, close } = await openBench('repeated-');
await seedForService(client.db('service'), ENTRIES);
await seedForLimit(client.db('limit'), ENTRIES);
const [service, limit] = [
  await startService(
    { MONGODB_URI: engine.uri, DATABASE_NAME: 'service', RESPONSE_CACHE: '32mb', ETAG: 'true' },
    makeFolder('service'),
  ),
  await startLimit({ MONGODB_URI: engine.uri, DATABASE_NAME: 'limit' }, makeFolder('limit')),
];
const tools = { load, client, databasePid: engine.pid };
const options = { rounds: Number(rounds), seconds: 1.2, connections: Number(connections) };
const rows = [];
for (const name of ['W2', 'W4', 'W5', 'W6', 'W8']) {
  const requests = workloads[name].service(ENTRIES);
  const systems = [
    { ...limit, name: 'limit', requests: { [name]: workloads[name].limit(ENTRIES) } },
    { ...service, name: 'repeated', requests: { [name]: requests } },
  ];
  if (requests[0].body === undefined) {
    const response = await fetch(service.url + requests[0].path, { headers: service.headers });
    const headers = { ...service.headers, 'if-none-match': response.headers.get('etag') };
    systems.push({ ...service, name: '304', headers, requests: { [name]: [requests[0]] } });
  }
  const measured = await measure(name, systems, tools, options);
  rows.push(...measured.map((row) => ({ ...row, workload: name, limit: measured[0] })));
}
console.log(formatTable(speedColumns, rows));
await service.stop();
await limit.stop();
await close();
