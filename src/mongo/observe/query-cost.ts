import { AsyncLocalStorage } from 'node:async_hooks';
import { BSON, type CommandSucceededEvent, type Document, type MongoClient } from 'mongodb';
import { readBson } from '../read/read-bson.js';

/** What some work cost the database so far. */
export interface Cost {
  /** Commands that were sent. */
  commands: number;
  /** Documents that came back, those that were fetched for a page included. */
  documents: number;
  /** Of all that came back. */
  bytes: number;
}

/** Counts what the commands of a piece of work cost, and of all that it awaits. */
export type Meter = <T>(work: (cost: Readonly<Cost>) => T) => T;

/** Counts for a client that reports its commands. */
export function openQueryCosts(client: MongoClient): Meter {
  const running = new AsyncLocalStorage<Cost>();
  client.on('commandSucceeded', (event: CommandSucceededEvent) => {
    const cost = running.getStore();
    if (cost === undefined) return;
    const reply = openReply(event.reply as Document);
    cost.commands += 1;
    cost.documents += documentsIn(reply);
    cost.bytes += BSON.calculateObjectSize(reply);
  });
  client.on('commandFailed', () => {
    const cost = running.getStore();
    if (cost !== undefined) cost.commands += 1;
  });
  return (work) => {
    const cost = { commands: 0, documents: 0, bytes: 0 };
    return running.run(cost, () => work(cost));
  };
}

/** What `readBatch` reads comes as bytes. */
const openReply = (reply: Document): Document =>
  Buffer.isBuffer(reply['cursor']) ? { ...reply, cursor: readBson(reply['cursor']) } : reply;

/** A page that was read with what belongs to it is one document, and its lists are what was read. */
function documentsIn({ cursor }: Document): number {
  const batch = (cursor?.firstBatch ?? cursor?.nextBatch ?? []) as readonly Document[];
  const lists = batch.flatMap((document) => (document['_id'] === null ? Object.values(document) : []));
  if (lists.length === 0) return batch.length;
  return lists.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}
