import { setTimeout as wait } from 'node:timers/promises';
import type { MongoClient, TopologyDescriptionChangedEvent, Db } from 'mongodb';

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
  const ask = async (): Promise<boolean> => {
    const answered = db.command({ ping: 1, maxTimeMS: PING_TIMEOUT_MS }).then(
      () => true,
      () => false,
    );
    const late = new AbortController();
    try {
      // The driver waits for a hanging database regardless of its options.
      return await Promise.race([answered, wait(PING_TIMEOUT_MS, false, { signal: late.signal })]);
    } finally {
      late.abort();
      asking = undefined;
    }
  };
  return () => (asking ??= ask());
}
