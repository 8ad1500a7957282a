import { randomUUID } from 'node:crypto';
import { type Caller, type PluginContext, system } from 'content-service/plugin';
import type { Content } from './chain.js';
import { record } from './definition.js';
import { headsOf, type Log } from './keep.js';

const { uid } = record;
const MILLISECONDS_PER_DAY = 86_400_000;
/** Records that are removed together. */
const BATCH = 1000;

/** The only one who may remove and change records. */
export const keeper: Caller = { ...system };

/** A record about the log itself. */
export const recordOfLog = (action: string, more: Partial<Content>): Content => ({
  at: new Date().toISOString(),
  action,
  kind: 'system',
  key: `${action} ${randomUUID()}`,
  ...more,
});

/**
 * Removes the records that are older, from the beginning of the log, and records where each chain begins now. Returns
 * their number.
 */
export async function expire({ entries }: PluginContext, log: Log, days: number, now: Date): Promise<number> {
  const before = now.getTime() - days * MILLISECONDS_PER_DAY;
  let count = 0;
  for (;;) {
    const fields = ['chain', 'place', 'hash', 'at'];
    const oldest = await entries.findMany(uid, { sort: 'id:asc', fields, pagination: { limit: BATCH } });
    const younger = oldest.findIndex(({ at }) => new Date(at as string).getTime() >= before);
    const old = younger < 0 ? oldest : oldest.slice(0, younger);
    if (old.length === 0) return count;
    // First: who dies in between has removed nothing, and says so of records that are there.
    await log.append([recordOfLog('expire', { chains: headsOf(old) })]);
    count += await entries.deleteMany(uid, { filters: { id: { $in: old.map(({ id }) => id) } } }, keeper);
    if (old.length < BATCH) return count;
  }
}

/** Erases name and address of a user from all records, which stay, and records that. Returns their number. */
export async function erase({ entries }: PluginContext, log: Log, user: number): Promise<number> {
  const filters = { kind: 'user', user, salt: { $notNull: true } };
  const count = await entries.updateMany(uid, { filters }, { name: null, address: null, salt: null }, keeper);
  await log.append([recordOfLog('erase', { user })]);
  return count;
}
