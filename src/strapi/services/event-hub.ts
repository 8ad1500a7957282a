import type { Anything } from '../strapi.js';

type Listener = (...args: Anything[]) => unknown;
type Subscriber = (event: string, ...args: Anything[]) => unknown;

/** A registered listener and the function that an event calls; with `once` they differ. */
interface Registration {
  readonly listener: Listener;
  readonly call: Listener;
}

/**
 * `strapi.eventHub`: as in Strapi v4, listeners run one after the other, and the emitter does not wait for them.
 * @param report receives what listeners throw
 * @param send sends an event of code to the webhooks that name it: those of the service reach them by the log of writes
 */
export function createEventHub(
  report: (error: unknown) => void,
  send: (event: string, info: unknown) => Promise<void>,
) {
  const listeners = new Map<string, Registration[]>();
  const subscribers: Subscriber[] = [];
  const add = (event: string, registration: Registration): (() => void) => {
    listeners.set(event, [...(listeners.get(event) ?? []), registration]);
    return () => removeFirst(listeners.get(event) ?? [], (other) => other === registration);
  };
  const on = (event: string, listener: Listener): (() => void) => add(event, { listener, call: listener });
  const off = (event: string, listener: Listener): void =>
    removeFirst(listeners.get(event) ?? [], (registration) => registration.listener === listener);
  const unsubscribe = (subscriber: Subscriber): void => removeFirst(subscribers, (other) => other === subscriber);
  const destroy = (): object => {
    listeners.clear();
    subscribers.length = 0;
    return hub;
  };
  const tell = async (event: string, ...args: Anything[]): Promise<void> => {
    const calls = [
      ...(listeners.get(event) ?? []).map(
        ({ call }) =>
          async () =>
            call(...args),
      ),
      ...subscribers.map((subscriber) => async () => subscriber(event, ...args)),
    ];
    for (const call of calls) await call().catch(report);
  };
  const hub = {
    emit: async (event: string, ...args: Anything[]): Promise<void> => {
      await Promise.all([tell(event, ...args), send(event, args[0]).catch(report)]);
    },
    /** Tells listeners of an event of the service. */
    tell,
    on,
    once: (event: string, listener: Listener): (() => void) => {
      const end = add(event, {
        listener,
        call: (...args) => {
          end();
          return listener(...args);
        },
      });
      return end;
    },
    off,
    addListener: on,
    removeListener: off,
    removeAllListeners: destroy,
    destroy,
    /** Receives every event. @returns a function that ends it */
    subscribe: (subscriber: Subscriber): (() => void) => {
      subscribers.push(subscriber);
      return () => unsubscribe(subscriber);
    },
    unsubscribe,
    /** Whether anyone listens to the event. */
    wants: (event: string): boolean => subscribers.length > 0 || (listeners.get(event)?.length ?? 0) > 0,
  };
  return hub;
}

function removeFirst<T>(list: T[], isRemoved: (item: T) => boolean): void {
  const index = list.findIndex(isRemoved);
  if (index >= 0) list.splice(index, 1);
}
