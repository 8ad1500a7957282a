import type { Database } from '../connection/database.js';
import { holdLock } from './hold-lock.js';

/**
 * Does what a start puts into the database while no other process does so: several may start at once on an empty one.
 * @throws AppError unavailable, and what the work throws
 */
export const withStartupLock = <T>({ db, exclusive }: Database, work: () => Promise<T>): Promise<T> =>
  exclusive ? work() : holdLock(db, 'start', work);
