import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isQuick, minutes } from '../support/scaled.js';
import { examine, type Examined } from './engine/examine.js';
import { NotDeterministic } from './engine/explore.js';
import { openGate } from './engine/gate.js';
import { mutations } from './engine/mutations.js';
import type { Laboratory } from './engine/scenario.js';
import { replay } from './engine/replay.js';
import { listsFromBothSides, scenarioOf, scenariosOf } from './operations/scenarios.js';
import { startClock } from './world/clock.js';
import { openWorld } from './world/world.js';

/** `npm run interleavings` sets them. */
const { INTERLEAVINGS_REPLAY, INTERLEAVINGS_ONLY = '', INTERLEAVINGS_SHARD = '1/1', INTERLEAVINGS_LOG } = process.env;
const isComplete = INTERLEAVINGS_LOG !== undefined;
const SCHEDULES = Number(process.env['INTERLEAVINGS_SCHEDULES'] ?? 5);
const FROM = Number(process.env['INTERLEAVINGS_FROM'] ?? 1);
const CRASHES = Number(process.env['INTERLEAVINGS_CRASHES'] ?? 10);

let laboratory: Laboratory;
beforeAll(async () => {
  const world = await openWorld(() => laboratory.gate.pause());
  laboratory = { world, clock: startClock(), gate: openGate(world.db.databaseName), serials: new Map() };
});
afterAll(async () => {
  laboratory.clock.stop();
  laboratory.gate.close();
  await laboratory.world.close();
});

/** `npm test` executes one scenario and one broken variant. */
const some = <T>(all: readonly T[]): readonly T[] => (isQuick ? all.slice(0, 1) : all);

const log = (line: string): void => {
  if (INTERLEAVINGS_LOG !== undefined) appendFileSync(INTERLEAVINGS_LOG, `${line}\n`);
};

const examineAgain: typeof examine = (...parameters) =>
  examine(...parameters).catch((error: unknown) => {
    if (!(error instanceof NotDeterministic)) throw error;
    log(`  repeated, as commands were held in another order ${error.message}`);
    return examine(...parameters);
  });

const limits = { schedules: SCHEDULES, crashes: CRASHES };

/** Pairs that use most of the protocol; `npm run interleavings` executes all pairs. */
const samples = [
  'article 2: takes card 1 | article 3: takes card 1',
  'author 1: sets articles 2 3 | author 2: sets articles 1 2',
  'page 1: price and title | page 2: add de',
  'page 1: price and title | page 1: delete',
  'article 1: sets tags 2 3 | tag 1: delete',
  'card 1: takes remark 2 | remark 1: subjects tags 2 3',
  'article 4: saves title | article 4: publishes the copy',
  'article 4: saves title | article 4: publishes what was asked for',
  'article 4: sends back | article 4: publishes what was asked for',
  'article 4: asks to publish | article 4: saves title',
  'article 4: delete | article 4: publishes what was asked for',
  'article 5: title | article 5: publishes what was asked for',
  'article 4: scalars | article 4: publishes the copy',
  'article 4: saves tags 1 2 and card 1 | article 4: discards the copy',
  'article 4: saves tags 1 2 and card 1 | tag 1: delete',
  'article 4: publishes the copy | tag 1: sets articles 3 4',
  'article 4: publishes the copy | article 4: unpublish',
  'article 4: saves title | article 4: delete',
  'author 4: restore | author 4: restore',
  'author 4: restore | author 4: remove for good',
  'author 4: restore | article 6: restore',
  'author 4: restore | article 3: author 1',
  'author 1: delete | article 1: author 2',
  'article 6: restore | article 2: takes card 3',
  'article 6: restore | tag 1: delete',
  'article 6: restore | tag 1: sets articles 3 4',
  'article 1: delete | author 1: delete',
  'page 2 (fr of 1): saves price and title | page 1: unpublish',
  'page 2 (fr of 1): saves price and title | page 2 (fr of 1): publishes the draft',
  'page 2 (fr of 1): publishes the draft | page 1: publishes the copy',
  'page 1: saves price and title | page 2 (fr of 1): publishes the draft',
];

/**
 * The undo of a batch was wrong once, one was refused with 404, a delete had two events, an update had one after it,
 * events showed what was undone, and a batch was refused for what another process had undone.
 */
const others = [
  'recorded: article 1: delete | article 1: delete',
  'recorded: article 1: scalars | article 1: delete',
  'recorded: article 1: title if unchanged | article 1: delete',
  'recorded: article: create with all | article x9: upsert',
  'recorded: article 1: other scalars | batch: code x1 refused to article 2',
  'recorded: article 1: scalars | batch: article with card 1, tag and author 1',
  'batch: code x1 refused to article 2 | article 3: takes card 1',
  'batch: article 1 if unchanged, tag 1 | article 1: connects tag 3, disconnects tag 1',
  'code: article 2 takes card 1, and is rolled back | article 3: takes card 1',
];

if (INTERLEAVINGS_REPLAY !== undefined) {
  test('replays a schedule', async () => {
    expect(await replay(laboratory, INTERLEAVINGS_REPLAY, log)).toEqual([]);
  });
} else if (isComplete) {
  const [shard = 1, shards = 1] = INTERLEAVINGS_SHARD.split('/').map(Number);
  const scenarios = scenariosOf(INTERLEAVINGS_ONLY)
    .slice(FROM - 1)
    .filter((_, index) => index % shards === shard - 1);
  test('every order and every crash leaves consistent data', async () => {
    if (scenarios.length === 0) log(`No pair of operations is named ${INTERLEAVINGS_ONLY}`);
    expect(scenarios.length).toBeGreaterThan(0);
    const start = process.hrtime();
    const all: Examined[] = [];
    for (const scenario of scenarios) {
      const examined = await examineAgain(laboratory, scenario, limits);
      all.push(examined);
      const { apart, schedules, crashes, crashedEverywhere, complete, findings } = examined;
      const extent = complete ? '' : crashedEverywhere ? ', at each command' : ', not all';
      const executed = `${schedules} schedules, ${crashes} crashes${extent}, ${findings.length} findings`;
      log(`${scenario.name}: ${apart ? 'nothing in common' : executed}`);
      for (const { seed, problems } of findings)
        log(`  --replay '${scenario.name} @ ${seed}'\n  ${problems.join('\n  ')}`);
    }
    const sum = (key: 'schedules' | 'crashes'): number => all.reduce((total, one) => total + one[key], 0);
    const seconds = process.hrtime(start)[0];
    log(
      `${all.length} scenarios, ${all.filter(({ apart }) => apart).length} without anything in common, ${all.filter(({ apart, complete }) => complete && !apart).length} complete, ${all.filter(({ apart, crashedEverywhere }) => crashedEverywhere && !apart).length} with crashes at each command: ${sum('schedules')} schedules, ${sum('crashes')} crashes in ${seconds} s`,
    );
    expect(all.flatMap(({ findings }) => findings)).toEqual([]);
  });
} else {
  const few = { schedules: 2, crashes: 4 };
  const pairs = [
    ...samples.map((name) => ({ name, most: limits })),
    ...others.map((name) => ({ name, most: few })),
    ...listsFromBothSides.map((name) => ({ name, most: { schedules: 12, crashes: 2 } })),
  ];
  // Each schedule is executed on a database.
  test.each(some(pairs))(
    'at the same time: $name',
    async ({ name, most }) => {
      const { findings, schedules } = await examineAgain(laboratory, scenarioOf(name), most);
      expect(findings).toEqual([]);
      expect(schedules).toBeGreaterThan(1);
    },
    minutes(5),
  );

  // As above, until a schedule finds it.
  test.each(some(mutations))(
    'it is found that $name',
    async ({ scenario, rewrite, schedules = 16 }) => {
      const broken = { ...laboratory, rewrite };
      const { findings } = await examineAgain(broken, scenarioOf(scenario), { schedules, crashes: 40 });
      const [finding] = findings;
      if (finding === undefined) throw new Error('nothing is found');
      const steps: string[] = [];
      const problems = await replay(broken, `${scenario} @ ${finding.seed}`, (line) => steps.push(line));
      expect(problems).toEqual(finding.problems);
      expect(steps.length).toBeGreaterThan(finding.seed.split(',').length);
      expect(steps.join('\n')).toMatch(/^a\.1 [a-zA-Z]+ /);
    },
    minutes(5),
  );
}
