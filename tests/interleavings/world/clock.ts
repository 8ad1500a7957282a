import { jest } from '@jest/globals';

/** The time of an execution: it passes only between commands, so that each execution of a schedule is the same. */
export interface Clock {
  restart(): void;
  /** A command is sent. */
  readonly tick: () => void;
  /** A process waits. */
  readonly wait: (milliseconds: number) => void;
  stop(): void;
}

const START = Date.UTC(2030, 0, 1);
const HOUR_MS = 3_600_000;
/**
 * Time limits of the machine from this one on never end: the event log completes creations only when it has to, and a
 * write that another one of its process holds up is not refused because the machine is busy.
 */
const FIRST_LIMIT_MS = 250;

export function startClock(): Clock {
  let now = START;
  const set = (time: number): void => {
    now = time;
    jest.setSystemTime(now);
  };
  jest.useFakeTimers({
    now,
    doNotFake: [
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setInterval',
      'clearInterval',
      'setTimeout',
      'clearTimeout',
    ],
  });
  const { setTimeout: original } = globalThis;
  const { setInterval: repeat } = globalThis;
  jest.spyOn(performance, 'now').mockImplementation(() => now - START);
  // The time that a transaction waits at most.
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  const patient = (run: () => void, milliseconds = 0): NodeJS.Timeout =>
    milliseconds < FIRST_LIMIT_MS ? original(run, milliseconds) : original(run, HOUR_MS).unref();
  globalThis.setTimeout = Object.assign(patient, original);
  // Heartbeats: a process counts as dead when the schedule says so.
  globalThis.setInterval = Object.assign((run: () => void) => repeat(run, HOUR_MS), repeat);
  return {
    restart: () => set(START),
    tick: () => set(now + 1),
    wait: (milliseconds) => set(now + milliseconds),
    stop: () => {
      globalThis.setTimeout = original;
      globalThis.setInterval = repeat;
      jest.restoreAllMocks();
      jest.useRealTimers();
    },
  };
}
