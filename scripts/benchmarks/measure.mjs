import { setTimeout as wait } from 'node:timers/promises';
import lodash from 'lodash';
import { childrenOf, commandsOf, cpuOf, memoryOf } from './cost.mjs';

const warmUpSeconds = 2;

/**
 * Measures one workload on several systems, in rounds that take turns, so that what else happens on the machine hits
 * all alike. After a warm-up every round of a system sends the same number of requests.
 * @param options `settle`: milliseconds after a round in which a system does what it has put off
 * @returns per system the medians of the rounds
 */
export async function measure(name, systems, { load, client, databasePid }, options) {
  const { rounds, seconds, connections, settle = 0 } = options;
  const rows = [];
  for (const system of systems) {
    const requests = system.requests[name];
    const job = { url: system.url, headers: system.headers, requests, connections };
    const warm = await load.run({ ...job, seconds: Math.min(warmUpSeconds, 10 * seconds) });
    const amount = Math.ceil((warm.requests / warm.seconds) * seconds);
    rows.push({ system, job: { ...job, amount }, rounds: [] });
  }
  const counters = async ({ system }) => ({
    commands: await commandsOf(client),
    cpu: sumOf(cpuOf, system),
    databaseCpu: cpuOf(databasePid),
  });
  for (let round = 0; round < rounds; round++) {
    // Who comes first finds the processor cooler: each does in turn.
    for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
      const before = await counters(row);
      const result = await load.run(row.job);
      await wait(settle);
      const after = await counters(row);
      if (result.failures > 0) throw new Error(`${name}: ${row.system.name} failed ${result.failures} requests`);
      const each = (key) => (after[key] - before[key]) / result.requests;
      row.rounds.push({
        ...result,
        rate: result.requests / result.seconds,
        commands: each('commands'),
        cpu: each('cpu'),
        databaseCpu: each('databaseCpu'),
      });
    }
  }
  return rows.map(({ system, rounds }) =>
    Object.assign({ name: system.name, memory: sumOf(memoryOf, system) }, medians(rounds)),
  );
}

/** Of a system's process and those that it started. */
const sumOf = (read, { pid }) => [pid, ...childrenOf(pid)].reduce((sum, one) => sum + (read(one) ?? Number.NaN), 0);

const measured = ['rate', 'p50', 'p99', 'bytes', 'commands', 'cpu', 'databaseCpu'];

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Of what several measurements say of one thing. */
export const medianOf = (rounds, key) => median(rounds.map((round) => round[key]));

/** Where something could not be measured, NaN. */
function medians(rounds) {
  return Object.fromEntries(measured.map((key) => [key, medianOf(rounds, key)]));
}

/**
 * The rows of several starts as one for each workload and system, each value the mean, in the order of the first start.
 */
export function meansOf(rows, limitName) {
  const groups = Object.values(lodash.groupBy(rows, ({ workload, name }) => `${workload} ${name}`));
  const means = groups.map((group) => ({
    ...group[0],
    ...Object.fromEntries(
      ['memory', ...measured].map((key) => [key, group.reduce((sum, row) => sum + row[key], 0) / group.length]),
    ),
  }));
  return means.map((row) => ({
    ...row,
    limit: means.find(({ workload, name }) => workload === row.workload && name === limitName),
  }));
}
