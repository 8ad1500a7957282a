import type { Attribute, Component, ContentType, RelationAttribute } from '../../content-types/model/types.js';
import { emptyQuery } from '../../documents/context.js';
import { presentList } from '../../documents/read-operation.js';
import { idIn, NO_LIMIT, type Query } from '../../query/ast.js';
import { anyValues } from '../../query/plugin-parameters.js';
import { withinLimit } from '../../query/parse/parse-selection.js';
import type { GraphqlResolver } from '../../plugins/contract/graphql/parts.js';
import { createBatchLoader } from '../../plugins/contract/batch-loader.js';
import { isRecord } from '../../config/record.js';
import type { EntryPresenter } from '../../query/entry-presenter.js';
import type { SchemaShape } from '../schema/shape.js';
import type { ReadLimits } from './listing.js';
import { exact } from './remember-queries.js';
import { selectField } from './selection.js';

/** Whether the source of a field is an entry that can be read by its id: components cannot. */
export const isEntry = (
  model: ContentType | Component,
  source: Readonly<Record<string, unknown>>,
): model is ContentType => model.kind !== 'component' && Number.isSafeInteger(idOf(source));

const idOf = ({ id }: Source): number => Number(id ?? Number.NaN);

/**
 * Reads a field when it is resolved, by one query for all entries that are resolved together. Used for fields with
 * policies of the project, and for entries that a resolver of the project returned. Undefined if the caller may not see
 * the field.
 * @throws AppError tooCostly
 */
export type DeferredRead = (
  attribute: Attribute,
  type: ContentType,
  ...resolved: Parameters<GraphqlResolver>
) => unknown;

/** In which form what code returned is read again. */
interface Reading {
  readonly limits: ReadLimits;
  readonly shape: SchemaShape;
  readonly presenter: EntryPresenter;
}

/**
 * @param scope the query of entries that were found before, like this one
 * @param versionOf which of its versions an entry is
 */
export function createDeferredRead(
  { limits, shape, presenter }: Reading,
  scope: (query: Query, source: Source) => Query = stored,
  versionOf: (source: Source) => string = () => '',
): DeferredRead {
  const load = createBatchLoader<unknown>();
  return (attribute, type, source, args, context, info) => {
    const { caller } = context;
    const node = selectField(attribute, type, args, { info, caller, limits, shape });
    if (node === undefined) return undefined;
    const { populate } = withinLimit({ populate: [node] }, limits.populateLimit);
    const key = `${node.key} ${versionOf(source as Source)} ${JSON.stringify(args, exact)}`;
    return load(context, key, idOf(source), async (ids) => {
      const query: Query = {
        ...emptyQuery(type),
        populate,
        filter: idIn(ids),
        pagination: { form: 'offset', start: 0, limit: ids.length, withCount: false },
      };
      const { signal, bytesRead } = context;
      const scoped = scope(query, source as Source);
      const request = { action: 'find', query: scoped, caller, signal, bytesRead, presenter } as const;
      const { entries } = await context.read(request, presentList);
      return new Map((entries as readonly Source[]).map((entry) => [idOf(entry), entry[node.key]]));
    });
  };
}

/** The entries themselves were found before, in any state and e.g. locale. */
const stored = (query: Query): Query => ({
  ...query,
  publicationState: 'stored',
  parameters: anyValues(query.type),
});

/**
 * Reads the entries that a component leads to, by one query for all components that are resolved together: a component
 * that a resolver of the project returned alone cannot be read by its id, but the entries that it brings can. Undefined
 * if the caller may not see the field.
 * @throws AppError tooCostly
 */
export type RelatedRead = (
  attribute: RelationAttribute,
  model: ContentType | Component,
  brought: unknown,
  ...resolved: Parameters<GraphqlResolver>
) => Promise<unknown> | undefined;

export function createRelatedRead({ limits, shape, presenter }: Reading): RelatedRead {
  const load = createBatchLoader<Ranked>();
  return (attribute, model, brought, _source, args, context, info) => {
    const { caller, signal, bytesRead } = context;
    const node = selectField(attribute, model, args, { info, caller, limits, shape });
    if (node?.kind !== 'relation') return undefined;
    const { target } = attribute;
    withinLimit({ populate: [node] }, limits.populateLimit);
    const { start, limit, filter, ...selection } = node.query;
    const key = `${node.key} ${JSON.stringify(args, exact)}`;
    const read = async (ids: readonly number[]): Promise<ReadonlyMap<number, Ranked>> => {
      const query: Query = {
        ...emptyQuery(target),
        ...selection,
        filter: filter === undefined ? idIn(ids) : { kind: 'and', filters: [idIn(ids), filter] },
        pagination: { form: 'offset', start: 0, limit: ids.length, withCount: false },
        parameters: anyValues(target),
      };
      const request = { action: 'find', query, caller, signal, bytesRead, presenter } as const;
      const { entries } = await context.read(request, presentList);
      return new Map((entries as readonly Source[]).map((entry, rank) => [idOf(entry), { entry, rank }]));
    };
    const ids = [brought].flat().filter(isRecord).map(idOf);
    return Promise.all(ids.map(async (id) => load(context, key, id, read))).then((found) => {
      const shown = found.filter((ranked) => ranked !== undefined);
      const sorted = selection.sort.length === 0 ? shown : shown.toSorted((a, b) => a.rank - b.rank);
      const entries = sorted.slice(start, start + (limit ?? NO_LIMIT)).map(({ entry }) => entry);
      return attribute.many ? presenter.many(entries) : presenter.one(entries[0] ?? null);
    });
  };
}

type Source = Readonly<Record<string, unknown>>;

/** An entry with its place in the requested order. */
interface Ranked {
  readonly entry: Source;
  readonly rank: number;
}
