import { setTimeout as wait } from 'node:timers/promises';
import { startByNpm, startService } from './children.mjs';
import { cpuOf, memoryOf } from './cost.mjs';
import { medianOf } from './measure.mjs';
import { seedKinds, writeContentTypes } from './many-types.mjs';
import { seedDataFolder } from './memory.mjs';

const types = 100;
/** Milliseconds after which a process that has just started is looked at. */
const settle = 1000;

/**
 * Measures second starts: until the line `Ready`, and until a list is answered. First the sample content by `npm
 * start`, then a hundred content types, on an embedded engine of the service's own and on the database of `uri`.
 */
export async function measureStarts({ uri, name, client, makeFolder, rounds }) {
  const contentTypes = writeContentTypes(makeFolder('content-types'), types);
  const settings = { CONTENT_TYPES: contentTypes, DATABASE_NAME: name };
  const [sample, own, elsewhere] = ['sample', 'own', 'elsewhere'].map(makeFolder);
  await client.db(name).dropDatabase();
  await seedKinds(client.db(name), types);
  await seedDataFolder(own, name, (db) => seedKinds(db, types));
  const embedded = { ...settings, DATABASE: 'embedded', MONGODB_URI: '' };
  const remote = { ...settings, MONGODB_URI: uri };
  const list = '/api/kinds-3';
  return [
    await measure('`npm start`, sample content', () => startByNpm(sample), '/api/articles', rounds),
    await measure(`${types} content types, embedded engine`, () => startService(embedded, own), list, rounds),
    await measure(`${types} content types, external MongoDB`, () => startService(remote, elsewhere), list, rounds),
  ];
}

/** The first start, which fills the database, is not counted. */
async function measure(name, start, list, rounds) {
  const [, ...starts] = await repeat(rounds + 1, () => measureOne(start, list));
  const median = (key) => medianOf(starts, key);
  const worst = (key) => Math.max(...starts.map((one) => one[key]));
  return {
    name,
    answered: median('answered'),
    worstAnswered: worst('answered'),
    ready: median('ready'),
    worstReady: worst('ready'),
    cpu: median('cpu'),
    memory: median('memory'),
  };
}

async function repeat(times, work) {
  const results = [];
  while (results.length < times) results.push(await work());
  return results;
}

async function measureOne(start, list) {
  const since = performance.now();
  const service = await start();
  const response = await fetch(service.url + list);
  const { data } = await response.json();
  const answered = performance.now() - since;
  if (!data?.length) throw new Error(`${list} is answered with ${response.status} and no entry`);
  const cpu = cpuOf(service.pid);
  await wait(settle);
  const memory = memoryOf(service.pid);
  await service.stop();
  return { answered, ready: service.ready, cpu, memory };
}
