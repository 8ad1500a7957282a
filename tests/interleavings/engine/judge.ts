import type { Operation } from '../operations/operation.js';
import { actorNames, execute, type Execution, type Laboratory } from './scenario.js';

/** What a serial execution of some of the operations leaves. */
export interface Serial {
  readonly order: readonly string[];
  readonly view: string;
  readonly results: ReadonlyMap<string, string>;
}

/** Executes the operations one after the other, in each order; with and without those that may be interrupted. */
export async function executeSerially(
  laboratory: Laboratory,
  operations: readonly Operation[],
): Promise<readonly Serial[]> {
  const names = actorNames.slice(0, operations.length);
  const serials: Serial[] = [];
  for (const order of orders(names)) {
    const some = operations.map((operation, index) =>
      order.includes(actorNames[index] as string) ? operation : undefined,
    );
    const { view, results, problems } = await execute(
      { world: laboratory.world, clock: laboratory.clock },
      some,
      (enabled) => {
        const first = order.find((name) => enabled.some(({ actor }) => actor === name));
        return enabled.find(({ actor }) => actor === first)?.id;
      },
    );
    if (problems.length > 0) throw new Error(`${order.join(' then ')} alone: ${problems.join('; ')}`);
    serials.push({ order, view, results });
  }
  return serials;
}

/** All orders of all selections. */
const orders = (names: readonly string[]): readonly (readonly string[])[] => [
  [],
  ...names.flatMap((name) => orders(names.filter((other) => other !== name)).map((rest) => [name, ...rest])),
];

/** What is wrong with an execution: it left something that no serial execution leaves, or breaks a rule. */
export function judge(execution: Execution, serials: readonly Serial[], died?: string): readonly string[] {
  const { results, view, problems } = execution;
  const failed = [...results].flatMap(([name, result]) => (result.startsWith('failed') ? [`${name} ${result}`] : []));
  const needed = [...results.keys()].filter((name) => name !== 'r');
  const isLike = ({ order, ...serial }: Serial): boolean =>
    needed.every((name) => order.includes(name) && serial.results.get(name) === results.get(name)) &&
    order.every((name) => name === died || needed.includes(name)) &&
    serial.view === view;
  const isSerial = serials.some(isLike);
  const candidates = serials.filter(({ order }) => needed.every((name) => order.includes(name)));
  return [...failed, ...problems, ...(isSerial ? [] : [describeDifference(execution, candidates)])];
}

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
