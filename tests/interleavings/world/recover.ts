import type { Clock } from './clock.js';
import type { World } from './world.js';

const HOUR_MS = 3_600_000;
/** An intent whose primary write was not done is looked at twice. */
const SWEEPS = 4;

/** The sweep of another process, long after the one that left these intents died. A batch that is not decided yet needs a second one. */
export async function recoverAs(world: World, intents: readonly string[]): Promise<() => Promise<unknown>> {
  const { db, registry } = world;
  await backdate(world, intents);
  const batch = await db
    .collection<{ _id: string }>('_intents')
    .findOne({ _id: { $in: [...intents] }, batch: { $exists: true } });
  return async () => {
    const { store } = world.open();
    await store.sweep(registry);
    if (batch === null) return;
    await backdate(world, intents);
    await store.sweep(registry);
  };
}

async function backdate({ db }: World, intents: readonly string[]): Promise<void> {
  const collection = db.collection<{ _id: string }>('_intents');
  await collection.updateMany({ _id: { $in: [...intents] } }, { $set: { at: new Date(Date.now() - HOUR_MS) } });
}

/** Lets time pass and sweeps until nothing is left. Gives a line if something stays. */
export async function finishAll(world: World, clock: Clock, written: readonly string[]): Promise<readonly string[]> {
  const isRecording = written.includes('_events');
  const { events } = world.sweeper.store;
  // Long before the intents are abandoned.
  if (isRecording) await events.recover(world.registry, 0);
  const problems = await finishIntents(world, clock, written);
  if (!isRecording) return problems;
  await events.recover(world.registry, 0);
  const open = await world.db.collection('_events').countDocuments({ floor: { $exists: true } });
  return open === 0 ? problems : [...problems, `readers of events wait for ${open}`];
}

async function finishIntents(world: World, clock: Clock, written: readonly string[]): Promise<readonly string[]> {
  if (!written.includes('_intents')) return [];
  const intents = world.db.collection('_intents');
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    if ((await intents.countDocuments()) === 0) return [];
    clock.pass();
    await world.sweeper.store.sweep(world.registry);
  }
  const left = await intents.find().toArray();
  return left.length === 0 ? [] : [`intents are left: ${JSON.stringify(left)}`];
}
