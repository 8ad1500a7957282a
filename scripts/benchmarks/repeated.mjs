// node scripts/benchmarks/repeated.mjs [rounds] [connections]: repeated requests, and those with If-None-Match, beside the limit, which reads each time
import { MongoClient } from 'mongodb';
import { startEngine, startLimit, startLoad, startService } from './children.mjs';
import { cpuOf } from './cost.mjs';
import { openFolders } from './folders.mjs';
import { seedForLimit, seedForService } from './seed.mjs';
import { workloads } from './workloads.mjs';

const ENTRIES = 10_000;
const [rounds = '5', connections = '16'] = process.argv.slice(2);

const makeFolder = openFolders('repeated-');
const [load, engine] = [startLoad(), await startEngine(makeFolder('engine'))];
const client = await new MongoClient(engine.uri).connect();
await seedForService(client.db('service'), ENTRIES);
await seedForLimit(client.db('limit'), ENTRIES);
const [service, limit] = [
  await startService(
    { MONGODB_URI: engine.uri, DATABASE_NAME: 'service', RESPONSE_CACHE: '32mb', ETAG: 'true' },
    makeFolder('service'),
  ),
  await startLimit({ MONGODB_URI: engine.uri, DATABASE_NAME: 'limit' }, makeFolder('limit')),
];
const run = ({ system: { url, headers }, requests, more }, amount) =>
  load.run({ url, headers: { ...headers, ...more }, requests, connections: Number(connections), amount });
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

for (const name of ['W2', 'W4', 'W5', 'W6', 'W8']) {
  const requests = workloads[name].service(ENTRIES);
  const rows = [
    { title: 'limit', system: limit, requests: workloads[name].limit(ENTRIES) },
    { title: 'repeated', system: service, requests },
  ];
  if (requests[0].body === undefined) {
    const { headers } = await fetch(service.url + requests[0].path, { headers: service.headers });
    rows.push({
      title: '304',
      system: service,
      requests: [requests[0]],
      more: { 'if-none-match': headers.get('etag') },
    });
  }
  for (const row of rows) {
    const { requests: sent, seconds } = await run(row, row.system === limit ? 400 : 4000);
    Object.assign(row, { amount: Math.ceil((1.2 * sent) / seconds), rates: [], times: [] });
  }
  for (let round = 0; round < Number(rounds); round += 1) {
    for (const { system, amount, rates, times, ...row } of round % 2 === 0 ? rows : rows.toReversed()) {
      const cpu = () => cpuOf(system.pid) + cpuOf(engine.pid);
      const before = cpu();
      const { requests: sent, seconds } = await run({ system, ...row }, amount);
      rates.push(sent / seconds);
      times.push((cpu() - before) / sent);
    }
  }
  const [rate, time] = [median(rows[0].rates), median(rows[0].times)];
  for (const { title, rates, times } of rows) {
    const [ownRate, ownTime] = [median(rates), median(times)];
    const ratios = `× ${(ownRate / rate).toFixed(2)} requests, × ${(ownTime / time).toFixed(3)} processor time`;
    console.log(`${name} ${title.padEnd(8)} ${ownRate.toFixed(0)}/s, ${ownTime.toFixed(3)} ms: ${ratios}`);
  }
}
await service.stop();
await limit.stop();
await client.close();
await load.stop();
await engine.stop();
