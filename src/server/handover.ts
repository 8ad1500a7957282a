import { once } from 'node:events';

/** What a service sends to `dev` when it only needs the address, and gets back when that is free. */
export const PREPARED = 'prepared';
export const LISTEN = 'listen';

/** Waits until the service before this one has stopped. */
export async function awaitAddress(): Promise<void> {
  const freed = once(process, 'message');
  process.send?.(PREPARED);
  await freed;
}
