import type { Step } from './run.js';
import { explore, type Choose } from './explore.js';
import { chooseByChance, takeApart } from './sample.js';
import { areApart, executeSerially, judge, rememberSerial } from './judge.js';
import { pointsOf, recoveryPointsOf, seedOf, type Point } from './points.js';
import { execute, executeAgain, type Execution, type Laboratory, type Scenario } from './scenario.js';

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

export interface Examined {
  readonly scenario: string;
  /** The operations touch nothing in common, so that there is nothing to execute. */
  readonly apart: boolean;
  readonly schedules: number;
  readonly redundant: number;
  readonly crashes: number;
  /** Each schedule was executed with a crash after each of its commands that write. */
  readonly crashedEverywhere: boolean;
  /** Every schedule and every crash was executed, those of processes that recover too. */
  readonly complete: boolean;
  readonly findings: readonly Finding[];
}

/** Findings of one scenario after which no more are looked for. */
const MAX_FINDINGS = 3;

/**
 * Executes every order of operations that touch something in common, then every crash: after each command, first with
 * early recovery and then with late, and after each command of an early recovery.
 */
export async function examine(laboratory: Laboratory, scenario: Scenario, limits: Limits): Promise<Examined> {
  const { name, operations, isSharing = false } = scenario;
  if (operations.length > 1 && !isSharing && (await areApart(laboratory, scenario))) {
    return {
      scenario: name,
      apart: true,
      schedules: 0,
      redundant: 0,
      crashes: 0,
      crashedEverywhere: true,
      complete: true,
      findings: [],
    };
  }
  const judged = (execution: Execution) => judge(execution, operations, executeSerially(laboratory, scenario));
  const findings: Finding[] = [];
  const points = new Map<string, Point>();
  const note = (steps: readonly string[], problems: readonly string[], point?: Point): void => {
    if (problems.length === 0 || findings.length >= MAX_FINDINGS) return;
    findings.push({ scenario: name, seed: seedOf(steps, point), problems });
  };
  const noteTrace = async (trace: Execution): Promise<void> => {
    rememberSerial(laboratory, scenario, trace);
    note(idsOf(trace.steps), await judged(trace));
    for (const [key, point] of pointsOf(trace, isSharing)) if (!points.has(key)) points.set(key, point);
  };
  const run = (choose: Choose): Promise<Execution> => execute(laboratory, scenario, choose);
  const { traces, redundant, complete } = await explore(run, noteTrace, { limit: limits.schedules });
  const samples = complete ? 0 : Math.floor(limits.schedules / 2);
  for (let seed = 0; seed < samples; seed += 1) await noteTrace(await run(chooseByChance(seed)));
  const early = [...points.values()].filter(({ recovery }) => recovery === 'early');
  const late = [...points.values()].filter(({ recovery }) => recovery !== 'early');
  const inRecovery: Point[] = [];
  let crashes = 0;
  while (crashes < limits.crashes && findings.length < MAX_FINDINGS) {
    const point = takeApart(early, crashes) ?? takeApart(late, crashes) ?? takeApart(inRecovery, crashes);
    if (point === undefined) break;
    const execution = await executeAgain(laboratory, scenario, point);
    crashes += 1;
    note(point.steps, await judged(execution), point);
    if (point.crashes.length === 1 && point.recovery === 'early' && point.crashes[0]?.survives !== true)
      inRecovery.push(...recoveryPointsOf(execution, point));
  }
  return {
    scenario: name,
    apart: false,
    schedules: traces + samples,
    redundant,
    crashes,
    crashedEverywhere: early.length === 0,
    complete: complete && early.length + late.length + inRecovery.length === 0,
    findings,
  };
}

const idsOf = (steps: readonly Step[]): readonly string[] => steps.map(({ id }) => id);
