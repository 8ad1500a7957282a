import type { Db } from 'mongodb';
import { StartError } from '../../errors/start-error.js';
import { holdLock } from '../coordination/locks.js';
import { translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';

/**
 * Changes stored data from one format to the next. It can be interrupted and repeated, and older processes keep
 * reading.
 */
export type Upgrade = (db: Db) => Promise<void>;

/** Format 1 had another protocol of writes, and was never released. */
const FIRST_FORMAT = 2;

/** The steps from each format to the next, beginning with the first format. A change of what is stored adds one. */
const upgrades: readonly Upgrade[] = [];

interface FormatRecord {
  readonly _id: 'data';
  readonly format: number;
}

/**
 * Brings the stored data into the format of this version. The database records it in `_format`; one without a record is
 * new, or has the first format. One process upgrades an older format, others wait for it.
 * @param steps for tests
 * @throws StartError for a newer format, or one from before the first; nothing was changed
 */
export async function claimDataFormat(db: Db, steps: readonly Upgrade[] = upgrades): Promise<void> {
  const current = FIRST_FORMAT + steps.length;
  if ((await readFormat(db, current)) === current) return;
  await holdLock(db, 'data format', async () => {
    for (let format = (await readFormat(db, current)) ?? FIRST_FORMAT; format < current; format += 1) {
      await steps[format - FIRST_FORMAT]?.(db);
      await record(db, format + 1);
    }
    await record(db, current);
  });
}

/** The recorded format, if there is a record. @throws StartError if it is newer, or older than the first */
async function readFormat(db: Db, current: number): Promise<number | undefined> {
  const records = db.collection<FormatRecord>('_format');
  const format = (await translated(() => records.findOne({ _id: 'data' }, systemCommandOptions)))?.format;
  if (format === undefined || (format >= FIRST_FORMAT && format <= current)) return format;
  if (format < FIRST_FORMAT) {
    throw new StartError(
      `The data has the format ${format}, of a version before the first release, which this version cannot read: ` +
        'use the version that wrote it, or an empty database',
    );
  }
  throw new StartError(
    `The data has the format ${format}, this version knows ${current}: a newer version of the service has upgraded it. ` +
      'Install that version, or restore the backup from before the upgrade',
  );
}

async function record(db: Db, format: number): Promise<void> {
  const options = { ...systemCommandOptions, upsert: true };
  const records = db.collection<FormatRecord>('_format');
  await translated(() => records.updateOne({ _id: 'data' }, { $max: { format } }, options));
}
