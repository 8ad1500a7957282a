import { bare } from '../../documents/shapes.js';
import { parseFilters } from '../../query/parse-filters.js';
import { parseQuery, parseSelection } from '../../query/parse-query.js';
import { both } from '../../query/ast.js';
import type { QueryInput } from '../../query/input.js';
import { AppError, hasCode } from '../../errors/app-error.js';
import { system, type Caller } from '../../documents/caller.js';
import type { Reply, RouteRequest } from '../plugin.js';
import type { Parts } from './parts.js';
import { parseId } from '../../query/parse-id.js';

/** More users than there are: as in Strapi v4, a list of users has no pages unless it is asked for. */
const EVERY = 2_147_483_647;

/** Lists users as bare records. Of the parameters of a page, `start` and `limit` count, outside of `pagination`. */
export async function listUsers({ context, userType }: Parts, { query, caller }: RouteRequest): Promise<Reply> {
  const { start, limit = '-1', page: _page, pageSize: _pageSize, ...rest } = query;
  const limits = { ...context.limits, defaultLimit: EVERY, maxLimit: EVERY };
  const input = { ...rest, pagination: { start, limit, withCount: 'false' } };
  const { entries } = await context.documents.find(parseQuery(input, userType, 'client', limits), caller, bare);
  return { body: entries };
}

/** One user; nothing for one that is not there, as in Strapi v4. */
export async function showUser(parts: Parts, { params, query, caller }: RouteRequest): Promise<Reply> {
  return { body: await readUser(parts, parseId(params['id']), query, caller) };
}

/** The user who asks. @throws AppError unauthorized for callers that are no users */
export async function showMe(parts: Parts, { query, caller }: RouteRequest): Promise<Reply> {
  if (caller.user === undefined) throw new AppError('unauthorized', 'Unauthorized');
  return { body: await readUser(parts, caller.user, query, caller) };
}

/**
 * The user who asks, with their role, whatever they may see of others: as in Strapi v4's GraphQL.
 * @throws AppError forbidden, unauthorized for API tokens
 */
export async function readMe({ context, userType }: Parts, caller: Caller): Promise<unknown> {
  if (caller.kind === 'public') throw new AppError('forbidden', 'Forbidden access');
  if (caller.user === undefined) throw new AppError('unauthorized', 'Authentication requested');
  const selection = parseSelection({ populate: ['role'] }, userType, 'client', context.limits);
  return context.documents.findOne(userType, caller.user, { caller: system, shape: bare, selection });
}

async function readUser(
  { context, userType }: Parts,
  id: number | undefined,
  query: QueryInput,
  caller: RouteRequest['caller'],
): Promise<unknown> {
  const selection = parseSelection(query, userType, 'client', context.limits);
  if (id === undefined) return undefined;
  try {
    return await context.documents.findOne(userType, id, { caller, shape: bare, selection });
  } catch (error) {
    if (hasCode(error, 'notFound')) return undefined;
    throw error;
  }
}

/**
 * Counts users: those whose attributes have the values of the parameters, as in Strapi v4, or that match `filters`.
 * What is no public attribute says nothing.
 */
export async function countUsers({ context, userType }: Parts, { query, caller }: RouteRequest): Promise<Reply> {
  const { attributes } = userType;
  const plain = Object.entries(query).filter(([name]) => name === 'id' || attributes.get(name)?.private === false);
  const filters = [query['filters'], Object.fromEntries(plain)].map((input) =>
    parseFilters(input, attributes, 'client'),
  );
  const input = { pagination: { limit: '1', withCount: 'true' } };
  const all = parseQuery(input, userType, 'client', context.limits);
  const filter = both(filters[0], filters[1]);
  const { total } = await context.documents.find({ ...all, fields: [], filter }, caller, bare);
  return { body: total };
}
