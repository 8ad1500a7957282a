import type { Operation } from '../operations/operation.js';
import { recoverers } from './run.js';
import { actorNames, execute, type ActorName, type Execution, type Laboratory } from './scenario.js';

/** What a serial execution of some of the operations leaves. */
export interface Serial {
  readonly order: readonly string[];
  readonly view: string;
  readonly results: ReadonlyMap<string, string>;
}

/** What a sequence of operations leaves, and what became of each. */
export interface Sequential {
  readonly view: string;
  readonly results: readonly string[];
}

/** Executes the operations one after the other, in each order; with and without those that may be interrupted. */
export async function executeSerially(
  laboratory: Laboratory,
  operations: readonly Operation[],
): Promise<readonly Serial[]> {
  const names = actorNames.slice(0, operations.length);
  const serials: Serial[] = [];
  for (const order of orders(names)) {
    const sequence = order.flatMap((name) => operations[actorNames.indexOf(name as ActorName)] ?? []);
    const { view, results } = await executeSequence(laboratory, sequence);
    serials.push({ order, view, results: new Map(order.map((name, index) => [name, results[index] ?? ''])) });
  }
  return serials;
}

/** One after the other; what was executed in this order before is remembered. */
async function executeSequence(laboratory: Laboratory, sequence: readonly Operation[]): Promise<Sequential> {
  const { serials } = laboratory;
  const key = sequence.map(({ name }) => name).join(' | ');
  const former = serials.get(key);
  if (former !== undefined) return former;
  const { view, results, problems } = await execute(
    { ...laboratory, rewrite: undefined, onReply: undefined },
    { name: key, operations: sequence },
    (enabled) => {
      const first = actorNames.find((name) => enabled.some(({ actor }) => actor === name));
      return enabled.find(({ actor }) => actor === first)?.id;
    },
  );
  if (problems.length > 0) throw new Error(`${key} alone: ${problems.join('; ')}`);
  const done = { view, results: [...results.values()] };
  serials.set(key, done);
  return done;
}

/** All orders of all selections. */
const orders = (names: readonly string[]): readonly (readonly string[])[] => [
  [],
  ...names.flatMap((name) => orders(names.filter((other) => other !== name)).map((rest) => [name, ...rest])),
];

/**
 * What is wrong with an execution: it left something that no serial execution leaves, or breaks a rule. Of an actor that died
 * all or nothing may be done.
 */
export function judge(execution: Execution, serials: readonly Serial[]): readonly string[] {
  const { results, view, problems, aborted } = execution;
  if (aborted) return ['the schedule is not deterministic'];
  const failed = [...results].flatMap(([name, result]) => (result.startsWith('failed') ? [`${name} ${result}`] : []));
  const needed = [...results.keys()].filter((name) => !recoverers.includes(name));
  const isLike = ({ order, ...serial }: Serial): boolean =>
    needed.every((name) => order.includes(name) && isSame(results.get(name), serial.results.get(name))) &&
    serial.view === view;
  const isSerial = serials.some(isLike);
  const candidates = serials.filter(({ order }) => needed.every((name) => order.includes(name)));
  return [...failed, ...problems, ...(isSerial ? [] : [describeDifference(execution, candidates)])];
}

/** An update is answered with the entry: if that is deleted in between, it was done, and is not found. */
const isSame = (result: string | undefined, serial: string | undefined): boolean =>
  result === serial || (result === 'not found' && serial === 'done');

function describeDifference({ view, results }: Execution, serials: readonly Serial[]): string {
  const show = (some: ReadonlyMap<string, string>): string => [...some].flat().join(' ');
  const lines = view.split('\n');
  return [
    `the result is that of no serial execution; ${show(results)}`,
    ...serials.map((serial) => {
      const others = serial.view.split('\n');
      const missing = others.filter((line) => !lines.includes(line)).map((line) => `    - ${line}`);
      const added = lines.filter((line) => !others.includes(line)).map((line) => `    + ${line}`);
      return [`  compared with ${serial.order.join(', ')} (${show(serial.results)}):`, ...missing, ...added].join('\n');
    }),
  ].join('\n');
}
