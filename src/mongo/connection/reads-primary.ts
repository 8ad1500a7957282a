import type { Db } from 'mongodb';

/** Do reads of this database see every acknowledged write? Those of other members may be behind. */
export const readsPrimary = ({ readPreference }: Db): boolean =>
  readPreference === undefined || readPreference.mode === 'primary';
