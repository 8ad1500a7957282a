// node scripts/benchmarks/mixed.mjs [rounds] [requests] [processes]: reads between writes, with the response cache and
// without it
import { openBench, signUp, startService } from './children.mjs';
import { cpuOf, descendantsOf, memoryOf } from './cost.mjs';
import { median } from './measure.mjs';
import { seedForService } from './seed.mjs';
import { workloads } from './workloads.mjs';
import { randomFrom } from './world.mjs';

const ENTRIES = 10_000;
const [rounds = '5', amount = '2000', processes = '1,4'] = process.argv.slice(2);
/** Shares of writes. */
const shares = [0.05, 0.2, 0.5];

/** What is read, the most popular first: lists of every kind and single entries, in an order without meaning. */
const reads = shuffled(['W1', 'W2', 'W4', 'W5', 'W6'].flatMap((name) => workloads[name].service(ENTRIES)));

/** What is written: articles, on which every read depends, or users, on which none does. */
const targets = {
  articles: (random) => ({
    path: `/api/articles/${1 + Math.floor(random() * ENTRIES)}`,
    method: 'PUT',
    body: JSON.stringify({ data: { views: Math.floor(random() * 100_000) } }),
  }),
  users: (random) => ({
    path: '/api/users/1',
    method: 'PUT',
    body: JSON.stringify({ username: `user${random()}` }),
  }),
};

function shuffled(list) {
  const random = randomFrom(1);
  return list
    .map((value) => ({ value, number: random() }))
    .toSorted((one, other) => one.number - other.number)
    .map(({ value }) => value);
}

/** Requests of which a share are writes. The n-th read comes in proportion to 1/n (Zipf). */
function mix(share, write, seed) {
  const random = randomFrom(seed);
  const sums = [];
  for (const index of reads.keys()) sums.push((sums[index - 1] ?? 0) + 1 / (index + 1));
  const read = () => {
    const number = random() * sums.at(-1);
    return reads[sums.findIndex((sum) => sum > number)];
  };
  return Array.from({ length: Number(amount) }, () => (random() < share ? write(random) : read()));
}

const { makeFolder, load, engine, client, close } = await openBench('mixed-');

async function start(cache, count) {
  const name = `mixed_${cache}_${count}`;
  await seedForService(client.db(name), ENTRIES);
  const settings = { MONGODB_URI: engine.uri, DATABASE_NAME: name, RESPONSE_CACHE: cache, CLUSTER: count };
  const service = await startService(settings, makeFolder(name));
  await signUp(service.url);
  return service;
}

for (const count of processes.split(',')) {
  const systems = [
    { title: 'cached', service: await start('32mb', count) },
    { title: 'uncached', service: await start('0', count) },
  ];
  const pidsOf = ({ pid }) => [pid, ...descendantsOf(pid)];
  const started = systems.map(({ service }) => pidsOf(service).reduce((sum, pid) => sum + memoryOf(pid), 0));
  for (const [target, write] of Object.entries(targets)) {
    for (const share of shares) {
      const rows = systems.map((system) => ({ ...system, rates: [], times: [] }));
      for (let round = -1; round < Number(rounds); round += 1) {
        const requests = mix(share, write, round + 2);
        for (const { service, rates, times } of round % 2 === 0 ? rows : rows.toReversed()) {
          const cpu = () => [engine.pid, ...pidsOf(service)].reduce((sum, pid) => sum + cpuOf(pid), 0);
          const before = cpu();
          const job = {
            url: service.url,
            headers: service.headers,
            requests,
            connections: 16,
            amount: requests.length,
            // Preparing all for each connection would take the load generator longer than sending them.
            divided: true,
          };
          const { requests: sent, seconds, failures } = await load.run(job);
          if (failures > 0) throw new Error(`${failures} requests failed`);
          if (round < 0) continue;
          rates.push(sent / seconds);
          times.push((cpu() - before) / sent);
        }
      }
      const [cached, uncached] = rows.map(({ rates, times }) => ({ rate: median(rates), time: median(times) }));
      console.log(
        `${count} of ${100 - share * 100}/${share * 100}, writes of ${target}: ` +
          `${cached.rate.toFixed(0)} and ${uncached.rate.toFixed(0)} requests/s (× ${(cached.rate / uncached.rate).toFixed(2)}), ` +
          `${cached.time.toFixed(3)} and ${uncached.time.toFixed(3)} ms (× ${(cached.time / uncached.time).toFixed(3)})`,
      );
    }
  }
  for (const [index, { title, service }] of systems.entries()) {
    const memory = pidsOf(service).reduce((sum, pid) => sum + memoryOf(pid), 0);
    console.log(`${count} ${title}: ${started[index].toFixed(0)} MB after start, ${memory.toFixed(0)} MB at the end`);
    await service.stop();
  }
}
await close();
