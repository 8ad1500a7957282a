import type { MongoClient, TopologyDescriptionChangedEvent } from 'mongodb';

/** Is there a server that takes writes? */
export interface Availability {
  readonly isUp: () => boolean;
  /** Says nothing any more: a client that is closed loses its servers. */
  readonly end: () => void;
}

const writable = new Set<string>(['Standalone', 'RSPrimary', 'Mongos', 'LoadBalancer']);

/** Reports when a connected client loses its database, and when it is back: the driver learns it from errors and heartbeats. */
export function watchAvailability(client: MongoClient, changed: (isUp: boolean) => void): Availability {
  let isUp = true;
  const note = ({ newDescription }: TopologyDescriptionChangedEvent): void => {
    const now = [...newDescription.servers.values()].some(({ type }) => writable.has(type));
    if (now === isUp) return;
    isUp = now;
    changed(now);
  };
  client.on('topologyDescriptionChanged', note);
  return { isUp: () => isUp, end: () => void client.off('topologyDescriptionChanged', note) };
}
