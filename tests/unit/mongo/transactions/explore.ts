import { Failed, type Command, type Database, type Outcome, type Program } from './protocol.js';

/** Programs that run at once on a database, and what may happen to them. */
export interface World {
  readonly database: Database;
  readonly processes: readonly Process[];
  /**
   * How often a process may die before it sends a command, or while the command is on its way and arrives at any later
   * time.
   */
  readonly crashes?: number;
  /** How often a process that lives may seem dead. */
  readonly suspicions?: number;
  /** How often a command may fail: without effect, with it, or so that it arrives at any later time. */
  readonly failures?: number;
  /** Completes the database as others do in the end. */
  readonly sweep: (database: Database) => Program;
  /** What is wrong in the end. */
  readonly judge: (database: Database, results: readonly Result[]) => readonly string[];
}

export interface Process {
  readonly name: string;
  readonly program: () => Program;
  /** A transaction, which dies, seems dead and fails. */
  readonly isTransaction?: boolean;
  /** It may wait forever. */
  readonly isOptional?: boolean;
}

/** Undefined: it died, or had nothing to do. */
export type Result = 'done' | 'refused' | undefined;

export interface Explored {
  readonly states: number;
  readonly isComplete: boolean;
  readonly problems?: readonly string[];
  /** The commands that lead to the problem. */
  readonly steps?: readonly string[];
}

/** A moment of a program: what it does depends only on the replies so far. */
interface Moment {
  readonly id: number;
  readonly command: Command | undefined;
  readonly result: Result;
  readonly next: (reply: unknown) => Moment;
}

/** All is named by small numbers, so that a state is a short text. */
interface State {
  readonly db: Numbered;
  /** Undefined: it is dead. */
  readonly moments: readonly (Moment | undefined)[];
  readonly late: readonly Moment[];
  readonly crashes: number;
  readonly suspicions: number;
  readonly failures: number;
}

interface Numbered {
  readonly id: number;
  readonly value: Database;
  readonly outcomes: Map<number, readonly (readonly [Numbered, unknown])[]>;
}

interface Trail {
  readonly step: string;
  readonly before: Trail | undefined;
}

const FAILED = Symbol('failed');

/**
 * Executes every order of the commands of all processes, depth first, until something is wrong or there are more states
 * than the limit.
 */
export function explore(world: World, limit: number): Explored {
  const { processes, judge } = world;
  const number = numberDatabases();
  const moments = numberMoments();
  const start: State = {
    db: number(world.database),
    moments: processes.map(({ program }) => moments(program)),
    late: [],
    crashes: world.crashes ?? 0,
    suspicions: world.suspicions ?? 0,
    failures: world.failures ?? 0,
  };
  const seen = new Set<string>();
  const stack: (readonly [State, Trail | undefined])[] = [];
  const push = (state: State, step: string, before: Trail | undefined): void => {
    const key = keyOf(state);
    if (seen.has(key)) return;
    seen.add(key);
    stack.push([state, { step, before }]);
  };
  const judged = new Map<string, readonly string[]>();
  const problemsIn = ({ db, moments: all }: State): readonly string[] => {
    const results = all.map((moment) => moment?.result);
    const key = `${db.id} ${results.join()}`;
    const known = judged.get(key) ?? judge(complete(db.value, world), results);
    judged.set(key, known);
    return known;
  };
  push(start, 'start', undefined);
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [state, trail] = top;
    if (seen.size > limit) return { states: seen.size, isComplete: false };
    const { db, late } = state;
    let isMoving = false;
    let isWaiting = false;
    let isPending = late.length > 0;
    for (const [index, { name, isTransaction = false, isOptional = false }] of processes.entries()) {
      const moment = state.moments[index];
      if (moment?.command === undefined) continue;
      const at = (next: Moment | undefined, change: Partial<State> = {}): State => ({
        ...state,
        ...change,
        moments: state.moments.with(index, next),
      });
      const outcomes = outcomesOf(number, db, moment);
      for (const [after, reply] of outcomes)
        push(at(moment.next(reply), { db: after }), `${name}: ${moment.command.name}`, trail);
      if (outcomes.length > 0) isMoving = true;
      else if (!isOptional) isWaiting = true;
      if (!isOptional || moment.id !== start.moments[index]?.id) isPending = true;
      if (!isTransaction) continue;
      const isSilent = db.value.silent.includes(name);
      const silent = isSilent ? db : number({ ...db.value, silent: [...db.value.silent, name].toSorted() });
      // Before it is met, nobody suspects it.
      if (state.suspicions > 0 && !isSilent && db.value.transactions[name]?.state === 'open')
        push({ ...state, db: silent, suspicions: state.suspicions - 1 }, `${name} seems dead`, trail);
      if (state.crashes > 0) {
        const dead = { db: silent, crashes: state.crashes - 1 };
        push(at(undefined, dead), `${name} dies`, trail);
        if (!moment.command.isRead)
          push(
            at(undefined, { ...dead, late: withLate(late, moment) }),
            `${name} dies; on its way: ${moment.command.name}`,
            trail,
          );
      }
      if (state.failures > 0) {
        const failures = state.failures - 1;
        const next = moment.next(FAILED);
        push(at(next, { failures }), `${name}: ${moment.command.name} fails`, trail);
        if (moment.command.isRead) continue;
        push(
          at(next, { failures, late: withLate(late, moment) }),
          `${name}: ${moment.command.name} fails; on its way`,
          trail,
        );
        for (const [after] of outcomes)
          push(at(next, { failures, db: after }), `${name}: ${moment.command.name}, and the reply is lost`, trail);
      }
    }
    for (const [index, moment] of late.entries()) {
      isMoving = true;
      for (const [after] of outcomesOf(number, db, moment))
        push({ ...state, db: after, late: late.toSpliced(index, 1) }, `late: ${moment.command?.name}`, trail);
    }
    const problems = isWaiting && !isMoving ? ['a process waits forever'] : isPending ? [] : problemsIn(state);
    if (problems.length > 0) return { states: seen.size, isComplete: false, problems, steps: stepsOf(trail) };
  }
  return { states: seen.size, isComplete: true };
}

function stepsOf(trail: Trail | undefined): readonly string[] {
  const steps: string[] = [];
  for (let one = trail; one !== undefined; one = one.before) steps.unshift(one.step);
  return steps;
}

const keyOf = ({ db, moments, late, crashes, suspicions, failures }: State): string =>
  `${db.id};${moments.map((moment) => moment?.id).join()};${late.map(({ id }) => id).join()};${crashes}${suspicions}${failures}`;

const withLate = (late: readonly Moment[], moment: Moment): readonly Moment[] =>
  [...late, moment].toSorted((one, other) => one.id - other.id);

/** All processes are dead or have ended: whoever comes later finds what they left. */
function complete(database: Database, { processes, sweep }: World): Database {
  let db = { ...database, silent: processes.map(({ name }) => name) };
  const program = sweep(db);
  let step = program.next();
  while (!step.done) {
    const [outcome] = step.value.outcomesIn(db);
    if (outcome === undefined) throw new Error(`the sweep waits: ${step.value.name}`);
    db = outcome[0] as typeof db;
    step = program.next(outcome[1]);
  }
  return db;
}

function outcomesOf(
  number: (db: Database) => Numbered,
  db: Numbered,
  { id, command }: Moment,
): readonly (readonly [Numbered, unknown])[] {
  const known = db.outcomes.get(id);
  if (known !== undefined) return known;
  const outcomes = (command?.outcomesIn(db.value) ?? []).map(
    ([after, reply]: Outcome) => [number(after), reply] as const,
  );
  db.outcomes.set(id, outcomes);
  return outcomes;
}

function numberDatabases(): (db: Database) => Numbered {
  const known = new Map<string, Numbered>();
  return (value) => {
    const key = JSON.stringify(value);
    const numbered = known.get(key) ?? { id: known.size, value, outcomes: new Map() };
    known.set(key, numbered);
    return numbered;
  };
}

/** The first moments of programs. A program is executed again for each sequence of replies. */
function numberMoments(): (program: () => Program) => Moment {
  let count = 0;
  const continuations = new Map<string, Moment>();
  const momentAfter = (program: () => Program, replies: readonly unknown[]): Moment => {
    const running = program();
    let step = running.next();
    for (const reply of replies) step = reply === FAILED ? running.throw(new Failed()) : running.next(reply);
    if (step.done && typeof step.value === 'object') {
      const { name, program: next } = step.value;
      const moment = continuations.get(name) ?? momentAfter(next, []);
      continuations.set(name, moment);
      return moment;
    }
    const following = new Map<string, Moment>();
    count += 1;
    return {
      id: count,
      command: step.done ? undefined : step.value,
      result: step.done && typeof step.value === 'string' ? step.value : undefined,
      next: (reply) => {
        const key = reply === FAILED ? 'failed' : (JSON.stringify(reply) ?? 'nothing');
        const moment = following.get(key) ?? momentAfter(program, [...replies, reply]);
        following.set(key, moment);
        return moment;
      },
    };
  };
  return (program) => momentAfter(program, []);
}
