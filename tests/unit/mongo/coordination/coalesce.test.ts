import { describe, expect, test } from '@jest/globals';
import fc from '../../../support/fast-check.js';
import { coalesce } from '../../../../src/mongo/coordination/coalesce.js';

/** A run in progress, which the test ends. */
interface Run {
  readonly requests: readonly string[];
  succeed(): void;
  fail(error: Error): void;
}

/** Runs that the test ends; the result of each request is its upper-case string. */
function controlled(): { readonly runs: Run[]; readonly ask: (request: string) => Promise<string> } {
  const runs: Run[] = [];
  const ask = coalesce<string, string>(
    (requests) =>
      new Promise((resolve, reject) => {
        runs.push({ requests, succeed: () => resolve(requests.map((request) => request.toUpperCase())), fail: reject });
      }),
  );
  return { runs, ask };
}

const takeTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Lets everything happen that does not wait for a run: a run starts after a turn of the event loop without requests.
 */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await takeTurn();
}

describe('requests', () => {
  test('of the same tick share one run and get their own results', async () => {
    const { runs, ask } = controlled();
    const answers = Promise.all([ask('a'), ask('b'), ask('c')]);
    await settle();
    expect(runs.map(({ requests }) => requests)).toEqual([['a', 'b', 'c']]);
    runs[0]?.succeed();
    expect(await answers).toEqual(['A', 'B', 'C']);
  });

  test('of later ticks in the same turn of the event loop share it too', async () => {
    const { runs, ask } = controlled();
    const first = ask('a');
    for (let tick = 0; tick < 10; tick += 1) await Promise.resolve();
    const second = ask('b');
    await settle();
    expect(runs.map(({ requests }) => requests)).toEqual([['a', 'b']]);
    runs[0]?.succeed();
    expect(await Promise.all([first, second])).toEqual(['A', 'B']);
  });

  test('of the following turns share it too, as long as each brings one', async () => {
    const { runs, ask } = controlled();
    const answers = [ask('a')];
    for (const request of ['b', 'c', 'd']) {
      await takeTurn();
      answers.push(ask(request));
    }
    await settle();
    expect(runs.map(({ requests }) => requests)).toEqual([['a', 'b', 'c', 'd']]);
    runs[0]?.succeed();
    expect(await Promise.all(answers)).toEqual(['A', 'B', 'C', 'D']);
  });

  test('do not wait forever for others', async () => {
    const { runs, ask } = controlled();
    const answers: Promise<string>[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      answers.push(ask(`${turn}`));
      await takeTurn();
    }
    expect(runs).toHaveLength(1);
    expect(runs[0]?.requests.length).toBeLessThan(12);
    runs[0]?.succeed();
    await settle();
    runs[1]?.succeed();
    await Promise.all(answers);
  });

  test('during a run are collected for the next', async () => {
    const { runs, ask } = controlled();
    const first = ask('a');
    await settle();
    const second = ask('b');
    await settle();
    const third = ask('c');
    await settle();
    expect(runs).toHaveLength(1);
    runs[0]?.succeed();
    expect(await first).toBe('A');
    await settle();
    expect(runs.map(({ requests }) => requests)).toEqual([['a'], ['b', 'c']]);
    runs[1]?.succeed();
    expect(await Promise.all([second, third])).toEqual(['B', 'C']);
  });

  test('get the error of their run; later ones get a new run', async () => {
    const { runs, ask } = controlled();
    const failing = Promise.allSettled([ask('a'), ask('b')]);
    await settle();
    const later = ask('c');
    const error = new Error('no connection');
    runs[0]?.fail(error);
    expect(await failing).toEqual([
      { status: 'rejected', reason: error },
      { status: 'rejected', reason: error },
    ]);
    await settle();
    runs[1]?.succeed();
    expect(await later).toBe('C');
    const last = ask('d');
    await settle();
    runs[2]?.succeed();
    expect(await last).toBe('D');
  });

  test('get the error of a run that fails synchronously', async () => {
    let calls = 0;
    const ask = coalesce<string, string>((requests) => {
      calls += 1;
      if (calls === 1) throw new Error('at once');
      return Promise.resolve(requests);
    });
    await expect(ask('a')).rejects.toThrow('at once');
    expect(await ask('b')).toBe('b');
  });
});

test('no request is served by an earlier run, and runs do not overlap', async () => {
  const steps = fc.array(fc.constantFrom('ask', 'ask', 'succeed', 'fail', 'wait'), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(steps, async (schedule) => {
      const { runs, ask } = controlled();
      /** For each request the number of runs that had begun when it was made. */
      const begunBefore: number[] = [];
      const answers: Promise<unknown>[] = [];
      let ended = 0;
      const end = async (step: string): Promise<void> => {
        const run = runs[ended];
        if (run === undefined) return;
        ended += 1;
        if (step === 'fail') run.fail(new Error('failed'));
        else run.succeed();
        await settle();
      };
      for (const step of schedule) {
        if (step === 'ask') {
          const name = `request ${begunBefore.length}`;
          begunBefore.push(runs.length);
          answers.push(ask(name).catch(() => name.toUpperCase()));
        } else if (step === 'wait') await settle();
        else await end(step);
        expect(runs.length - ended).toBeLessThanOrEqual(1);
      }
      await settle();
      while (ended < runs.length) await end('succeed');

      expect(await Promise.all(answers)).toEqual(begunBefore.map((_, index) => `REQUEST ${index}`));
      expect(runs.flatMap(({ requests }) => requests)).toEqual(begunBefore.map((_, index) => `request ${index}`));
      for (const [index, run] of runs.entries()) {
        for (const request of run.requests) {
          expect(index).toBeGreaterThanOrEqual(begunBefore[Number(request.slice('request '.length))] ?? 0);
        }
      }
    }),
    { numRuns: 300 },
  );
});
