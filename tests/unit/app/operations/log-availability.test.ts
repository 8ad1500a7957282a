import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { logAvailability } from '../../../../src/app/operations/log-availability.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function start(): { readonly report: (isUp: boolean) => void; readonly lines: string[] } {
  const lines: string[] = [];
  const note = (_: object, message: string): void => void lines.push(message.split(':', 1)[0] ?? '');
  return { report: logAvailability({ info: note, warn: note }, 30_000), lines };
}
const lost = 'The database is unavailable';
const back = 'The database is available again';

test('a loss of the database and its end are logged immediately', () => {
  const { report, lines } = start();
  report(false);
  expect(lines).toEqual([lost]);
  jest.advanceTimersByTime(5000);
  report(true);
  expect(lines).toEqual([lost, back]);
});

test('repeated short losses are not logged each time', () => {
  const { report, lines } = start();
  for (let times = 0; times < 100; times += 1) {
    report(false);
    jest.advanceTimersByTime(50);
    report(true);
    jest.advanceTimersByTime(50);
  }
  expect(lines).toEqual([lost, back]);
});

test('a loss after repeated short ones is logged after the quiet period', () => {
  const { report, lines } = start();
  report(false);
  report(true);
  report(false);
  jest.advanceTimersByTime(29_000);
  expect(lines).toEqual([lost, back]);
  jest.advanceTimersByTime(1000);
  expect(lines).toEqual([lost, back, lost]);
  report(true);
  expect(lines).toEqual([lost, back, lost, back]);
});
