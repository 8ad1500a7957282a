import { explore, happensBefore, type Choose } from './explore.js';
import { executeSerially, judge } from './judge.js';
import { actorNames, execute, type Crash, type Laboratory, type Scenario } from './scenario.js';
import type { Step } from './run.js';

export interface Limits {
  /** Schedules of each scenario. */
  readonly schedules: number;
  /** Crashes of each scenario. */
  readonly crashes: number;
}

export interface Finding {
  readonly scenario: string;
  /** Executes the same again. */
  readonly seed: string;
  readonly problems: readonly string[];
}

/** What was executed. */
export interface Examined {
  readonly scenario: string;
  readonly schedules: number;
  readonly redundant: number;
  readonly crashes: number;
  readonly complete: boolean;
  readonly findings: readonly Finding[];
}

/** Findings of one scenario after which no more are looked for. */
const MAX_FINDINGS = 3;

/** When recovery runs after a crash: before the others go on, or after they ended. */
const recoveries = ['early', 'late'] as const;
export type Recovery = (typeof recoveries)[number];

/** Executes every order of the operations, then every crash: after each command, with recovery early and late. */
export async function examine(laboratory: Laboratory, scenario: Scenario, limits: Limits): Promise<Examined> {
  const { operations, name } = scenario;
  const serials = await executeSerially(laboratory, operations);
  const findings: Finding[] = [];
  const points = new Map<string, { readonly steps: readonly string[]; readonly crash: Crash }>();
  const note = (steps: readonly string[], problems: readonly string[], crash?: Crash, recovery?: Recovery): void => {
    if (problems.length === 0 || findings.length >= MAX_FINDINGS) return;
    findings.push({ scenario: name, seed: seedOf(steps, crash, recovery), problems });
  };
  const { traces, redundant, complete } = await explore(
    (choose) => execute(laboratory, operations, choose),
    (trace) => {
      const steps = trace.steps.map(({ id }) => id);
      note(steps, judge(trace, serials));
      for (const [index, step] of trace.steps.entries()) {
        // After a read, or a number that nobody uses, as much is stored as before.
        if (step.footprint.writes.every((one) => one.startsWith('_counters#'))) continue;
        const crash = { after: index + 1, actor: step.actor };
        const key = `${step.actor} ${canonical(trace.steps.slice(0, index + 1))}`;
        if (!points.has(key)) points.set(key, { steps: steps.slice(0, index + 1), crash });
      }
    },
    { limit: limits.schedules },
  );
  let crashes = 0;
  for (const { steps, crash } of points.values()) {
    if (crashes >= limits.crashes || findings.length >= MAX_FINDINGS) break;
    for (const recovery of recoveries) {
      const execution = await execute(laboratory, operations, follow(steps, recovery), crash);
      crashes += 1;
      note(steps, judge(execution, serials, crash.actor), crash, recovery);
    }
  }
  const isComplete = complete && crashes === points.size * recoveries.length;
  return { scenario: name, schedules: traces, redundant, crashes, complete: isComplete, findings };
}

/** Takes these steps, then those of the actor that recovers first or last. */
export const follow =
  (steps: readonly string[], recovery: Recovery | undefined): Choose =>
  (enabled, index) => {
    const planned = steps[index];
    if (planned !== undefined) return planned;
    const order = recovery === 'early' ? ['r', ...actorNames] : [...actorNames, 'r'];
    const actor = order.find((name) => enabled.some((choice) => choice.actor === name));
    return enabled.find((choice) => choice.actor === actor)?.id;
  };

/** The same for orders of the same steps that differ only in commands that commute. */
function canonical(steps: readonly Step[]): string {
  const before = happensBefore(steps);
  let done = 0n;
  const order: string[] = [];
  while (order.length < steps.length) {
    const ready = steps.flatMap(({ id }, index) => {
      const bit = 1n << BigInt(index);
      return (done & bit) === 0n && ((before[index] ?? 0n) & ~done) === 0n ? [{ id, bit }] : [];
    });
    const [next] = ready.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    if (next === undefined) break;
    done |= next.bit;
    order.push(next.id);
  }
  return order.join(' ');
}

/** A schedule as a string: the actor of each step and the number of its command, then the crash. */
export const seedOf = (steps: readonly string[], crash?: Crash, recovery?: Recovery): string =>
  [steps.join(','), ...(crash === undefined ? [] : [crash.actor, recovery])].join(':');
