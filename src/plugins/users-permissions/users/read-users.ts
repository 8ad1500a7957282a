import { plainEntry } from '../../../query/entry-presenter.js';
import { parseFilters } from '../../../query/parse/parse-filters.js';
import { pages, parseSlice, withoutPages } from '../../../query/parse/parse-pagination.js';
import { parseQuery, parseUnused } from '../../../query/parse/parse-query.js';
import { parseSelection } from '../../../query/parse/parse-selection.js';
import { both, NO_LIMIT } from '../../../query/ast.js';
import { type QueryInput, parseId } from '../../../query/parse/input.js';
import { AppError, ifNotFound } from '../../../errors/app-error.js';
import { system, type Caller } from '../../../documents/caller.js';
import { assertReadable, keepFields, withheldFrom } from '../../../documents/rights.js';
import { presentList } from '../../../documents/read-operation.js';
import type { Reply, RouteRequest } from '../../contract/plugin.js';
import { totalHeader } from '../../contract/total-count.js';
import type { Services } from '../services.js';

const readOf = ({ caller, signal, bytesRead, entryForm: { presenter } }: RouteRequest) =>
  ({ action: 'find', caller, signal, bytesRead, presenter }) as const;

/**
 * Lists users as plain records, from `start` on; as in Strapi v4 all of them without a `limit`. With `withCount=true` a
 * header says how many there are.
 */
export async function listUsers({ context, userType }: Services, request: RouteRequest): Promise<Reply> {
  const withCount = request.query['withCount'] === 'true';
  const pagination = { ...parseSlice(request.query, NO_LIMIT), withCount };
  request.entryForm.checkQuery?.(request.query, userType);
  const parsed = parseQuery(withoutPages(request.query), userType, request.entryForm.audience, context.limits);
  const { entries, total } = await context.documents.read(
    { ...readOf(request), query: { ...parsed, pagination } },
    presentList,
  );
  return { body: entries, ...totalHeader(total) };
}

/** One user; as in Strapi v4, an empty response if the user does not exist. */
export async function showUser(services: Services, request: RouteRequest): Promise<Reply> {
  return { body: await readUser(services, parseId(request.params['id']), request.query, request) };
}

/** The caller. @throws AppError unauthorized for callers that are not users */
export async function showMe(services: Services, request: RouteRequest): Promise<Reply> {
  const { user } = request.caller;
  if (user === undefined) throw new AppError('unauthorized', 'Unauthorized');
  return { body: await readUser(services, user, request.query, request) };
}

/**
 * The caller with their role, regardless of their permissions for users, as in Strapi v4's GraphQL.
 * @returns undefined for callers that are no users, such as API tokens
 * @throws AppError forbidden
 */
export async function readMe({ context, userType }: Services, caller: Caller): Promise<unknown> {
  if (caller.kind === 'public') throw new AppError('forbidden', 'Forbidden access');
  if (caller.user === undefined) return undefined;
  // Also of themselves they do not see what a rule withholds.
  const withheld = withheldFrom(userType, caller, 'findOne');
  const role = userType.attributes.get('role');
  const populate = role !== undefined && withheld?.has(role) === true ? [] : ['role'];
  const selection = keepFields(parseSelection({ populate }, userType, 'client', context.limits), withheld);
  return context.documents.readEntry(userType, caller.user, { caller: system, presenter: plainEntry, selection });
}

async function readUser(
  { context, userType }: Services,
  id: number | undefined,
  query: QueryInput,
  { caller, signal, bytesRead, entryForm: { audience, presenter, checkQuery } }: RouteRequest,
): Promise<unknown> {
  checkQuery?.(query, userType);
  assertReadable(parseUnused(query, userType, audience), caller, withheldFrom(userType, caller, 'findOne'));
  const selection = parseSelection(query, userType, audience, context.limits);
  if (id === undefined) return undefined;
  const request = { caller, signal, bytesRead, presenter, selection };
  return context.documents.readEntry(userType, id, request).catch(ifNotFound(undefined));
}

/** Parameters of a query that are no attributes. */
const parameters = new Set(['filters', 'sort', 'fields', 'populate', 'pagination', 'publicationState', 'locale', '_q']);

/**
 * Counts users: those whose attributes have the values of the parameters, as in Strapi v4, or that match `filters`.
 * @throws AppError invalidParameter for a name that is neither a parameter nor a public attribute
 */
export async function countUsers({ context, userType }: Services, request: RouteRequest): Promise<Reply> {
  const { query } = request;
  const { attributes } = userType;
  request.entryForm.checkQuery?.(query, userType);
  const all = parseQuery(withoutPages(query), userType, request.entryForm.audience, context.limits);
  const values = Object.entries(query).filter(([name]) => !parameters.has(name) && !pages.has(name));
  const filter = both(all.filter, parseFilters(Object.fromEntries(values), attributes, 'client'));
  const pagination = { form: 'offset', start: 0, limit: 1, withCount: true } as const;
  const counted = { ...all, fields: [], populate: [], filter, pagination };
  const { total } = await context.documents.read({ ...readOf(request), query: counted }, presentList);
  return { body: total };
}
