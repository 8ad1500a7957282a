import type { MongoClient, TopologyDescriptionChangedEvent } from 'mongodb';

/** Whether a server accepts writes. */
export interface Availability {
  readonly isUp: () => boolean;
  /** Stops reporting: closing a client also disconnects its servers. */
  readonly end: () => void;
}

const writable = new Set<string>(['Standalone', 'RSPrimary', 'Mongos', 'LoadBalancer']);

/** Reports when a connected client loses its database, and when it is back: the driver detects it by errors and heartbeats. */
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
