import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { logAvailability } from '../../../../src/app/operations/log-availability.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function start(): { readonly tell: (isUp: boolean) => void; readonly lines: string[] } {
  const lines: string[] = [];
  const note = (_: object, message: string): void => void lines.push(message.slice(0, 20));
  return { tell: logAvailability({ info: note, warn: note }, 30_000), lines };
}
const lost = 'The database is lost';
const back = 'The database is available again';

test('a loss and its end are told at once', () => {
  const { tell, lines } = start();
  tell(false);
  expect(lines).toEqual([lost]);
  jest.advanceTimersByTime(5000);
  tell(true);
  expect(lines).toEqual([lost, back]);
});

test('one that comes and goes is not told each time', () => {
  const { tell, lines } = start();
  for (let times = 0; times < 100; times += 1) {
    tell(false);
    jest.advanceTimersByTime(50);
    tell(true);
    jest.advanceTimersByTime(50);
  }
  expect(lines).toEqual([lost, back]);
});

test('one that stays away after that is told when the quiet is over', () => {
  const { tell, lines } = start();
  tell(false);
  tell(true);
  tell(false);
  jest.advanceTimersByTime(29_000);
  expect(lines).toEqual([lost, back]);
  jest.advanceTimersByTime(1000);
  expect(lines).toEqual([lost, back, lost]);
  tell(true);
  expect(lines).toEqual([lost, back, lost, back]);
});
