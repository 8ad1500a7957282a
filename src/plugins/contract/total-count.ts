import type { Reply } from './routes.js';

/** Strapi's lists of files and of users have no envelope that could say how many there are. */
const TOTAL_COUNT = 'X-Total-Count';

/** How many entries a list without an envelope has on all pages; undefined: nobody asks. */
export const totalHeader = (total: number | undefined): Pick<Reply, 'headers'> =>
  total === undefined ? {} : { headers: { [TOTAL_COUNT]: String(total) } };
