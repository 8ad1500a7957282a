import type { Document } from 'mongodb';
import { partsIn } from './part.js';
import type { Actor, Command, Gate, HeldCommand, Outcome } from './gate.js';
import { footprintOf, type Footprint, type UniqueFields } from './footprint.js';
import { sequence } from './sequence.js';

/** A command that could be sent next. */
export interface Choice {
  readonly id: string;
  readonly actor: string;
  readonly command: Command;
  readonly footprint: Footprint;
}

/** A moment at which one of several commands is sent. */
export interface Step extends Choice {
  readonly enabled: readonly Choice[];
  /** The number of steps before this command was held: it may depend on those of its own actor. */
  readonly born: number;
  /** See `partsIn`. */
  readonly parts: number;
}

/** The work of one actor; each has a process of its own. */
export interface Work {
  readonly name: string;
  readonly start: () => Promise<unknown>;
}

/** After this many steps this actor dies. */
export interface Crash {
  readonly after: number;
  readonly actor: string;
  /** How many parts of its last command were executed; undefined: all. */
  readonly parts?: number | undefined;
  /** It only seems dead, and goes on. */
  readonly survives?: boolean | undefined;
}

export interface Trace {
  readonly steps: readonly Step[];
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** No step was chosen at the end. */
  readonly aborted: boolean;
}

export interface Schedule {
  readonly gate: Gate;
  readonly unique: UniqueFields;
  /** Chooses the next command; undefined ends the run. */
  readonly choose: (enabled: readonly Choice[], step: number) => string | undefined;
  /** After this many steps the process of this actor dies, and another one recovers. */
  readonly crashes: readonly Crash[];
  /** The command as it is if its process dies after this many parts. */
  readonly firstParts: (command: Command, parts: number) => Promise<Document | undefined>;
  /** All works run in one process: they die together, and wait for each other's commands. */
  readonly isSharing: boolean;
  /** Prepares the recovery of a process, given the ids of its transactions. */
  readonly recover: (transactions: readonly string[]) => Promise<() => Promise<unknown>>;
  /** Called before each step: time passes. */
  readonly tick: () => void;
  /** Called when all processes wait for each other. */
  readonly wait: () => void;
}

/** The actors that recover; the second one, after the first one died. */
export const recoverers: readonly string[] = ['r', 's'];

/** Runs all works at once, one command at a time, in the order that `choose` gives. */
export async function runSchedule(works: readonly Work[], schedule: Schedule): Promise<Trace> {
  const { gate, unique, choose, crashes, isSharing, tick } = schedule;
  const actors = works.map(({ name, start }) => {
    tick();
    return gate.start(name, start);
  });
  const steps: Step[] = [];
  const born = new Map<string, number>();
  const transactions: string[] = [];
  const names = [...recoverers];
  const pending = new Set(crashes);
  const abort = async (): Promise<Trace> => {
    await kill(gate, actors, isSharing);
    return { steps, outcomes: outcomesOf(actors), aborted: true };
  };
  const choiceOf = ({ id, actor, command }: HeldCommand): Choice => {
    if (!born.has(id)) born.set(id, steps.length);
    return { id, actor: actor.name, command, footprint: footprintOf(command, unique) };
  };
  for (;;) {
    await gate.quiet(actors, isSharing);
    const crash = [...pending].find(({ after }) => after === steps.length);
    const victims = actors.filter(
      ({ name, crashed }) => !crashed && (isSharing ? !recoverers.includes(name) : name === crash?.actor),
    );
    if (crash !== undefined) pending.delete(crash);
    if (crash !== undefined && victims.length > 0) {
      if (crash.survives !== true) await kill(gate, victims, isSharing);
      actors.push(gate.start(names.shift() ?? '', await schedule.recover(transactions)));
      continue;
    }
    const held = actors.flatMap((actor) => [...actor.held.values()]);
    if (held.length === 0 && actors.some(({ pauses }) => pauses.size > 0)) {
      schedule.wait();
      for (const actor of actors) resume(actor);
      continue;
    }
    if (held.length === 0) return { steps, outcomes: outcomesOf(actors), aborted: false };
    const enabled = held.map(choiceOf);
    const chosen = choose(enabled, steps.length);
    const next = held.find(({ id }) => id === chosen);
    const choice = enabled.find(({ id }) => id === chosen);
    if (next === undefined || choice === undefined) {
      return abort();
    }
    const { name, collection, body } = choice.command;
    if (name === 'update' && collection === '_transactions') {
      const isVictim = isSharing || crashes.some(({ actor }) => actor === choice.actor);
      const begun = sequence(body['updates']).filter(({ u }) => JSON.stringify(u).includes('"open"'));
      if (isVictim) transactions.push(...begun.map(({ q }) => String((q as Document)['_id'])));
    }
    tick();
    const interrupted = crashes.find(({ after, parts }) => after === steps.length + 1 && parts !== undefined)?.parts;
    const instead = interrupted === undefined ? undefined : await schedule.firstParts(choice.command, interrupted);
    // Another command than the one that was to be interrupted.
    if (interrupted !== undefined && instead === undefined) return abort();
    const reply = await next.send(instead);
    const parts = partsIn(choice.command, reply);
    for (const actor of actors) if (actor !== next.actor) resume(actor);
    steps.push({ ...choice, enabled, born: born.get(choice.id) ?? 0, parts });
  }
}

/** Ends its pauses. */
function resume({ pauses }: Actor): void {
  for (const go of pauses) go();
  pauses.clear();
}

/** From now on nothing of them is sent. */
async function kill(gate: Gate, actors: readonly Actor[], isSharing: boolean): Promise<void> {
  for (const actor of actors) {
    actor.crashed = true;
    resume(actor);
  }
  for (;;) {
    await gate.quiet(actors, isSharing);
    const held = actors.flatMap((actor) => [...actor.held.values()]);
    if (held.length === 0) return;
    for (const command of held) await command.send();
  }
}

const outcomesOf = (actors: readonly Actor[]): ReadonlyMap<string, Outcome> =>
  new Map(
    actors.flatMap(({ name, outcome, crashed }) =>
      crashed || outcome === undefined ? [] : [[name, outcome] as const],
    ),
  );
