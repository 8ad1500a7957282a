import type { Db } from 'mongodb';

/** Whether reads of this database see every acknowledged write. Reads of secondaries can be stale. */
export const readsPrimary = ({ readPreference }: Db): boolean =>
  readPreference === undefined || readPreference.mode === 'primary';
