/**
 * Measures open change feeds of one process: their memory, and what a write costs that all of them receive. `node
 * scripts/change-feeds.mjs [number]`, on the embedded engine; at most and by default 1000 feeds, each from an address
 * of its own.
 */
import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { startEngine, startService } from './benchmarks/children.mjs';
import { cpuOf, memoryOf } from './benchmarks/cost.mjs';
import { openFolders } from './benchmarks/folders.mjs';

await import('./setup.mjs');

const number = Number(process.argv[2] ?? 1000);
const writes = 20;
const makeFolder = openFolders('content-service-feeds-');
const engine = await startEngine(makeFolder('engine'));
const environment = { MONGODB_URI: engine.uri, DATABASE_NAME: 'feeds', EVENTS: 'true', TRUSTED_PROXIES: '1' };
const service = await startService(environment, makeFolder('data'));

const create = async (name) => {
  const headers = { ...service.headers, 'content-type': 'application/json' };
  const body = JSON.stringify({ data: { name } });
  const response = await fetch(`${service.url}/api/tags`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(await response.text());
};
for (let index = 0; index < 200; index += 1) await create(`warm ${index}`);

/** Opens a feed of the client at an address; `received` counts its changes. */
const open = (address) =>
  new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': address, accept: 'text/event-stream' };
    const feed = { received: 0 };
    const sent = http.get(
      `${service.url}/api/changes?types=tags&fields[tags]=*`,
      { headers, agent: false },
      (response) => {
        response.setEncoding('utf8').on('data', (text) => {
          feed.received += text.split('data: ').length - 1;
          resolve(feed);
        });
      },
    );
    sent.on('error', reject);
  });

await wait(2000);
const before = memoryOf(service.pid);
const feeds = [];
const addresses = Array.from({ length: number }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
while (feeds.length < number) {
  const next = addresses.slice(feeds.length, feeds.length + 50);
  feeds.push(...(await Promise.all(next.map(open))));
}
await wait(2000);
const opened = memoryOf(service.pid);
const idle = cpuOf(service.pid);
await wait(10_000);
const idleTime = cpuOf(service.pid) - idle;

const start = cpuOf(service.pid);
const delays = [];
for (let index = 0; index < writes; index += 1) {
  await create(`measured ${index}`);
  const written = performance.now();
  while (feeds.some(({ received }) => received <= index)) await wait(5);
  delays.push(performance.now() - written);
}
const rounded = (value) => Math.round(value * 10) / 10;
const [middle] = delays.toSorted((a, b) => a - b).slice(writes / 2);
console.log(
  `${number} feeds: ${rounded(before)} MB before, ${rounded(opened)} MB with them, ${rounded(((opened - before) * 1024) / number)} kB each`,
);
console.log(`idle: ${idleTime / 10} ms of processor time a second`);
console.log(
  `a write: ${rounded((cpuOf(service.pid) - start) / writes)} ms of processor time, all have it ${rounded(middle)} ms after the response`,
);
console.log(`memory after ${writes} writes: ${rounded(memoryOf(service.pid))} MB`);
await service.stop();
await engine.stop();
process.exit();
