import { areDependent, noFootprint, type Footprint } from './footprint.js';
import type { Choice, Step, Trace } from './run.js';

/** A moment of the current schedule, with the commands that were tried there. */
interface Node {
  readonly enabled: readonly string[];
  chosen: string;
  /** The commands to try here: each gives another order of commands that depend on each other. */
  readonly backtrack: Set<string>;
  /** Commands that were tried, or that lead only to schedules that were tried elsewhere. */
  readonly sleep: Map<string, Footprint>;
}

export type Choose = (enabled: readonly Choice[], step: number) => string | undefined;

export interface Explored {
  /** Schedules that were executed to their end. */
  readonly traces: number;
  /** Executions that were ended because they led to a schedule that was tried before. */
  readonly redundant: number;
  /** No schedule is left. */
  readonly complete: boolean;
}

/**
 * Executes every order of the commands that depend on each other, depth first: where two of them meet in an executed
 * schedule, the other order is tried too. Orders that differ only in commands that commute are executed once.
 * @param first steps that are always the same: only later ones are tried in other orders
 */
export async function explore<T extends Trace>(
  execute: (choose: Choose) => Promise<T>,
  onTrace: (trace: T) => Promise<void>,
  { limit, first = [] }: { readonly limit: number; readonly first?: readonly string[] },
): Promise<Explored> {
  const nodes: Node[] = [];
  let traces = 0;
  let redundant = 0;
  for (;;) {
    const trace = await execute((enabled, step) => {
      const planned = first[step] ?? nodes[step - first.length]?.chosen;
      if (planned !== undefined) return planned;
      const node = nextNode(enabled, nodes.at(-1));
      if (node === undefined) return undefined;
      nodes.push(node);
      return node.chosen;
    });
    assertSame(trace, nodes, first.length);
    if (trace.aborted) redundant += 1;
    else {
      traces += 1;
      await onTrace(trace);
    }
    addRaces(trace.steps, nodes, first.length);
    if (!advance(nodes)) return { traces, redundant, complete: true };
    if (traces + redundant >= limit) return { traces, redundant, complete: false };
  }
}

/** The next moment: commands sleep there that slept before and commute with the last step. */
function nextNode(enabled: readonly Choice[], before: Node | undefined): Node | undefined {
  const footprints = new Map(enabled.map(({ id, footprint }) => [id, footprint]));
  const last = before && lastFootprints.get(before)?.get(before.chosen);
  const sleep = new Map(
    [...(before?.sleep ?? [])].filter(([id, own]) => id !== before?.chosen && !areDependent(own, last ?? noFootprint)),
  );
  // It goes on with the actor of the last step, so that the first schedules are nearly serial.
  const actor = before?.chosen.replace(/\..*/, '');
  const awake = enabled.filter(({ id }) => !sleep.has(id));
  const chosen = (awake.find((one) => one.actor === actor) ?? awake[0])?.id;
  if (chosen === undefined) return undefined;
  const node = { enabled: enabled.map(({ id }) => id), chosen, backtrack: new Set([chosen]), sleep };
  lastFootprints.set(node, footprints);
  return node;
}

const lastFootprints = new WeakMap<Node, ReadonlyMap<string, Footprint>>();

/** Turns to the last moment at which something is left to try; false if nothing is. */
function advance(nodes: Node[]): boolean {
  for (let node = nodes.at(-1); node !== undefined; node = nodes.at(-1)) {
    node.sleep.set(node.chosen, lastFootprints.get(node)?.get(node.chosen) ?? noFootprint);
    const { sleep } = node;
    const next = [...node.backtrack].find((id) => !sleep.has(id));
    if (next !== undefined) {
      node.chosen = next;
      return true;
    }
    nodes.pop();
  }
  return false;
}

/** On a busy machine a command can be held later than in an earlier execution. */
export class NotDeterministic extends Error {}

/**
 * Equal choices must lead to equal moments: otherwise findings could not be repeated.
 * @throws NotDeterministic
 */
function assertSame({ steps }: Trace, nodes: readonly Node[], skipped: number): void {
  for (const [index, node] of nodes.entries()) {
    const step = steps[index + skipped];
    const found = step?.enabled.map(({ id }) => id).join(' ');
    if (step !== undefined && found !== node.enabled.join(' ')) {
      throw new NotDeterministic(`at step ${index + skipped}: ${found} instead of ${node.enabled.join(' ')}`);
    }
  }
}

/**
 * Marks the commands to try: they give the other order of each two steps that depend on each other and can change
 * places.
 */
function addRaces(steps: readonly Step[], nodes: readonly Node[], skipped: number): void {
  const before = happensBefore(steps);
  for (const [at, step] of steps.entries()) {
    let covered = 0n;
    for (let earlier = at - 1; earlier >= 0; earlier -= 1) {
      const other = steps[earlier] as Step;
      const isOrdered = other.actor === step.actor && earlier < step.born;
      if (!isOrdered && !areDependent(other.footprint, step.footprint)) continue;
      if (!isOrdered && earlier >= skipped && (covered & (1n << BigInt(earlier))) === 0n) {
        addRace(steps, before, earlier, at, nodes[earlier - skipped]);
      }
      covered |= (before[earlier] ?? 0n) | (1n << BigInt(earlier));
    }
  }
}

/** For each step the earlier steps that it depends on, directly or not, as bits. */
export function happensBefore(steps: readonly Step[]): readonly bigint[] {
  const before: bigint[] = [];
  for (const [at, step] of steps.entries()) {
    let bits = 0n;
    for (let earlier = 0; earlier < at; earlier += 1) {
      const other = steps[earlier] as Step;
      const isOrdered = other.actor === step.actor && earlier < step.born;
      if (isOrdered || areDependent(other.footprint, step.footprint)) {
        bits |= (before[earlier] ?? 0n) | (1n << BigInt(earlier));
      }
    }
    before.push(bits);
  }
  return before;
}

/** Tries at `node` one of the steps that lead to the later step without the earlier one. */
function addRace(
  steps: readonly Step[],
  before: readonly bigint[],
  earlier: number,
  at: number,
  node: Node | undefined,
): void {
  if (node === undefined) return;
  const bit = 1n << BigInt(earlier);
  const between = [...Array(at - earlier - 1).keys()].map((index) => earlier + 1 + index);
  const without = [...between.filter((index) => ((before[index] ?? 0n) & bit) === 0n), at];
  const all = without.reduce((bits, index) => bits | (1n << BigInt(index)), 0n);
  const own = steps[at] as Step;
  const initials = without
    .filter((index) => ((before[index] ?? 0n) & all) === 0n)
    .map((index) => (steps[index] as Step).id)
    .filter((id) => node.enabled.includes(id));
  if (initials.some((id) => node.backtrack.has(id) || node.sleep.has(id))) return;
  const next = initials.find((id) => id.startsWith(`${own.actor}.`)) ?? initials[0];
  if (next !== undefined) node.backtrack.add(next);
}
