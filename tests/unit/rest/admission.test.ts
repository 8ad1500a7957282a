import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { createAdmission } from '../../../src/rest/middleware/admission.js';

const client = () => Object.assign(new EventEmitter(), { req: {} }) as ServerResponse;

/** Work that ends on demand. */
function begin() {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ended, end };
}

test('a limited number of tasks run at once, the others wait in order', async () => {
  const admission = createAdmission({ concurrency: 1, queueLimit: 2, queueTimeoutMs: 10_000 });
  const first = begin();
  const order: string[] = [];
  const note = (name: string) => () => Promise.resolve(order.push(name));
  const all = [
    admission.run(client(), first.work),
    admission.run(client(), note('second')),
    admission.run(client(), note('third')),
  ];
  expect({ running: admission.running, waiting: admission.waiting, full: admission.full }).toEqual({
    running: 1,
    waiting: 2,
    full: true,
  });
  await expect(admission.run(client(), note('fourth'))).rejects.toMatchObject({ code: 'overloaded' });
  first.end();
  await Promise.all(all);
  expect(order).toEqual(['second', 'third']);
  expect([admission.running, admission.waiting]).toEqual([0, 0]);
});

test('a client that disconnects while queued is removed without running its task', async () => {
  const admission = createAdmission({ concurrency: 1, queueLimit: 5, queueTimeoutMs: 10_000 });
  const [first, gone] = [begin(), client()];
  let done = false;
  const running = admission.run(client(), first.work);
  const waiting = admission.run(gone, () => Promise.resolve((done = true)));
  gone.emit('close');
  await expect(waiting).rejects.toMatchObject({ code: 'overloaded' });
  expect(admission.waiting).toBe(0);
  first.end();
  await running;
  expect({ done, running: admission.running, listeners: gone.listenerCount('close') }).toEqual({
    done: false,
    running: 0,
    listeners: 0,
  });
});

test('a task waits at most the queue timeout', async () => {
  const admission = createAdmission({ concurrency: 1, queueLimit: 5, queueTimeoutMs: 5 });
  const first = begin();
  const running = admission.run(client(), first.work);
  await expect(admission.run(client(), () => Promise.resolve())).rejects.toMatchObject({ code: 'overloaded' });
  first.end();
  await running;
});

test('a failed task releases its slot', async () => {
  const admission = createAdmission({ concurrency: 1, queueLimit: 1, queueTimeoutMs: 1000 });
  await expect(admission.run(client(), () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(admission.running).toBe(0);
});

test('a task runs others of the same request in its own slot', async () => {
  const admission = createAdmission({ concurrency: 1, queueLimit: 0, queueTimeoutMs: 10_000 });
  const response = client();
  const inner = () => admission.run(response, async () => admission.running);
  expect(await admission.run(response, inner)).toBe(1);
  expect(admission.running).toBe(0);
});
