import { areDependent } from './footprint.js';
import { happensBefore, type Choose } from './explore.js';
import type { Crash, Step, Trace } from './run.js';

/** When the one that recovers runs: before the others go on, or after they ended. */
export type Recovery = 'early' | 'late';

/** A schedule up to a crash, and who goes on first. */
export interface Point {
  readonly steps: readonly string[];
  readonly crashes: readonly Crash[];
  readonly recovery: Recovery;
}

/** After a read, or a number that nobody uses, as much is stored as before. */
const isWrite = ({ footprint }: Step): boolean => footprint.writes.some(({ of }) => of !== '_counters');

/**
 * The crashes that differ, by a key: after each write that another one of the same actor follows, and between the parts
 * of a write. Where a process can die, it can also seem dead, and go on after others have recovered its transaction.
 */
export function pointsOf({ steps }: Trace, isSharing: boolean): readonly (readonly [string, Point])[] {
  return crashesOf(steps, (step) => step.actor !== 'r', isSharing).flatMap(({ prefix, crash, isAlone }) => {
    const key = `${isSharing ? 'all' : crash.actor} ${crash.parts ?? 'all'} ${canonical(prefix)}`;
    const point = { steps: idsOf(prefix), crashes: [crash] };
    const recoveries = isAlone || isSharing ? (['early'] as const) : (['early', 'late'] as const);
    const suspicion: Point = { ...point, crashes: [{ ...crash, survives: true }], recovery: 'early' };
    return [
      ...recoveries.map((recovery) => [`${recovery} ${key}`, { ...point, recovery }] as const),
      ...(isSharing || crash.parts !== undefined ? [] : [[`suspected ${key}`, suspicion] as const]),
    ];
  });
}

/** The crashes of the process that recovers: it dies too, and the next one recovers after the others ended. */
export function recoveryPointsOf({ steps }: Trace, { crashes }: Point): readonly Point[] {
  return crashesOf(steps, ({ actor }) => actor === 'r', false).map(({ prefix, crash }) => ({
    steps: idsOf(prefix),
    crashes: [...crashes, crash],
    recovery: 'late',
  }));
}

interface Found {
  readonly prefix: readonly Step[];
  readonly crash: Crash;
  /** The others have ended. */
  readonly isAlone: boolean;
}

function crashesOf(steps: readonly Step[], mayDie: (step: Step) => boolean, isSharing: boolean): readonly Found[] {
  return steps.flatMap((step, index) => {
    const { actor } = step;
    if (!mayDie(step) || !isWrite(step)) return [];
    const left = steps.slice(index + 1);
    const dies = (later: Step): boolean => isSharing || later.actor === actor;
    const isLast = !left.some((later) => dies(later) && isWrite(later));
    const found = { prefix: steps.slice(0, index + 1), isAlone: left.every(dies) };
    return [...partial(step), ...(isLast ? [] : [undefined])].map((parts) => ({
      ...found,
      crash: { after: index + 1, actor, ...(parts !== undefined && { parts }) },
    }));
  });
}

/** Only the first part, and all but the last. */
const partial = ({ parts }: Step): readonly number[] => (parts > 1 ? [...new Set([1, parts - 1])] : []);

const idsOf = (steps: readonly Step[]): readonly string[] => steps.map(({ id }) => id);

/** Commands of different actors commute, so that each crash is one that an actor has alone. */
export const areIndependent = (steps: readonly Step[]): boolean =>
  steps.every((one, index) =>
    steps.slice(index + 1).every((other) => one.actor === other.actor || !areDependent(one.footprint, other.footprint)),
  );

/** Takes these steps, then those of the actor that recovers first or last. */
export const follow =
  (steps: readonly string[], recovery: Recovery | undefined): Choose =>
  (enabled, index) => {
    const planned = steps[index];
    if (planned !== undefined) return planned;
    const others = [...new Set(enabled.map(({ actor }) => actor))].toSorted();
    const order = recovery === 'early' ? ['r', ...others] : others;
    const actor = order.find((name) => enabled.some((choice) => choice.actor === name));
    return enabled.find((choice) => choice.actor === actor)?.id;
  };

/** A text that is equal for orders of the same steps that differ only in commands that commute. */
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

/** A schedule as a text: the number of each command of each actor, then the crashes, then who goes on first. */
export const seedOf = (steps: readonly string[], point?: Point): string =>
  [
    steps.join(','),
    ...(point === undefined
      ? []
      : [
          point.crashes
            .map(
              ({ after, actor, parts, survives }) =>
                `${actor}@${after}${parts === undefined ? '' : `/${parts}`}${survives === true ? '!' : ''}`,
            )
            .join(','),
          point.recovery,
        ]),
  ].join(':');

/** The schedule again. */
export function pointOfSeed(seed: string): Point {
  const [listed = '', crashes = '', recovery = 'late'] = seed.split(':');
  return {
    steps: listed.split(','),
    crashes: crashes.split(',').flatMap((crash) => {
      const survives = crash.endsWith('!');
      const [actor = '', after, parts] = crash.replace('!', '').split(/[@/]/);
      if (after === undefined) return [];
      return [
        {
          actor,
          after: Number(after),
          ...(parts !== undefined && { parts: Number(parts) }),
          ...(survives && { survives }),
        },
      ];
    }),
    recovery: recovery === 'early' ? 'early' : 'late',
  };
}
