import lodash from 'lodash';
import { pathsTo, type ComponentPath } from '../../content-types/model/component-paths.js';
import type { Component, ContentType, Registry } from '../../content-types/model/types.js';
import { AppError, hasCode } from '../../errors/app-error.js';
import type { Filter, Query } from '../../query/ast.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import { hideBehind, hideFrom, type Visible } from '../../query/narrow.js';
import type { Named, Runtime } from '../strapi.js';
import { parseDatabaseQuery, present, typedEntry } from './parse-database-query.js';
import { addRelated, takeRelated } from './related-files.js';
import { firstOfGroups } from './first-of-groups.js';
import { isTwoRows, openVersions } from './versions.js';

type Params = Named | undefined;

/** Errors of the filter parser are treated as database errors, which clients do not see. */
async function asDatabaseError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && !hasCode(error, 'unavailable', 'overloaded')) {
      throw new Error(error.message, { cause: error });
    }
    throw error;
  }
}

/**
 * Reads and counts without events. Each is one database read.
 * @param visible the entries that exist for the client; undefined: all
 */
export function createReads(uid: string, runtime: Runtime, visible?: Visible) {
  const { registry, audience } = runtime;
  const source = sourceOf(uid, registry);
  const { type, componentPaths } = source;
  const versions = openVersions(type, runtime);
  const read = async (params: Params, hide: typeof hideFrom): Promise<readonly Named[]> => {
    const { rest, related } = takeRelated(uid, params);
    const {
      query: parsed,
      presented,
      keys,
    } = parseDatabaseQuery(type, related === undefined ? rest : withId(rest), audience);
    const shownQuery = visible === undefined ? parsed : hide(parsed, visible);
    const query = keys.length === 0 ? shownQuery : await firstOfGroups(shownQuery, keys, groupsOf(source, runtime));
    const entries = await versions.find({ ...query, ...source });
    const shown = entries.map((entry) => present(entry(typedEntry), presented) as Named);
    return related === undefined ? shown : addRelated(runtime, shown, related);
  };
  const all = (params: Params): Promise<readonly Named[]> => read(params, hideFrom);
  const filterOf = (params: Named): Filter | undefined => {
    const { query } = parseDatabaseQuery(type, lodash.pick(params, ['where', 'filters', '_q']), audience);
    return visible === undefined ? query.filter : hideFrom(query, visible).filter;
  };
  return {
    type,
    /** @throws Error for invalid parameters, without reading anything */
    check: (params: Params): Promise<void> =>
      asDatabaseError(async () => void parseDatabaseQuery(type, params, audience)),
    all: (params: Params): Promise<readonly Named[]> => asDatabaseError(() => all(params)),
    first: (params: Params): Promise<Named | null> =>
      asDatabaseError(async () => (await all({ ...params, limit: 1 }))[0] ?? null),
    /**
     * An entry that the client may see, because it has written it or has a preview link; what is behind it may be
     * hidden.
     */
    shown: (params: Params): Promise<Named | null> =>
      asDatabaseError(async () => (await read({ ...params, limit: 1 }, hideBehind))[0] ?? null),
    count: (params: Params = {}): Promise<number> =>
      asDatabaseError(async () => versions.count(filterOf(params), componentPaths)),
    filter: (params: Named): Promise<Filter | undefined> => asDatabaseError(async () => filterOf(params)),
  };
}

/** @throws Error where the rows of code are no entries */
function groupsOf({ type, componentPaths }: Source, runtime: Runtime): (query: Query) => Promise<readonly LazyEntry[]> {
  if (componentPaths !== undefined || isTwoRows(type, runtime))
    throw new Error(`groupBy is not supported for ${type.uid}: read the attributes, and group the entries in the code`);
  return async (query) => (await runtime.store.find(query)).entries;
}

/** What `createReads` returns. */
export type Reads = ReturnType<typeof createReads>;

/** Parameters that select the id as well. */
export const withId = ({ select, ...params }: Named): Named =>
  select === undefined || select === null ? params : { ...params, select: ['id', ...[select].flat()] };

/** The source of `strapi.db.query`: entries of a content type or, with `componentPaths`, components at these paths. */
interface Source {
  readonly type: ContentType;
  readonly componentPaths?: readonly ComponentPath[];
}

/** What code reads by this uid: a content type, or a component with the attributes of one. @throws Error for none */
export const readTypeOf = (uid: string, registry: Registry): ContentType => sourceOf(uid, registry).type;

/** @throws Error for an unknown uid */
function sourceOf(uid: string, registry: Registry): Source {
  const type = registry.contentTypes.get(uid);
  if (type !== undefined) return { type };
  const component = registry.components.get(uid);
  if (component === undefined) throw new Error(`unknown content type "${uid}"`);
  return { type: asContentType(component, registry), componentPaths: pathsTo(component, registry) };
}

/** A component has no collection. */
const asContentType = ({ uid, displayName, attributes }: Component, { dialect }: Registry): ContentType => ({
  kind: 'collectionType',
  uid,
  displayName,
  attributes,
  dialect,
  collectionName: uid,
  singularName: uid,
  pluralName: uid,
  draftAndPublish: false,
  populateCreatorFields: false,
  indexes: [],
  pluginOptions: {},
  parameters: [],
});
