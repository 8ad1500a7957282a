import type { EventHub, Listener, Subscriber } from '../strapi.js';

/** A registered listener and the function that an event calls; with `once` they differ. */
interface Registration {
  readonly listener: Listener;
  readonly call: Listener;
}

/** @param report receives what listeners throw */
export function createEventHub(report: (error: unknown) => void): EventHub {
  const listeners = new Map<string, Registration[]>();
  const subscribers: Subscriber[] = [];
  const add = (event: string, registration: Registration): (() => void) => {
    listeners.set(event, [...(listeners.get(event) ?? []), registration]);
    return () => remove(event, (other) => other === registration);
  };
  const remove = (event: string, isRemoved: (registration: Registration) => boolean): void => {
    removeFirst(listeners.get(event) ?? [], isRemoved);
  };
  const hub: EventHub = {
    emit: async (event, ...args) => {
      const calls = [
        ...[...(listeners.get(event) ?? [])].map(
          ({ call }) =>
            async () =>
              call(...args),
        ),
        ...[...subscribers].map((subscriber) => async () => subscriber(event, ...args)),
      ];
      for (const call of calls) await call().catch(report);
    },
    on: (event, listener) => add(event, { listener, call: listener }),
    once: (event, listener) => {
      const end = add(event, {
        listener,
        call: (...args) => {
          end();
          return listener(...args);
        },
      });
      return end;
    },
    off: (event, listener) => remove(event, (registration) => registration.listener === listener),
    addListener: (event, listener) => hub.on(event, listener),
    removeListener: (event, listener) => hub.off(event, listener),
    removeAllListeners: () => hub.destroy(),
    destroy: () => {
      listeners.clear();
      subscribers.length = 0;
      return hub;
    },
    subscribe: (subscriber) => {
      subscribers.push(subscriber);
      return () => hub.unsubscribe(subscriber);
    },
    unsubscribe: (subscriber) => removeFirst(subscribers, (other) => other === subscriber),
    wants: (event) => subscribers.length > 0 || (listeners.get(event)?.length ?? 0) > 0,
  };
  return hub;
}

function removeFirst<T>(list: T[], isRemoved: (item: T) => boolean): void {
  const index = list.findIndex(isRemoved);
  if (index >= 0) list.splice(index, 1);
}
