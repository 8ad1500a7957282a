import type { Anything, EventHub, Listener, Subscriber } from '../strapi.js';

/** @param report receives what listeners throw */
export function createEventHub(report: (error: unknown) => void): EventHub {
  const listeners = new Map<string, Listener[]>();
  const subscribers: Subscriber[] = [];
  const removeFrom = <T>(list: T[] | undefined, item: T): void => {
    const index = list?.indexOf(item) ?? -1;
    if (index >= 0) list?.splice(index, 1);
  };
  const hub: EventHub = {
    emit: async (event, ...args) => {
      const calls = [
        ...[...(listeners.get(event) ?? [])].map((listener) => async () => listener(...args)),
        ...[...subscribers].map((subscriber) => async () => subscriber(event, ...args)),
      ];
      for (const call of calls) await call().catch(report);
    },
    on: (event, listener) => {
      listeners.set(event, [...(listeners.get(event) ?? []), listener]);
      return () => hub.off(event, listener);
    },
    once: (event, listener) => {
      const once = (...args: Anything[]): unknown => {
        hub.off(event, once);
        return listener(...args);
      };
      return hub.on(event, once);
    },
    off: (event, listener) => removeFrom(listeners.get(event), listener),
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
    unsubscribe: (subscriber) => removeFrom(subscribers, subscriber),
    wants: (event) => subscribers.length > 0 || (listeners.get(event)?.length ?? 0) > 0,
  };
  return hub;
}
