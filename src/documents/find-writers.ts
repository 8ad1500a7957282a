import type { ContentType, ScalarAttribute } from '../content-types/model/types.js';
import { AppError } from '../errors/app-error.js';
import { CREATED_BY, UPDATED_BY } from '../mongo/stored/writers.js';
import { both, draft, type Filter, type Pagination, type Query } from '../query/ast.js';
import { plainEntry } from '../query/entry-presenter.js';
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
  /** How many drafts there are. */
  readonly total: number;
}

/**
 * The latest drafts of the caller, and of others; undefined for types without drafts or without the right to list them.
 * Of each it reads, by the index of drafts, no entries but those that it names.
 */
export async function findDrafts(
  { intercept, store }: DocumentsContext,
  type: ContentType,
  { caller, signal, bytesRead }: RequestContext,
  limit: number,
): Promise<FoundDrafts | undefined> {
  const { user } = caller;
  if (user === undefined || !type.draftAndPublish || !caller.may(`${type.uid}.find`)) return undefined;
  const find = (filter: Filter | undefined, pagination: Pick<Pagination, 'limit' | 'withCount'>) => {
    const query: Query = {
      ...emptyQuery(type),
      publicationState: 'preview',
      parameters: anyValues(type),
      filter: both(draft, filter),
      sort: parseSort('updatedAt:desc', type.attributes, 'internal'),
      pagination: { form: 'offset', start: 0, ...pagination },
    };
    return store.find(intercept(query, { action: 'find', caller }), { signal, bytesRead });
  };
  const filters = [CREATED_BY, UPDATED_BY].map((name): Filter => ({
    kind: 'comparison',
    field: fieldOf(name),
    operator: '$eq',
    operands: [user],
  }));
  const isOwn: Filter = { kind: 'or', filters };
  const [own, others, { total = 0 }] = await Promise.all([
    find(isOwn, { limit, withCount: false }),
    // Of most drafts no user is known.
    find({ kind: 'except', filter: isOwn }, { limit, withCount: false }),
    // The total is the same for all users with the same rights, so it is cached.
    find(undefined, { limit: 0, withCount: true }),
  ]);
  return { own: own.entries.map(idOf), others: others.entries.map(idOf), total };
}
