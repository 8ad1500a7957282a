import { AsyncLocalStorage } from 'node:async_hooks';
import { BSON, type CommandSucceededEvent, type Document, type MongoClient } from 'mongodb';

/** The database cost of some work so far. */
export interface Cost {
  /** Commands that were sent. */
  commands: number;
  /** Documents that were returned, including those looked up for a page. */
  documents: number;
  /** All that was returned. */
  bytes: number;
}

/** Measures the commands of a client that reports them. */
export function openQueryCosts(client: MongoClient) {
  const running = new AsyncLocalStorage<Cost>();
  /** Adds a shared cost to the work that is currently measured. */
  const charge = ({ commands, documents, bytes }: Readonly<Cost>): void => {
    const cost = running.getStore();
    if (cost === undefined) return;
    cost.commands += commands;
    cost.documents += documents;
    cost.bytes += bytes;
  };
  client.on('commandSucceeded', (event: CommandSucceededEvent) => {
    if (running.getStore() === undefined) return;
    const reply = openReply(event.reply as Document);
    charge({ commands: 1, documents: documentsIn(reply), bytes: BSON.calculateObjectSize(reply) });
  });
  client.on('commandFailed', () => charge({ commands: 1, documents: 0, bytes: 0 }));
  return {
    /** Measures a task and everything that it awaits. */
    measure: <T>(work: (cost: Readonly<Cost>) => T): T => {
      const cost = { commands: 0, documents: 0, bytes: 0 };
      return running.run(cost, () => work(cost));
    },
    charge,
    /** Ends the measurements, which slow down each promise of the process. */
    close: (): void => running.disable(),
  };
}

/** Measures the database cost of work. */
export type QueryCosts = ReturnType<typeof openQueryCosts>;

/** `readBatch` receives documents as bytes. */
const openReply = (reply: Document): Document =>
  Buffer.isBuffer(reply['cursor']) ? { ...reply, cursor: BSON.deserialize(reply['cursor']) } : reply;

/** A page with its lookups is one document: the elements of its lists are counted. */
function documentsIn({ cursor }: Document): number {
  const batch = (cursor?.firstBatch ?? cursor?.nextBatch ?? []) as readonly Document[];
  const lists = batch.flatMap((document) => (document['_id'] === null ? Object.values(document) : []));
  if (lists.length === 0) return batch.length;
  return lists.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}
