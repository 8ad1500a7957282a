import type { Db } from 'mongodb';
import { systemCommandOptions } from '../../read/time-limits.js';
import type { StoredStep } from './step-format.js';

/** Whether a batch is recorded and not finished. */
export async function isUnfinished(db: Db, batch: string): Promise<boolean> {
  const unfinished = { _id: batch as never, batch: { $exists: true } };
  const options = { ...systemCommandOptions, projection: { _id: 1 } } as const;
  return (await db.collection('_intents').findOne(unfinished, options)) !== null;
}

/** The entries of batches about which it is not decided yet whether they are done, as `uid:id`. */
export async function entriesInBatches(db: Db): Promise<ReadonlySet<string>> {
  const records = await db
    .collection<{ readonly batch?: readonly StoredStep[] }>('_intents')
    .find({ batch: { $exists: true } }, { ...systemCommandOptions, projection: { 'batch.primary': 1 } })
    .toArray();
  return new Set(
    records.flatMap(({ batch = [] }) =>
      batch.map(({ primary }) => `${String(primary['type'])}:${String(primary['id'])}`),
    ),
  );
}
