import { adminUser } from '../../content-types/model/system-attributes.js';
import { withAbsent } from '../absent-members.js';
import { strictProxy } from '../../plugins/contract/strict-proxy.js';
import type { OpenLifecycles } from '../lifecycles/lifecycles.js';
import type { Named, StrapiContext, StrapiDatabase } from '../strapi.js';
import { emptyReads, ignoredWrites, isPanelType } from './admin-queries.js';
import { createMetadata } from './metadata.js';
import { createQueries } from './queries.js';
import { refusedWrites } from './source.js';

/** Methods of `strapi.db.entityManager`: those of `strapi.db.query(uid)`, with the uid before the other arguments. */
const managed = [
  'findOne',
  'findMany',
  'count',
  'create',
  'createMany',
  'update',
  'updateMany',
  'delete',
  'deleteMany',
  'populate',
  'load',
] as const;

function createEntityManager(query: StrapiDatabase['query']): Named {
  const methods = managed.map((name) => [
    name,
    async (uid: string, ...rest: unknown[]): Promise<unknown> => query(uid)[name]?.(...rest),
  ]);
  return strictProxy('strapi.db.entityManager', { ...Object.fromEntries(methods), getRepository: query });
}

/** Tables of Strapi v4 that are not content types, and what reads and writes them here. */
export const stores: Readonly<Record<string, string>> = {
  'strapi::core-store': 'strapi.store',
  'strapi::webhook': 'strapi.webhookStore',
};

/** `strapi.db`. */
export function createDatabase({ runtime, models, log }: StrapiContext, lifecycles: OpenLifecycles): StrapiDatabase {
  let warned = false;
  const open: StrapiDatabase['query'] = (uid) => {
    const instead = Object.hasOwn(stores, uid) ? stores[uid] : undefined;
    if (instead !== undefined) throw new Error(`strapi.db.query('${uid}') is not supported: use ${instead}`);
    if (isPanelType(uid)) return { ...emptyReads(), ...ignoredWrites(uid, log) };
    const isComponent = models.components[uid] !== undefined;
    if (models.contentTypes[uid] === undefined && !isComponent) throw new Error(`Model ${uid} not found`);
    const queries = createQueries(uid, () => runtime(`strapi.db.query('${uid}')`), lifecycles);
    if (uid === adminUser.uid) return { ...queries, ...ignoredWrites(uid, log) };
    return isComponent ? { ...queries, ...refusedWrites(uid) } : queries;
  };
  const query: StrapiDatabase['query'] = (uid) => withAbsent('strapi.db.query(uid)', open(uid));
  return withAbsent('strapi.db', {
    query,
    entityManager: createEntityManager(query),
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
  });
}
