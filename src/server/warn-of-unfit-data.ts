import { createHash } from 'node:crypto';
import type { Registry } from '../content-types/model/types.js';
import type { Logger } from '../errors/logger.js';
import type { Database } from '../mongo/connection/database.js';
import { countUnfit, isDemanded } from '../mongo/maintenance/unfit/find-unfit.js';
import { openValues } from '../mongo/values.js';

/** The time limit in milliseconds for the count of one content type. */
const TIMEOUT_MS = 60_000;

/**
 * Checks after each change of the definitions whether the stored entries match them, and logs one warning per content
 * type that does not. While there is a mismatch, every start checks again. The service serves meanwhile.
 */
export async function warnOfUnfitData({ db }: Database, { contentTypes }: Registry, log: Logger): Promise<void> {
  const values = openValues(db);
  const key = ['definitions that the data fits', '', ''] as const;
  const definitions = [...contentTypes.values()].map(({ uid, collectionName, draftAndPublish, attributes }) => [
    uid,
    collectionName,
    draftAndPublish,
    ...[...attributes.values()].map((attribute) => [attribute.name, isDemanded(attribute)]),
  ]);
  const hash = createHash('sha256').update(JSON.stringify(definitions)).digest('base64');
  if ((await values.get(...key)) === hash) return;
  let fits = true;
  for (const type of contentTypes.values()) {
    const mismatches = await countUnfit(db, type, TIMEOUT_MS);
    if (mismatches.length === 0) continue;
    fits = false;
    const counts = mismatches.map(({ unfit, entries }) => `${unfit} (entries: ${entries})`);
    log.warn(
      {},
      `Stored entries of ${type.uid} do not fit its definition: ${counts.join('; ')}; see the command migrate`,
    );
  }
  if (fits) await values.set(...key, hash);
}
