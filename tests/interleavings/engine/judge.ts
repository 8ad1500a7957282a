import { areEvents, type Events } from '../world/events.js';
import type { Operation } from '../operations/operation.js';
import { areIndependent } from './points.js';
import { recoverers, type Step } from './run.js';
import {
  actorNames,
  execute,
  RECORDED,
  type ActorName,
  type Execution,
  type Laboratory,
  type Scenario,
} from './scenario.js';

/** The result of a serial execution of some of the operations. */
export interface Serial {
  readonly order: readonly string[];
  readonly view: string;
  readonly events: Events;
  readonly results: ReadonlyMap<string, string>;
}

/** The entries after a sequence of operations, and the outcome of each. */
export interface Sequential {
  readonly view: string;
  readonly events: Events;
  readonly results: readonly string[];
  readonly steps: Execution['steps'];
}

/** Gives the results of serial executions, in each order, with and without the operations that may be interrupted. */
export async function* executeSerially(laboratory: Laboratory, scenario: Scenario): AsyncIterable<Serial> {
  const { operations } = scenario;
  for (const order of orders(actorNames.slice(0, operations.length))) {
    const sequence = order.flatMap((name) => operations[actorNames.indexOf(name as ActorName)] ?? []);
    const { view, events, results } = await executeSequence(laboratory, { ...scenario, operations: sequence });
    yield { order, view, events, results: new Map(order.map((name, index) => [name, results[index] ?? ''])) };
  }
}

/** Whether no two commands of different operations touch anything in common: then each order has the same result. */
export async function areApart(laboratory: Laboratory, scenario: Scenario): Promise<boolean> {
  const steps: Step[] = [];
  for (const [index, operation] of scenario.operations.entries()) {
    const alone = await executeSequence(laboratory, { ...scenario, operations: [operation] });
    steps.push(...alone.steps.map((step) => ({ ...step, actor: actorNames[index] ?? '' })));
  }
  return areIndependent(steps);
}

/** Executes operations one after the other; each sequence is executed once. */
async function executeSequence(laboratory: Laboratory, { operations, isRecording }: Scenario): Promise<Sequential> {
  const { serials } = laboratory;
  const key = keyOf(operations, isRecording);
  const former = serials.get(key);
  if (former !== undefined) return former;
  const { view, events, results, problems, steps } = await execute(
    { ...laboratory, rewrite: undefined, onReply: undefined },
    { name: key, operations, isRecording },
    (enabled) => {
      const first = actorNames.find((name) => enabled.some(({ actor }) => actor === name));
      return enabled.find(({ actor }) => actor === first)?.id;
    },
  );
  if (problems.length > 0) throw new Error(`${key} alone: ${problems.join('; ')}`);
  const done = { view, events, results: [...results.values()], steps };
  serials.set(key, done);
  return done;
}

const keyOf = (operations: readonly Operation[], isRecording = false): string =>
  `${isRecording ? RECORDED : ''}${operations.map(({ name }) => name).join(' | ')}`;

/**
 * Remembers an execution in which each operation began after the one before had ended: usually the first of a scenario.
 */
export function rememberSerial(
  { serials, rewrite }: Laboratory,
  { operations, isSharing = false, isRecording }: Scenario,
  { steps, results, view, events, problems }: Execution,
): void {
  const order = steps.flatMap(({ actor }, index) => (actor === steps[index - 1]?.actor ? [] : [actor as ActorName]));
  const isComplete = order.length === operations.length && new Set(order).size === order.length;
  if (!isComplete || isSharing || rewrite !== undefined || problems.length > 0) return;
  const sequence = order.flatMap((actor) => operations[actorNames.indexOf(actor)] ?? []);
  serials.set(keyOf(sequence, isRecording), {
    view,
    events,
    steps,
    results: order.map((actor) => results.get(actor) ?? ''),
  });
}

/** All orders of all selections: that of the names first. */
const orders = (names: readonly string[]): readonly (readonly string[])[] => [
  ...names.flatMap((name) => orders(names.filter((other) => other !== name)).map((rest) => [name, ...rest])),
  [],
];

/**
 * Lists the problems of an execution: a result that no serial execution has, and rules that are broken. Of an actor
 * that died all or nothing may be done.
 */
export async function judge(
  execution: Execution,
  operations: readonly Operation[],
  serials: AsyncIterable<Serial>,
): Promise<readonly string[]> {
  const { results, view, problems, aborted } = execution;
  if (aborted) return ['the schedule is not deterministic'];
  const failed = [...results].flatMap(([name, result]) => (result.startsWith('failed') ? [`${name} ${result}`] : []));
  const acknowledged = [...results.keys()].filter((name) => !recoverers.includes(name));
  const batches = actorNames.filter((_, index) => operations[index]?.isBatch);
  const others: Serial[] = [];
  for await (const serial of serials) {
    const isUndone = (name: string): boolean => !serial.order.includes(name) || serial.results.get(name) !== 'done';
    // Others are refused because of what they see of a batch until it is undone.
    const isAnyUndone = (actor: string): boolean => batches.some((name) => name !== actor && isUndone(name));
    const mayBeAbsent = (name: string): boolean => {
      const result = results.get(name);
      return result === 'conflict' || (result !== 'done' && isAnyUndone(name));
    };
    if (!acknowledged.every((name) => serial.order.includes(name) || mayBeAbsent(name))) continue;
    const needed = acknowledged.filter((name) => serial.order.includes(name));
    const isSerial = needed.every((name) => {
      const [result, other] = [results.get(name), serial.results.get(name)];
      // Of several operations of a batch another one may be refused; two deletes of one entry are both done if one of
      // them is part of a batch.
      const isAlike = batches.includes(name as ActorName) ? result !== 'done' && other !== 'done' : false;
      return isSame(result, other) || isAlike || (batches.length > 0 && result === 'done' && other === 'not found');
    });
    const isAlive = acknowledged.length === operations.length;
    if (
      isSerial &&
      serial.view === view &&
      areEvents(execution.events, serial.events, { isAlive, hasBatch: batches.length > 0 })
    )
      return [...failed, ...problems];
    others.push(serial);
  }
  return [...failed, ...problems, describeDifference(execution, others)];
}

/** An update is answered with the entry: if that is deleted in between, it was done, and is not found. */
const isSame = (result: string | undefined, serial: string | undefined): boolean =>
  result === serial || (result === 'not found' && serial === 'done');

function describeDifference({ view, results, events }: Execution, serials: readonly Serial[]): string {
  const show = (some: ReadonlyMap<string, string>): string => [...some].flat().join(' ');
  const lines = view.split('\n');
  return [
    `the result is that of no serial execution; ${show(results)}`,
    ...serials.map((serial) => {
      const others = serial.view.split('\n');
      const missing = others.filter((line) => !lines.includes(line)).map((line) => `    - ${line}`);
      const added = lines.filter((line) => !others.includes(line)).map((line) => `    + ${line}`);
      const [expected, recorded] = [serial.events, events].map((all) => JSON.stringify([...all]));
      const differing = expected === recorded ? [] : [`    - ${expected}`, `    + ${recorded}`];
      const title = `  compared with ${serial.order.join(', ')} (${show(serial.results)}):`;
      return [title, ...missing, ...added, ...differing].join('\n');
    }),
  ].join('\n');
}
