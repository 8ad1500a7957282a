import { TRANSACTIONS, UNDO } from '../../../src/mongo/transactions/format.js';
import type { World } from './world.js';

/**
 * What another process does for these transactions, which seem to be left: it has not heard of their process for a long
 * time.
 */
export async function recoverAs(world: World, transactions: readonly string[]): Promise<() => Promise<unknown>> {
  await age(world, { _id: { $in: [...transactions] } });
  return () => world.open().store.sweep();
}

const age = async ({ db }: World, filter: object): Promise<void> => {
  await db.collection(TRANSACTIONS).updateMany(filter, { $set: { at: new Date(0) } });
};

/** Recovers what is left when all processes have ended. Gives a line if something stays. */
export async function finishAll(world: World, written: readonly string[]): Promise<readonly string[]> {
  const isRecording = written.includes('_events');
  const { events } = world.sweeper.store;
  const problems = await finishTransactions(world, written);
  if (!isRecording) return problems;
  await events.recover(world.registry, 0);
  const open = await world.db.collection('_events').countDocuments({ floor: { $exists: true } });
  return open === 0 ? problems : [...problems, `readers of events wait for ${open}`];
}

async function finishTransactions(world: World, written: readonly string[]): Promise<readonly string[]> {
  if (!written.includes(TRANSACTIONS)) return [];
  const { db, sweeper } = world;
  const { store } = sweeper;
  await age(world, {});
  await store.sweep();
  // Entries that were locked, and neither logged nor changed: the next write of each finds that out.
  for (const key of await findLocked(world, written)) await store.transactions.awaitUnlocked([key]);
  await store.sweep(true);
  const left = await Promise.all(
    [TRANSACTIONS, UNDO].map(async (name) =>
      (await db.collection(name).find().toArray()).map((document) => `${name} has ${JSON.stringify(document)}`),
    ),
  );
  const locked = (await findLocked(world, written)).map(({ collection, id }) => `${collection} ${id} stays locked`);
  return [...left.flat(), ...locked];
}

const findLocked = async ({ db, registry }: World, written: readonly string[]) =>
  (
    await Promise.all(
      [...registry.contentTypes.values()].map(async ({ collectionName: collection }) => {
        if (!written.includes(collection)) return [];
        const found = await db
          .collection(collection)
          .find({ _lock: { $ne: null } }, { projection: { _id: 1 } })
          .toArray();
        return found.map(({ _id }) => ({ collection, id: Number(_id) }));
      }),
    )
  ).flat();
