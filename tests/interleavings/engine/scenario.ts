import { hasCode } from '../../../src/errors/app-error.js';
import type { Operation } from '../operations/operation.js';
import { eventsOf, noEvents, type Events } from '../world/events.js';
import { finishAll, recoverAs } from '../world/recover.js';
import { viewOf, type Stored } from '../world/view.js';
import type { World } from '../world/world.js';
import type { Clock } from '../world/clock.js';
import { findProblems } from '../world/oracles.js';
import type { Choose } from './explore.js';
import type { Gate, Outcome, Rewrite } from './gate.js';
import type { Sequential } from './judge.js';
import { firstParts } from './part.js';
import { follow, type Point } from './points.js';
import { runSchedule, type Crash, type Trace } from './run.js';

/** The result of an execution. */
export interface Execution extends Trace {
  readonly view: string;
  readonly events: Events;
  /** The outcome of each operation, by its actor; without those that died. */
  readonly results: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}

/** Operations that run at the same time, each on a process of its own. */
export interface Scenario {
  readonly name: string;
  readonly operations: readonly Operation[];
  /** All of them run in one process, whose commands they share. */
  readonly isSharing?: boolean;
  /** The processes record their writes as events. */
  readonly isRecording?: boolean | undefined;
}

/** Before the name of a scenario whose processes record their writes. */
export const RECORDED = 'recorded: ';

export interface Laboratory {
  readonly world: World;
  readonly clock: Clock;
  readonly gate: Gate;
  /** The results of serial executions, by the names of their operations. */
  readonly serials: Map<string, Sequential>;
  /** A protocol that is broken on purpose. */
  readonly rewrite?: Rewrite | undefined;
  /** Replies are kept, for a replay. */
  readonly onReply?: ((id: string, reply: unknown) => void) | undefined;
}

/** The names of actors, in the order of the operations. */
export const actorNames = ['a', 'b', 'c'] as const;
export type ActorName = (typeof actorNames)[number];

/** Milliseconds that pass when all processes wait for each other: one of them gives up soon. */
const WAIT_MS = 100;

/** Executes one schedule, completes interrupted writes, examines the stored entries, and restores the seed. */
export async function execute(
  { world, clock, gate, rewrite, onReply }: Laboratory,
  { operations, isSharing = false, isRecording = false }: Scenario,
  choose: Choose,
  crashes: readonly Crash[] = [],
): Promise<Execution> {
  clock.restart();
  const written = new Set<string>();
  let stored: Stored | undefined;
  const only = isSharing ? world.open() : undefined;
  const instances = operations.map(() => only ?? world.open(isRecording));
  if (isRecording) await Promise.all(instances.map(({ store }) => store.events.turnOn()));
  const works = operations.flatMap((operation, index) => {
    const [name, instance] = [actorNames[index], instances[index]];
    if (name === undefined || instance === undefined) return [];
    const start = async (): Promise<void> => {
      await operation.run(instance);
    };
    return [{ name, start }];
  });
  try {
    const trace = await runSchedule(works, {
      gate: { ...gate, start: (name, work) => gate.start(name, work, { rewrite, onReply }) },
      unique: world.unique,
      choose,
      crashes,
      firstParts: (command, parts) => firstParts(world.db, command, parts),
      isSharing,
      recover: (transactions) => recoverAs(world, transactions),
      tick: clock.tick,
      wait: () => clock.wait(WAIT_MS),
    });
    for (const { footprint } of trace.steps) {
      for (const { of } of [...footprint.writes, ...footprint.increments]) written.add(of.replace(/!.*$/s, ''));
    }
    const results = new Map([...trace.outcomes].map(([name, outcome]) => [name, resultOf(outcome)]));
    if (trace.aborted) return { ...trace, view: '', events: new Map(), results, problems: [] };
    const isSomethingLeft = await finishAll(world, [...written]);
    stored = await world.read(written);
    const alive = instances.filter((_, index) =>
      crashes.every(({ actor, survives }) => survives === true || (!isSharing && actor !== actorNames[index])),
    );
    const problems = await findProblems(world, stored, alive);
    const { events, problems: wrongEvents } = isRecording
      ? await eventsOf(
          world,
          stored,
          crashes.every(({ survives }) => survives === true),
        )
      : noEvents;
    const view = viewOf(stored, world.registry);
    return { ...trace, view, events, results, problems: [...isSomethingLeft, ...problems, ...wrongEvents] };
  } finally {
    await world.reset(written, stored);
  }
}

function resultOf(outcome: Outcome): string {
  if (outcome.kind === 'done') return 'done';
  const { error } = outcome;
  const code = (error as { code?: unknown }).code;
  if (hasCode(error, 'notFound')) return 'not found';
  // Nothing was done, because others wrote at the same time.
  if (hasCode(error, 'conflict')) return 'conflict';
  // A single type that is there already, a taken value, an outdated version: which of several reasons is told may
  // differ.
  return hasCode(error, 'validation', 'invalidValue', 'badRequest', 'application', 'preconditionFailed')
    ? 'refused'
    : `failed: ${String(code)} ${error instanceof Error ? error.message : String(error)}`;
}

/** Executions of one schedule until it comes out as it was planned. */
const ATTEMPTS = 5;

/**
 * Executes a schedule that was found before. On a busy machine commands of one actor, sent at the same moment, can come
 * in another order: then it is executed again.
 */
export async function executeAgain(
  laboratory: Laboratory,
  scenario: Scenario,
  { steps, recovery, crashes }: Point,
): Promise<Execution> {
  const repeat = (): Promise<Execution> => execute(laboratory, scenario, follow(steps, recovery), crashes);
  let execution = await repeat();
  for (let attempt = 1; execution.aborted && attempt < ATTEMPTS; attempt += 1) execution = await repeat();
  return execution;
}
