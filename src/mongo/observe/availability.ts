import type { MongoClient, TopologyDescriptionChangedEvent, Db } from 'mongodb';
import { answersWithin } from '../../config/answers-within.js';

const writable = new Set<string>(['Standalone', 'RSPrimary', 'Mongos', 'LoadBalancer']);

/** Milliseconds within which a healthy database responds. */
const PING_TIMEOUT_MS = 1000;

/**
 * Reports when a connected client loses its database, and when it is back. The driver detects it by errors and
 * heartbeats, which takes it up to half a minute if the database hangs: whoever asks whether it can be reached finds it
 * out in a second.
 */
export function watchAvailability(client: MongoClient, db: Pick<Db, 'command'>, changed: (isUp: boolean) => void) {
  let [hasServer, isAnswering, isUp, hasEnded] = [true, true, true, false];
  let asking: Promise<boolean> | undefined;
  let asksAgain: NodeJS.Timeout | undefined;
  const update = (): void => {
    if (hasEnded || isUp === (hasServer && isAnswering)) return;
    isUp = !isUp;
    changed(isUp);
  };
  const note = ({ newDescription }: TopologyDescriptionChangedEvent): void => {
    hasServer = [...newDescription.servers.values()].some(({ type }) => writable.has(type));
    update();
  };
  const ask = async (): Promise<boolean> => {
    clearTimeout(asksAgain);
    // The driver waits for a hanging database regardless of its options.
    isAnswering = await answersWithin(PING_TIMEOUT_MS, db.command({ ping: 1, maxTimeMS: PING_TIMEOUT_MS }));
    update();
    // Perhaps nobody asks until it is back.
    if (!isAnswering && !hasEnded) asksAgain = setTimeout(() => void isReachable(), PING_TIMEOUT_MS).unref();
    return isAnswering;
  };
  /** Whether the database responds. Concurrent calls share one ping. */
  const isReachable = (): Promise<boolean> => (asking ??= ask().finally(() => (asking = undefined)));
  client.on('topologyDescriptionChanged', note);
  return {
    isUp: (): boolean => isUp,
    isReachable,
    /** Stops reporting: closing a client also disconnects its servers. */
    end: (): void => {
      hasEnded = true;
      clearTimeout(asksAgain);
      client.off('topologyDescriptionChanged', note);
    },
  };
}
