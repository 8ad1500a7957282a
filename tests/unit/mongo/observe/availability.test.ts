import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { MongoClient } from 'mongodb';
import { watchAvailability } from '../../../../src/mongo/observe/availability.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A database that answers to pings or not, with a driver that knows a server or none. */
function open() {
  const client = new EventEmitter();
  const reported: boolean[] = [];
  let isThere = true;
  const command = async (): Promise<object> => {
    if (!isThere) throw new Error('no answer');
    return {};
  };
  const availability = watchAvailability(client as MongoClient, { command }, (isUp) => reported.push(isUp));
  return {
    ...availability,
    reported,
    answers: (answers: boolean) => (isThere = answers),
    driverSees: (type: string) =>
      client.emit('topologyDescriptionChanged', { newDescription: { servers: new Map([['a', { type }]]) } }),
  };
}

test('a database that does not answer to whoever asks is reported, and again when it is back, though nobody asks', async () => {
  const { isReachable, isUp, reported, answers } = open();
  answers(false);
  expect(await isReachable()).toBe(false);
  expect([isUp(), reported]).toEqual([false, [false]]);
  await jest.advanceTimersByTimeAsync(5000);
  expect(reported).toEqual([false]);
  answers(true);
  await jest.advanceTimersByTimeAsync(1000);
  expect([isUp(), reported]).toEqual([true, [false, true]]);
});

test('what both a ping and the driver notice is reported once', async () => {
  const { isReachable, reported, answers, driverSees } = open();
  driverSees('Unknown');
  answers(false);
  await isReachable();
  driverSees('Standalone');
  expect(reported).toEqual([false]);
  answers(true);
  await isReachable();
  expect(reported).toEqual([false, true]);
});

test('nothing is reported after the end', async () => {
  const { isReachable, reported, answers, driverSees, end } = open();
  end();
  driverSees('Unknown');
  answers(false);
  await isReachable();
  expect([reported, jest.getTimerCount()]).toEqual([[], 0]);
});
