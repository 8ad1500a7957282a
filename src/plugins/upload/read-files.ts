import type { Component, ContentType } from '../../content-types/types.js';
import type { Caller } from '../../documents/caller.js';
import type { Asked } from '../../documents/context.js';
import type { Entry } from '../../documents/entries.js';
import { bare } from '../../documents/shapes.js';
import { AppError, hasCode } from '../../errors/app-error.js';
import type { QueryInput } from '../../query/input.js';
import type { Selection } from '../../query/ast.js';
import { readableFields } from '../../query/parse-fields.js';
import { parseQuery, parseSelection } from '../../query/parse-query.js';
import type { PluginContext, Reply, RouteRequest } from '../plugin.js';
import { fileTypeOf } from './file.js';
import { findRelated } from './find-related.js';
import { parseId } from '../../query/parse-id.js';
import { takeRelated } from './take-related.js';

/** Files in one answer: unlike entries, as recorded, they come without pages. */
const MOST_FILES = 10_000;

/** Files as a list of plain records. @throws AppError invalidParameter */
export async function findFiles({ query, caller }: RouteRequest, context: PluginContext): Promise<Reply> {
  const { rest, wantsRelated } = takeRelated(query);
  const limits = { ...context.limits, defaultLimit: MOST_FILES, maxLimit: MOST_FILES, withCount: false };
  const parsed = parseQuery(withSlice(rest), fileTypeOf(context.registry), 'client', limits);
  const { entries } = await context.documents.find(parsed, caller, bare);
  const files = entries as readonly Entry[];
  return { body: wantsRelated ? await withRelated(context, files, caller) : files };
}

/** As recorded: `start` and `limit` stand beside `filters`, and `pagination` does nothing. */
function withSlice({ start = 0, limit = -1, ...others }: QueryInput): QueryInput {
  return { ...others, page: undefined, pageSize: undefined, pagination: { start, limit } };
}

/** @throws AppError notFound */
export async function findFile(request: RouteRequest, context: PluginContext): Promise<Reply> {
  const { rest, wantsRelated } = takeRelated(request.query);
  const file = await one({ ...request, query: rest }, context, 'findOne');
  if (!wantsRelated) return { body: file };
  const [body] = await withRelated(context, [file], request.caller);
  return { body };
}

/** Deletes a file, its sizes, and every reference to it. @throws AppError notFound */
export const deleteFile = async (request: RouteRequest, context: PluginContext): Promise<Reply> => ({
  body: await one(request, context, 'delete'),
});

async function one(
  { params, query, caller }: RouteRequest,
  { registry, documents, limits }: PluginContext,
  action: 'findOne' | 'delete',
): Promise<Entry> {
  const type = fileTypeOf(registry);
  const asked: Asked = { caller, shape: bare, selection: parseSelection(query, type, 'client', limits) };
  try {
    const id = parseId(params['id']);
    if (id === undefined) throw new AppError('notFound');
    return (await documents[action](type, id, asked)) as Entry;
  } catch (error) {
    throw hasCode(error, 'notFound') ? new AppError('notFound', 'file.notFound') : error;
  }
}

/** As recorded of morphs: `related` is left out where there is nothing. */
async function withRelated(context: PluginContext, files: readonly Entry[], caller: Caller): Promise<readonly Entry[]> {
  const ids = files.map(({ id }) => id);
  const select = ({ attributes }: ContentType | Component): Selection => ({
    fields: readableFields(attributes, 'client'),
    populate: [],
  });
  const related = await findRelated(context, ids, { caller, select });
  return files.map((file) => {
    const found = related.get(file.id) ?? [];
    return found.length === 0 ? file : { ...file, related: found };
  });
}
