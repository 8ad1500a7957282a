import { hasCode } from '../../../src/errors/app-error.js';
import type { Operation } from '../operations/operation.js';
import { finishAll, recoverAs } from '../world/recover.js';
import { viewOf } from '../world/view.js';
import type { World } from '../world/world.js';
import type { Clock } from '../world/clock.js';
import { findProblems } from '../world/oracles.js';
import type { Choose } from './explore.js';
import { openGate, type Outcome, type Rewrite } from './gate.js';
import { runSchedule, type Trace } from './run.js';

/** After this many steps this actor dies. */
export interface Crash {
  readonly after: number;
  readonly actor: string;
}

/** What an execution left. */
export interface Execution extends Trace {
  readonly view: string;
  /** What became of each operation, by its actor; without those that died. */
  readonly results: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}

/** Operations that run at the same time, each on a process of its own. */
export interface Scenario {
  readonly name: string;
  readonly operations: readonly Operation[];
}

export interface Laboratory {
  readonly world: World;
  readonly clock: Clock;
  /** A protocol that is broken on purpose. */
  readonly rewrite?: Rewrite | undefined;
  /** Replies are kept, for a replay. */
  readonly onReply?: ((id: string, reply: unknown) => void) | undefined;
}

/** The names of actors, in the order of the operations; the one that recovers is `r`. */
export const actorNames = ['a', 'b', 'c'] as const;

/** Executes one schedule, completes what is interrupted, looks at what is stored, and restores the beginning. */
export async function execute(
  { world, clock, rewrite, onReply }: Laboratory,
  operations: readonly (Operation | undefined)[],
  choose: Choose,
  crash?: Crash,
): Promise<Execution> {
  clock.restart();
  const gate = openGate(world.db.databaseName, { rewrite, ...(onReply !== undefined && { onReply }) });
  const written = new Set<string>();
  const instances = operations.map(() => world.open());
  const works = operations.flatMap((operation, index) => {
    const [name, instance] = [actorNames[index], instances[index]];
    if (operation === undefined || name === undefined || instance === undefined) return [];
    return [{ name, start: () => operation.run(instance) }];
  });
  try {
    const trace = await runSchedule(works, {
      gate,
      unique: world.unique,
      choose,
      crash,
      recover: (intents) => recoverAs(world, intents),
      tick: clock.tick,
    });
    for (const { footprint } of trace.steps) {
      for (const one of [...footprint.writes, ...footprint.increments]) written.add(one.replace(/[#!].*$/s, ''));
    }
    const results = new Map([...trace.outcomes].map(([name, outcome]) => [name, resultOf(outcome)]));
    if (trace.aborted) return { ...trace, view: '', results, problems: [] };
    const isSomethingLeft = await finishAll(world, clock, [...written]);
    const stored = await world.read();
    const alive = instances.filter((_, index) => actorNames[index] !== crash?.actor);
    const problems = await findProblems(world, stored, alive, [...written]);
    return { ...trace, view: viewOf(stored, world.registry), results, problems: [...isSomethingLeft, ...problems] };
  } finally {
    gate.close();
    await world.reset(written);
  }
}

function resultOf(outcome: Outcome): string {
  if (outcome.kind === 'done') return 'done';
  const { error } = outcome;
  const code = (error as { code?: unknown }).code;
  // A single type that is there already, a missing entry, a taken value: the client is told why.
  return hasCode(error, 'validation', 'invalidValue', 'notFound', 'application')
    ? `refused: ${String(code)}`
    : `failed: ${String(code)} ${error instanceof Error ? error.message : String(error)}`;
}
