import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { examine, type Examined } from './engine/examine.js';
import { mutations } from './engine/mutations.js';
import type { Laboratory } from './engine/scenario.js';
import { replay } from './engine/replay.js';
import { operationOf, operations } from './operations/operations.js';
import { startClock } from './world/clock.js';
import { openWorld } from './world/world.js';

/** `npm run interleavings` sets them. */
const { INTERLEAVINGS_REPLAY, INTERLEAVINGS_ONLY = '', INTERLEAVINGS_LOG } = process.env;
const isComplete = INTERLEAVINGS_LOG !== undefined;
const SCHEDULES = Number(process.env['INTERLEAVINGS_SCHEDULES'] ?? 5);
const CRASHES = Number(process.env['INTERLEAVINGS_CRASHES'] ?? 10);
const TIMEOUT_MS = 24 * 3_600_000;

let laboratory: Laboratory;
beforeAll(async () => {
  const world = await openWorld();
  laboratory = { world, clock: startClock() };
}, 60_000);
afterAll(async () => {
  laboratory.clock.stop();
  await laboratory.world.close();
});

const log = (line: string): void => {
  if (INTERLEAVINGS_LOG !== undefined) appendFileSync(INTERLEAVINGS_LOG, `${line}\n`);
};

const examineBoth = (names: readonly string[]): Promise<Examined> =>
  examine(
    laboratory,
    { name: names.join(' | '), operations: names.map(operationOf) },
    { schedules: SCHEDULES, crashes: CRASHES },
  );

/** Those in which most of the protocol takes part; `npm run interleavings` has all pairs. */
const samples = [
  ['article 2: takes card 1', 'article 3: takes card 1'],
  ['author 1: sets articles 2 3', 'author 2: sets articles 1 2'],
  ['page 1: price and title', 'page 2: add de'],
  ['article 1: sets tags 2 3', 'tag 1: delete'],
  ['card 1: takes remark 2', 'remark 1: subjects tags 2 3'],
];

if (INTERLEAVINGS_REPLAY !== undefined) {
  test('replays a schedule', async () => {
    expect(await replay(laboratory, INTERLEAVINGS_REPLAY, log)).toEqual([]);
  }, 60_000);
} else if (isComplete) {
  const names = operations.map(({ name }) => name).filter((name) => new RegExp(INTERLEAVINGS_ONLY).test(name));
  const pairs = names.flatMap((one, index) => names.slice(index).map((other) => [one, other]));
  test(
    'every order and every crash of all pairs',
    async () => {
      const start = performance.now();
      const all: Examined[] = [];
      for (const pair of pairs) {
        const examined = await examineBoth(pair);
        all.push(examined);
        const { scenario, schedules, crashes, complete, findings } = examined;
        log(
          `${scenario}: ${schedules} schedules, ${crashes} crashes${complete ? '' : ', not all'}, ${findings.length} findings`,
        );
        for (const { seed, problems } of findings)
          log(`  --replay '${scenario} @ ${seed}'\n  ${problems.join('\n  ')}`);
      }
      const sum = (key: 'schedules' | 'crashes'): number => all.reduce((total, one) => total + one[key], 0);
      const seconds = Math.round((performance.now() - start) / 1000);
      log(
        `${pairs.length} pairs, ${all.filter(({ complete }) => complete).length} of them complete: ${sum('schedules')} schedules, ${sum('crashes')} crashes in ${seconds} s`,
      );
      expect(all.flatMap(({ findings }) => findings)).toEqual([]);
    },
    TIMEOUT_MS,
  );
} else {
  test.each(samples)(
    '%s, and at the same time %s',
    async (...pair) => {
      const { findings, schedules } = await examineBoth(pair);
      expect(findings).toEqual([]);
      expect(schedules).toBeGreaterThan(1);
    },
    60_000,
  );

  test.each(mutations)(
    'it is found that $name',
    async ({ operations: names, rewrite }) => {
      const scenario = { name: names.join(' | '), operations: names.map(operationOf) };
      const { findings } = await examine({ ...laboratory, rewrite }, scenario, { schedules: 40, crashes: 40 });
      expect(findings.length).toBeGreaterThan(0);
    },
    60_000,
  );
}
