import cluster from 'node:cluster';

/** The message of a worker when it loses the database, and when it is back. */
interface Message {
  readonly kind: 'availability';
  readonly isUp: boolean;
}

/** In a worker: the primary process logs it once for all workers. */
export function sendAvailability(isUp: boolean): void {
  const message: Message = { kind: 'availability', isUp };
  process.send?.(message, undefined, undefined, () => undefined);
}

/** In the primary process: the database is lost when the first worker loses it, and back when all have it. */
export function gatherAvailability(changed: (isUp: boolean) => void): void {
  const without = new Set<number>();
  const note = (worker: number, isUp: boolean): void => {
    const sizeBefore = without.size;
    if (isUp) without.delete(worker);
    else without.add(worker);
    if ((sizeBefore === 0) !== (without.size === 0)) changed(without.size === 0);
  };
  cluster.on('message', ({ id }, message: Message) => {
    if (message.kind === 'availability') note(id, message.isUp);
  });
  cluster.on('exit', ({ id }) => note(id, true));
}
