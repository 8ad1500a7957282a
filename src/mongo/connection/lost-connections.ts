import type { MongoClient } from 'mongodb';

/** Counts the connections that the database or the network has closed from now on: the database may have crashed and started again. */
export function countLostConnections(client: MongoClient): () => number {
  let lost = 0;
  client.on('connectionClosed', ({ reason }) => {
    lost += Number(reason === 'error' || reason === 'stale');
  });
  return () => lost;
}
