import { isRecord } from '../../../config/record.js';
import type { EntryRequest } from '../../../documents/context.js';
import type { Entry } from '../../../documents/entries.js';
import { assertReadable } from '../../../documents/rights.js';
import { entryWith, listOf } from '../../../documents/read-operation.js';
import { both, type Filter } from '../../../query/ast.js';
import { plainEntry } from '../../../query/entry-presenter.js';
import { AppError, hasCode } from '../../../errors/app-error.js';
import { isNothing, parseId } from '../../../query/parse/input.js';
import { readableFields } from '../../../query/parse/parse-fields.js';
import { parseSlice, withoutPages } from '../../../query/parse/parse-pagination.js';
import { parseFilters } from '../../../query/parse/parse-filters.js';
import { parseQuery, parseSelection, parseUnused } from '../../../query/parse/parse-query.js';
import type { PluginContext, Reply, RouteRequest } from '../../contract/plugin.js';
import type { ContentType } from '../../../content-types/model/types.js';
import { parsePosition } from '../folders/parse-folder.js';
import { folderAction, requireActions } from '../folders/routes.js';
import { fileTypeOf } from '../media/file.js';
import { findRelated, type RelatedRequest } from '../media/find-related.js';
import { readRelatedField } from '../media/related-field.js';
import { selectRelated } from './select-related.js';

/** The maximum number of files in one response: as recorded, they have no pagination, unlike entries. */
const MOST_FILES = 10_000;

/** What reading files needs. */
export interface ReadParts {
  readonly context: PluginContext;
  readonly hasFolders: boolean;
}

/** Lists files as plain records; with `folder` those in it. @throws AppError invalidParameter, validation, forbidden */
export async function findFiles(request: RouteRequest, { context, hasFolders }: ReadParts): Promise<Reply> {
  const { rest, related } = readRelatedField(request.query);
  const pagination = parseSlice(rest, MOST_FILES);
  const type = fileTypeOf(context.registry);
  const requested = parseQuery(withoutPages(rest), type, 'client', context.limits);
  const parsed = { ...requested, filter: both(requested.filter, hasFolders ? inFolder(request, type) : undefined) };
  const select = related && selectRelated(related, context);
  const { entries } = await context.documents.read(
    { action: 'find', query: { ...parsed, pagination } },
    request,
    listOf(plainEntry),
  );
  const files = entries as readonly Entry[];
  return {
    body: select === undefined ? files : await withRelated(context, files, { ...request, form: 'plain', select }),
  };
}

/** Clients cannot filter by the private attribute: the right to folders decides. @throws AppError validation, forbidden */
function inFolder(request: RouteRequest, { attributes }: ContentType): Filter | undefined {
  const { folder } = request.query;
  if (folder === undefined) return undefined;
  requireActions(request, [folderAction('find')]);
  const id = parsePosition(folder === 'null' ? null : folder, 'folder');
  return parseFilters({ folder: { id: id ?? { $null: true } } }, attributes, 'internal');
}

/** @throws AppError notFound, invalidParameter */
export async function findFile(request: RouteRequest, context: PluginContext): Promise<Reply> {
  const { caller, query } = request;
  const { rest, related } = readRelatedField(query);
  assertReadable(parseUnused(rest, fileTypeOf(context.registry), 'client'), caller, undefined);
  const select = related && selectRelated(related, context);
  const file = await handleFile({ ...request, query: rest }, context, 'findOne');
  if (select === undefined) return { body: file };
  const [body] = await withRelated(context, [file], { ...request, form: 'plain', select });
  return { body };
}

/**
 * Deletes a file, its sizes, and every reference to it. As in Strapi v4, its query is ignored.
 * @throws AppError notFound
 */
export const deleteFile = async (request: RouteRequest, context: PluginContext): Promise<Reply> => ({
  body: await handleFile({ ...request, query: {} }, context, 'delete'),
});

async function handleFile(
  { params, query, caller, signal, bytesRead }: RouteRequest,
  { registry, documents, limits }: PluginContext,
  action: 'findOne' | 'delete',
): Promise<Entry> {
  const type = fileTypeOf(registry);
  // As in Strapi v4, one file has all its attributes: `fields` is validated but has no effect.
  const { fields: names, ...rest } = query;
  const checked = isNothing(names) || isRecord(names) ? rest : query;
  const fields = readableFields(type.attributes, 'client');
  const selection = { ...parseSelection(checked, type, 'client', limits), fields };
  const request: EntryRequest = { caller, signal, bytesRead, presenter: plainEntry, selection };
  try {
    const id = parseId(params['id']);
    if (id === undefined) throw new AppError('notFound');
    const result =
      action === 'delete' ? documents.delete({ type, id }, request) : documents.read(...entryWith(type, id, request));
    return (await result) as Entry;
  } catch (error) {
    throw hasCode(error, 'notFound') ? new AppError('notFound', 'file.notFound') : error;
  }
}

/** As recorded for morphs, an empty `related` is omitted. */
async function withRelated(
  context: PluginContext,
  files: readonly Entry[],
  request: RelatedRequest,
): Promise<readonly Entry[]> {
  const ids = files.map(({ id }) => id);
  const related = await findRelated(context, ids, request);
  return files.map((file) => {
    const entries = related.get(file.id) ?? [];
    return entries.length === 0 ? file : { ...file, related: entries };
  });
}
