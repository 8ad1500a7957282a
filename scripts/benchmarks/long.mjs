import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { startService } from './children.mjs';
import { cpuOf, forgetPeak, memoryOf, peakOf } from './cost.mjs';
import { seedForService } from './seed.mjs';
import { longList } from './workloads.mjs';

/** Entries of the list, and how often each client asks for it. */
const count = 100;
const times = 4;
/** Milliseconds in which slow clients take nothing, and after which a service is idle. */
const pause = 4000;

/** Typographers' letters among others: such texts take two bytes a letter in the heap. */
const paragraph = 'Amber basil cedar – “delta eagle” fable glass hazel inlet… jewel karst lilac maple night. ';
const text = (letters) => paragraph.repeat(Math.ceil(letters / paragraph.length));

/** Fills a database with articles of about 120 kB, with what they lead to. */
export async function seedLong(db) {
  await seedForService(db, count);
  await db.collection('authors').updateMany({}, { $set: { bio: text(10_000) } });
  const long = { body: text(80_000), 'blocks.$[text].content': text(10_000) };
  const arrayFilters = [{ 'text.content': { $exists: true } }];
  await db.collection('articles').updateMany({}, { $set: long }, { arrayFilters });
}

/** Asks for the list; returns the bytes of its body. Who waits takes nothing of it until then. */
async function ask({ url, headers }, until) {
  const asking = request(`${url}${longList.path}`, { headers, agent: false }).end();
  const [answer] = await once(asking, 'response');
  if (answer.statusCode !== 200) throw new Error(`A long list was answered with ${answer.statusCode}`);
  await until;
  let bytes = 0;
  for await (const piece of answer) bytes += piece.length;
  return bytes;
}

/**
 * Measures the memory of the service while clients read a long list concurrently: first fast readers, then some that
 * wait before they read.
 * @param environment the database: `{ MONGODB_URI, DATABASE_NAME }`
 */
export async function measureLong(environment, makeFolder, connections) {
  const watch = async (name, each, work) => {
    const service = await startService(environment, makeFolder(`${connections} ${name}`));
    const { pid } = service;
    const megabytes = (await ask(service)) / 1e6;
    await wait(pause);
    const start = memoryOf(pid);
    const cpu = cpuOf(pid);
    forgetPeak(pid);
    await Promise.all(Array.from({ length: connections }, () => work(service)));
    const row = {
      name,
      connections,
      megabytes,
      start,
      most: peakOf(pid),
      cpu: (cpuOf(pid) - cpu) / (connections * each),
    };
    await service.stop();
    return row;
  };
  return [
    await watch('fast', times, async (service) => {
      for (let time = 0; time < times; time++) await ask(service);
    }),
    await watch(`after ${pause / 1000} s`, 1, (service) => ask(service, wait(pause))),
  ];
}
