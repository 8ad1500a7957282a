import type { MongoClient, TopologyDescriptionChangedEvent, Db } from 'mongodb';
import { answersWithin } from '../../config/answers-within.js';

const writable = new Set<string>(['Standalone', 'RSPrimary', 'Mongos', 'LoadBalancer']);

/** Reports when a connected client loses its database, and when it is back: the driver detects it by errors and heartbeats. */
export function watchAvailability(client: MongoClient, changed: (isUp: boolean) => void) {
  let isUp = true;
  const note = ({ newDescription }: TopologyDescriptionChangedEvent): void => {
    const now = [...newDescription.servers.values()].some(({ type }) => writable.has(type));
    if (now === isUp) return;
    isUp = now;
    changed(now);
  };
  client.on('topologyDescriptionChanged', note);
  return {
    isUp: (): boolean => isUp,
    /** Stops reporting: closing a client also disconnects its servers. */
    end: (): void => void client.off('topologyDescriptionChanged', note),
  };
}

/** Milliseconds within which a healthy database responds. */
const PING_TIMEOUT_MS = 1000;

/** Whether the database responds. Concurrent calls share one ping. */
export function createReachable(db: Db): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  // The driver waits for a hanging database regardless of its options.
  const ask = (): Promise<boolean> =>
    answersWithin(PING_TIMEOUT_MS, db.command({ ping: 1, maxTimeMS: PING_TIMEOUT_MS }));
  return () => (asking ??= ask().finally(() => (asking = undefined)));
}
