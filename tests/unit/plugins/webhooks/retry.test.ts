import { expect, test } from '@jest/globals';
import type { Delivery } from '../../../../src/mongo/events/webhook-records.js';
import { afterOutcome, allowed, closedCircuit } from '../../../../src/plugins/contract/http/circuit.js';
import { afterTry, retries } from '../../../../src/plugins/webhooks/deliver.js';

const at = new Date(0);
const delivery: Delivery = {
  _id: 'hook/1/entry.update',
  hook: 'hook',
  n: 1,
  i: 0,
  key: 'api::a.a:1',
  event: 'entry.update',
  body: '{}',
  at,
  state: 'waiting',
  tries: 0,
  next: at,
};
const failed = { status: 500, milliseconds: 3 };

test('a status from 200 to 299 is a success', () => {
  const states = [199, 200, 204, 299, 302, 400, 500].map(
    (status) => afterTry(delivery, { ...failed, status }, at, 0).state,
  );
  expect(states).toEqual(['waiting', 'delivered', 'delivered', 'delivered', 'waiting', 'waiting', 'waiting']);
});

test('pauses double up to an hour, with jitter, for a day', () => {
  const pauseOf = (tries: number, random: number): number =>
    afterTry({ ...delivery, tries }, failed, at, random).next.getTime();
  expect([0, 1, 2, 11, 12, 50].map((tries) => pauseOf(tries, 0.5))).toEqual([
    1000, 2000, 4000, 2_048_000, 3_600_000, 3_600_000,
  ]);
  expect([pauseOf(0, 0), pauseOf(0, 1)]).toEqual([500, 1500]);
  const last = new Date(retries.total - 1_800_000);
  expect(afterTry({ ...delivery, tries: 30 }, failed, last, 0).state).toBe('waiting');
  expect(afterTry({ ...delivery, tries: 30 }, failed, last, 1).state).toBe('failed');
});

test('an outcome replaces the one before', () => {
  const cut = afterTry(delivery, { error: 'no response', milliseconds: 9 }, at, 0);
  expect(cut).toMatchObject({ tries: 1, error: 'no response' });
  expect(afterTry(cut, { status: 200, milliseconds: 1 }, at, 0)).not.toHaveProperty('error');
});

test('five failures in a row open the circuit; then one delivery decides', () => {
  let circuit = closedCircuit;
  const seen: number[] = [];
  for (let failure = 0; failure < 6; failure += 1) {
    circuit = afterOutcome(circuit, false, 0);
    seen.push(circuit.openUntil);
  }
  expect(seen).toEqual([0, 0, 0, 0, 1000, 2000]);
  expect([allowed(circuit, 1999, 5), allowed(circuit, 2000, 5)]).toEqual([0, 1]);
  expect(allowed(afterOutcome(circuit, true, 2000), 2000, 5)).toBe(5);
});
