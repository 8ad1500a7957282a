import type { OpenLifecycles } from '../lifecycles/lifecycles.js';
import type { StrapiContext, StrapiDatabase } from '../strapi.js';
import { createMetadata } from './metadata.js';
import { createQueries } from './queries.js';
import { refusedWrites } from './source.js';

/** `strapi.db`. */
export function createDatabase({ runtime, models, log }: StrapiContext, lifecycles: OpenLifecycles): StrapiDatabase {
  let warned = false;
  return {
    query: (uid) => {
      const isComponent = models.components[uid] !== undefined;
      if (models.contentTypes[uid] === undefined && !isComponent) throw new Error(`Model ${uid} not found`);
      const queries = createQueries(uid, () => runtime(`strapi.db.query('${uid}')`), lifecycles);
      return isComponent ? { ...queries, ...refusedWrites(uid) } : queries;
    },
    transaction: async (work) => {
      if (!warned)
        log.warn('strapi.db.transaction: writes are atomic one by one; a failed write does not roll back others');
      warned = true;
      return work?.({ trx: undefined, onCommit: () => undefined, onRollback: () => undefined });
    },
    lifecycles,
    // The models are complete only while the service runs.
    get metadata() {
      return createMetadata(models);
    },
    get connection(): never {
      throw new Error('strapi.db.connection: SQL is not available on MongoDB');
    },
  };
}
