import type { ContentType, ScalarAttribute } from '../content-types/model/types.js';
import { AppError } from '../errors/app-error.js';
import { CREATED_BY, UPDATED_BY } from '../mongo/stored/writers.js';
import { both, draft, type Filter, type Pagination, type Query } from '../query/ast.js';
import { plainEntry, type LazyEntry } from '../query/entry-presenter.js';
import { anyValues } from '../query/plugin-parameters.js';
import { parseSort } from '../query/parse/parse-sort.js';
import type { Caller } from './caller.js';
import { emptyQuery, type DocumentsContext } from './context.js';
import { findStates } from './entry-states.js';
import { findEntry, idOf, queryFor } from './read.js';
import type { RequestContext } from './request-context.js';

/** The ids of the users who created and last changed an entry; null: it was no user. */
export interface Writers {
  readonly createdBy: number | null;
  readonly updatedBy: number | null;
}

/** These fields are no attributes, so queries of clients cannot name them. */
const fieldOf = (name: string): ScalarAttribute =>
  ({ kind: 'scalar', name, type: 'integer', unique: false, searchable: false }) as ScalarAttribute;

/** For internal code that selects it beside the attributes of entries. */
export const LAST_WRITER = fieldOf(UPDATED_BY);

/**
 * For callers who may change the entry: of its latest state, if that exists for them.
 * @throws AppError forbidden, notFound
 */
export async function findWriters(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  caller: Caller,
): Promise<Writers> {
  if (!caller.may(`${type.uid}.update`)) throw new AppError('forbidden');
  const { entry, latest } = await findStates(context, type, id, 'update', caller);
  if (!entry && !latest) throw new AppError('notFound');
  const selection = { fields: [fieldOf(CREATED_BY), LAST_WRITER], populate: [] };
  const status = latest ? ({ status: 'draft' } as const) : {};
  const query = queryFor(context, type, 'update', { caller, presenter: plainEntry, selection, ...status });
  const stored = (await findEntry(context, query, id))(plainEntry);
  const { [CREATED_BY]: createdBy, [UPDATED_BY]: updatedBy } = stored as Readonly<Record<string, number | null>>;
  return { createdBy: createdBy ?? null, updatedBy: updatedBy ?? null };
}

/** Drafts of a content type that the caller may list. */
export interface FoundDrafts {
  /** The ids of those that the caller has created or last changed, the latest change first. */
  readonly own: readonly number[];
  /** Those of others, and those that no user has written. */
  readonly others: readonly number[];
  /** The ids of published entries whose prepared changes the caller has saved last. */
  readonly prepared: readonly number[];
  /** How many drafts there are. */
  readonly total: number;
}

/**
 * The latest drafts of the caller, and of others; undefined for types without drafts or without the right to list them.
 * Of each it reads, by the index of drafts, no entries but those that it names.
 */
export async function findDrafts(
  context: DocumentsContext,
  type: ContentType,
  request: RequestContext,
  limit: number,
): Promise<FoundDrafts | undefined> {
  const { caller } = request;
  const { user } = caller;
  if (user === undefined || !type.draftAndPublish || !caller.may(`${type.uid}.find`)) return undefined;
  const find = (filter: Filter | undefined, pagination: Pages) =>
    findLatest(context, type, request, { filter: both(draft, filter) }, pagination);
  const isChanged = compared(UPDATED_BY, '$eq', user);
  const isOwn: Filter = { kind: 'or', filters: [compared(CREATED_BY, '$eq', user), isChanged] };
  const isPrepared = { filter: isChanged, modified: true } as const;
  const [own, others, prepared, { total = 0 }] = await Promise.all([
    find(isOwn, { limit, withCount: false }),
    // Of most drafts no user is known.
    find({ kind: 'except', filter: isOwn }, { limit, withCount: false }),
    type.copies === undefined
      ? { entries: [] }
      : findLatest(context, type, request, isPrepared, { limit, withCount: false }),
    // The total is the same for all users with the same rights, so it is cached.
    find(undefined, { limit: 0, withCount: true }),
  ]);
  return { own: idsOf(own), others: idsOf(others), prepared: idsOf(prepared), total };
}

/** What users have changed last, of a content type that the caller may list. */
export interface FoundChanges {
  /** The ids of entries, the latest change first. */
  readonly changed: readonly number[];
  /** How many entries there are. */
  readonly total: number;
}

/** The latest changes by users, and how many entries there are; undefined without the right to list them. */
export async function findChanges(
  context: DocumentsContext,
  type: ContentType,
  request: RequestContext,
  limit: number,
): Promise<FoundChanges | undefined> {
  if (!request.caller.may(`${type.uid}.find`)) return undefined;
  const [changed, { total = 0 }] = await Promise.all([
    findLatest(context, type, request, { filter: compared(UPDATED_BY, '$gt', 0) }, { limit, withCount: false }),
    findLatest(context, type, request, { filter: undefined }, { limit: 0, withCount: true }),
  ]);
  return { changed: idsOf(changed), total };
}

type Pages = Pick<Pagination, 'limit' | 'withCount'>;

/** Entries as they are prepared, in all locales, the latest change first. */
function findLatest(
  { intercept, store }: DocumentsContext,
  type: ContentType,
  { caller, signal, bytesRead }: RequestContext,
  which: Pick<Query, 'filter' | 'modified'>,
  pages: Pages,
) {
  const query: Query = {
    ...emptyQuery(type),
    publicationState: 'preview',
    parameters: anyValues(type),
    ...which,
    sort: parseSort('updatedAt:desc', type.attributes, 'internal'),
    pagination: { form: 'offset', start: 0, ...pages },
  };
  return store.find(intercept(query, { action: 'find', caller }), { signal, bytesRead });
}

const compared = (name: string, operator: '$eq' | '$gt', operand: number): Filter => ({
  kind: 'comparison',
  field: fieldOf(name),
  operator,
  operands: [operand],
});

const idsOf = ({ entries }: { readonly entries: readonly LazyEntry[] }): readonly number[] => entries.map(idOf);
