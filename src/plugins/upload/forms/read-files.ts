import type { Component, ContentType } from '../../../content-types/model/types.js';
import type { Caller } from '../../../documents/caller.js';
import type { Asked } from '../../../documents/context.js';
import type { Entry } from '../../../documents/entries.js';
import { assertReadable } from '../../../documents/rights.js';
import { bare } from '../../../documents/shapes.js';
import { AppError, hasCode } from '../../../errors/app-error.js';
import type { Selection } from '../../../query/ast.js';
import { readableFields } from '../../../query/parse/parse-fields.js';
import { parseSlice, withoutPages } from '../../../query/parse/parse-pagination.js';
import { parseQuery, parseSelection, parseUnused } from '../../../query/parse/parse-query.js';
import type { PluginContext, Reply, RouteRequest } from '../../contract/plugin.js';
import { fileTypeOf } from '../media/file.js';
import { findRelated } from '../media/find-related.js';
import { parseId } from '../../../query/parse/parse-id.js';
import { readRelatedField } from '../media/take-related.js';

/** Files in one answer: unlike entries, as recorded, they come without pages. */
const MOST_FILES = 10_000;

/** Files as a list of plain records. @throws AppError invalidParameter */
export async function findFiles({ query, caller }: RouteRequest, context: PluginContext): Promise<Reply> {
  const { rest, wantsRelated } = readRelatedField(query);
  const pagination = parseSlice(rest, MOST_FILES);
  const parsed = parseQuery(withoutPages(rest), fileTypeOf(context.registry), 'client', context.limits);
  const { entries } = await context.documents.find({ ...parsed, pagination }, caller, bare);
  const files = entries as readonly Entry[];
  return { body: wantsRelated ? await withRelated(context, files, caller) : files };
}

/** @throws AppError notFound, invalidParameter */
export async function findFile(request: RouteRequest, context: PluginContext): Promise<Reply> {
  const { rest, wantsRelated } = readRelatedField(request.query);
  assertReadable(parseUnused(rest, fileTypeOf(context.registry), 'client'), request.caller);
  const file = await one({ ...request, query: rest }, context, 'findOne');
  if (!wantsRelated) return { body: file };
  const [body] = await withRelated(context, [file], request.caller);
  return { body };
}

/**
 * Deletes a file, its sizes, and every reference to it. As in Strapi v4 its query says nothing.
 * @throws AppError notFound
 */
export const deleteFile = async (request: RouteRequest, context: PluginContext): Promise<Reply> => ({
  body: await one({ ...request, query: {} }, context, 'delete'),
});

async function one(
  { params, query, caller }: RouteRequest,
  { registry, documents, limits }: PluginContext,
  action: 'findOne' | 'delete',
): Promise<Entry> {
  const type = fileTypeOf(registry);
  // As in Strapi v4 one file has all its attributes: what `fields` names is checked, no more.
  const fields = readableFields(type.attributes, 'client');
  const selection = { ...parseSelection(query, type, 'client', limits), fields };
  const asked: Asked = { caller, shape: bare, selection };
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
