import lodash from 'lodash';
import { adminUser } from '../../content-types/model/system-attributes.js';
import { withAbsent } from '../absent-members.js';
import { columnsOf } from './column-names.js';
import { CLIENT_OF_SQL } from './client-of-sql.js';
import { strictProxy } from '../../plugins/contract/strict-proxy.js';
import { FILE } from '../../plugins/upload/definitions.js';
import type { Lifecycles, Model, Models, Named, StrapiContext, StrapiDatabase, StrapiLog } from '../strapi.js';
import { createQueries, queryMethods } from './queries.js';
import { createTransaction } from './transaction.js';

/**
 * Methods of `strapi.db.entityManager`: those of `strapi.db.query(uid)` that read no pages, with the uid before the
 * other arguments.
 */
const managed = lodash.difference(queryMethods, ['findWithCount', 'findPage', 'loadPages']);

function createEntityManager(query: StrapiDatabase['query']): Named {
  const methods = managed.map((name) => [
    name,
    async (uid: string, ...rest: unknown[]): Promise<unknown> => query(uid)[name]?.(...rest),
  ]);
  return strictProxy('strapi.db.entityManager', { ...Object.fromEntries(methods), getRepository: query });
}

/** Tables of Strapi v4 that are not content types, and what reads and writes them here. */
export const stores: Readonly<Record<string, string>> = {
  'strapi::webhook': 'strapi.webhookStore',
};

/** @param storeRows the values of `strapi.store` as rows */
export function createDatabase(
  { runtime, models, log }: StrapiContext,
  lifecycles: Lifecycles,
  storeRows: ReturnType<StrapiDatabase['query']>,
): StrapiDatabase {
  const open: StrapiDatabase['query'] = (uid) => {
    if (uid === 'strapi::core-store') return storeRows;
    const instead = Object.hasOwn(stores, uid) ? stores[uid] : undefined;
    if (instead !== undefined) throw new Error(`strapi.db.query('${uid}') is not supported: use ${instead}`);
    if (panelTypes.has(uid)) return { ...emptyReads(), ...ignoredWrites(uid, log) };
    const isComponent = models.components[uid] !== undefined;
    if (models.contentTypes[uid] === undefined && !isComponent) throw new Error(`Model ${uid} not found`);
    // Code can take them before bootstrap, when there is nothing to query yet.
    const queries = Object.fromEntries(
      queryMethods.map((name) => [
        name,
        async (...params: unknown[]): Promise<unknown> =>
          createQueries(uid, runtime(`strapi.db.query('${uid}')`), lifecycles)[name](...params),
      ]),
    );
    if (uid === adminUser.uid) return { ...queries, ...ignoredWrites(uid, log) };
    return isComponent ? { ...queries, ...refusedWrites(uid) } : queries;
  };
  const query: StrapiDatabase['query'] = (uid) => withAbsent('strapi.db.query(uid)', open(uid));
  return withAbsent('strapi.db', {
    query,
    entityManager: createEntityManager(query),
    transaction: createTransaction(runtime),
    lifecycles,
    dialect: { client: CLIENT_OF_SQL },
    config: { connection: { client: CLIENT_OF_SQL } },
    // The models are complete only while the service runs.
    get metadata() {
      return createMetadata(models);
    },
    get connection(): never {
      throw new Error('strapi.db.connection: SQL is not available on MongoDB');
    },
  });
}

/** The form of attributes that Strapi v4's query engine stores as relations. */
const relations: Readonly<Record<string, (attribute: Named) => Named>> = {
  component: ({ repeatable, component }) => ({
    type: 'relation',
    relation: repeatable === true ? 'oneToMany' : 'oneToOne',
    target: component as unknown,
  }),
  dynamiczone: () => ({ type: 'relation', relation: 'morphToMany' }),
  media: ({ multiple }) => ({
    type: 'relation',
    relation: multiple === true ? 'morphMany' : 'morphOne',
    target: FILE,
    morphBy: 'related',
  }),
};

/** `strapi.db.metadata`: the content types and components by uid, without join tables, because there are none. */
export function createMetadata({ contentTypes, components }: Models): ReadonlyMap<string, Named> {
  const models = [...Object.values(contentTypes), ...Object.values(components)];
  return withAbsent('strapi.db.metadata', new Map(models.map((model) => [model.uid, describeModel(model)])));
}

/** A model as Strapi v4's query engine has it. */
function describeModel(model: Model): Named {
  const { modelName, collectionName, attributes } = model;
  const own = lodash.mapValues(attributes, (attribute, name) => {
    const relation = relations[String(attribute['type'])]?.(attribute);
    if (relation !== undefined || attribute['type'] === 'relation') return relation ?? attribute;
    return { ...attribute, columnName: lodash.snakeCase(name) };
  });
  return {
    ...model,
    singularName: modelName,
    tableName: collectionName,
    attributes: { id: { type: 'increments', columnName: 'id' }, ...own },
    indexes: [],
    foreignKeys: [],
    columnToAttribute: columnsOf(own),
  };
}

/** Types of Strapi's admin panel that have no entries here. */
const panelTypes: ReadonlySet<string> = new Set(
  ['role', 'permission', 'api-token', 'api-token-permission', 'transfer-token'].map((name) => `admin::${name}`),
);

/** Reads of `strapi.db.query` that find nothing. */
const emptyReads = (): Named => ({
  findOne: async () => null,
  findMany: async () => [],
  findWithCount: async () => [[], 0],
  findPage: async ({ page = 1, pageSize = 10 }: Named = {}) => ({
    results: [],
    pagination: { page: Number(page), pageSize: Number(pageSize), pageCount: 0, total: 0 },
  }),
  count: async () => 0,
});

const none = (): unknown => null;
const noneOfMany = (): Named => ({ count: 0 });

/** The writes of `strapi.db.query`, and what they return for types of the admin panel. */
const ignoredResults: Named<(params: Named) => unknown> = {
  create: ({ data }) => ({ ...data }),
  update: none,
  delete: none,
  createMany: noneOfMany,
  updateMany: noneOfMany,
  deleteMany: noneOfMany,
};

/** Writes to types of the admin panel, which is not there: a warning, and no effect. */
const ignoredWrites = (uid: string, log: StrapiLog): Named =>
  lodash.mapValues(ignoredResults, (result, method) => async (params: Named = {}) => {
    log.warn(`strapi.db.query('${uid}').${method} has no effect: Strapi's admin panel is not there`);
    return result(params);
  });

export const writeMethods: readonly string[] = Object.keys(ignoredResults);

/** Writes to a component, which are not supported. */
const refusedWrites = (uid: string): Named =>
  lodash.mapValues(ignoredResults, (_result, method) => async () => {
    throw new Error(
      `strapi.db.query('${uid}').${method}: components are stored within their entries; write the entry, e.g. with strapi.entityService.update`,
    );
  });
