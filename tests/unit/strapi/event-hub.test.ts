import { expect, test } from '@jest/globals';
import { createEventHub } from '../../../src/strapi/services/event-hub.js';

/** A hub, and the calls and reports in order. */
function openHub() {
  const calls: unknown[] = [];
  const hub = createEventHub(
    (error) => calls.push(error),
    () => Promise.resolve(),
  );
  return { hub, calls, listener: (...args: unknown[]) => calls.push(args) };
}

test.each(['on', 'once', 'addListener'] as const)(
  'a listener added by %s is removed by off, and by what it returned',
  async (add) => {
    const { hub, calls, listener } = openHub();
    hub[add]('entry.create', listener);
    hub.off('entry.create', listener);
    hub[add]('entry.create', listener)();
    expect(hub.wants('entry.create')).toBe(false);
    await hub.emit('entry.create', { id: 1 });
    expect(calls).toEqual([]);
  },
);

test('a listener added by once is called once, also by an event that it emits itself', async () => {
  const { hub, calls, listener } = openHub();
  hub.once('entry.create', async (...args) => {
    listener(...args);
    await hub.emit('entry.create', 'again');
  });
  await hub.emit('entry.create', 'first');
  expect(calls).toEqual([['first']]);
});

test('a subscriber receives every event with its name, after the listeners, until it is unsubscribed', async () => {
  const { hub, calls, listener } = openHub();
  const subscriber = (...args: unknown[]): unknown => calls.push(args);
  const end = hub.subscribe(subscriber);
  hub.on('entry.update', () => listener('listener'));
  await hub.emit('entry.update', { id: 1 });
  await hub.emit('media.create', { id: 2 });
  end();
  hub.subscribe(subscriber);
  hub.unsubscribe(subscriber);
  await hub.emit('media.create', { id: 3 });
  expect(calls).toEqual([['listener'], ['entry.update', { id: 1 }], ['media.create', { id: 2 }]]);
});

test('what a listener throws is reported and does not stop the others', async () => {
  const { hub, calls, listener } = openHub();
  const error = new Error('refused');
  hub.on('entry.delete', () => {
    throw error;
  });
  hub.on('entry.delete', listener);
  await hub.emit('entry.delete', 1);
  expect(calls).toEqual([error, [1]]);
});
