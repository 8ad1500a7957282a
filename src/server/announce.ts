import type { DetailLog } from '../app/operations/operate.js';
import type { Database } from '../mongo/connection/database.js';
import { announceServing } from '../mongo/coordination/serving.js';

/** Tells commands of other processes that a service runs on this database. Returns how to end that. */
export async function announce(
  { db, exclusive }: Pick<Database, 'db' | 'exclusive'>,
  log: Pick<DetailLog, 'warn'>,
): Promise<() => Promise<void>> {
  const nothing = async (): Promise<void> => undefined;
  if (exclusive) return nothing;
  return announceServing(db).catch((error: unknown) => {
    log.warn({ err: error }, 'Commands beside this service cannot tell that it runs');
    return nothing;
  });
}
