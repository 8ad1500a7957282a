import { jest } from '@jest/globals';

/** The time of an execution: it passes only between commands, so that each execution of a schedule is the same. */
export interface Clock {
  restart(): void;
  /** A command is sent. */
  readonly tick: () => void;
  /** An hour passes: intents without a heartbeat are abandoned. */
  pass(): void;
  stop(): void;
}

const START = Date.UTC(2030, 0, 1);
const HOUR_MS = 3_600_000;

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
  return {
    restart: () => set(START),
    tick: () => set(now + 1),
    pass: () => set(now + HOUR_MS),
    stop: () => jest.useRealTimers(),
  };
}
