import { isRecord } from '../../../config/record.js';
import type { EntryRequest } from '../../../documents/context.js';
import type { Entry } from '../../../documents/entries.js';
import { assertReadable } from '../../../documents/rights.js';
import { writtenRecord } from '../../../documents/response/written-response.js';
import { entryRead, presentEntry, presentList } from '../../../documents/read-operation.js';
import { both, id, type Filter } from '../../../query/ast.js';
import { asNotFound } from '../../../errors/app-error.js';
import { isNothing, requireId } from '../../../query/parse/input.js';
import { readableFields, parseSelection } from '../../../query/parse/parse-selection.js';
import { parseSlice, withoutPages } from '../../../query/parse/parse-pagination.js';
import { parseFilters } from '../../../query/parse/parse-filters.js';
import { attributesFor } from '../../../query/visibility.js';
import { parseQuery, parseUnused } from '../../../query/parse/parse-query.js';
import type { BuiltInContext } from '../../contract/built-in.js';
import type { Reply, RouteRequest } from '../../contract/plugin.js';
import { totalHeader } from '../../contract/total-count.js';
import type { ContentType } from '../../../content-types/model/types.js';
import { parsePosition } from '../folders/parse-folder.js';
import { requireAction } from '../folders/routes.js';
import { refused } from '../folders/tree.js';
import { fileAction, fileTypeOf, folderAction } from '../definitions.js';
import { findRelated, type RelatedRequest } from '../media/find-related.js';
import { readRelatedField, selectRelated } from '../media/related-field.js';
import { findUsedFiles } from '../media/used-files.js';
import type { Running } from '../running.js';

/** The maximum number of files in one response: as recorded, they have no pagination, unlike entries. */
const MOST_FILES = 10_000;

/**
 * Lists files as plain records; with `folder` those in it, with `unused` those that no entry uses.
 * @throws AppError invalidParameter, validation, forbidden
 */
export async function findFiles(request: RouteRequest, { context, settings }: Running): Promise<Reply> {
  const { caller, signal, bytesRead, entryForm } = request;
  const { audience, presenter, checkQuery } = entryForm;
  const { rest, related } = readRelatedField(request.query);
  const pagination = { ...parseSlice(rest, MOST_FILES), withCount: readFlag(request, 'withCount') };
  const type = fileTypeOf(context.registry);
  checkQuery?.(rest, type);
  const query = parseQuery(withoutPages(rest), type, audience, context.limits);
  const isUnused = readFlag(request, 'unused');
  // What it tells is also about entries that the caller may not read.
  if (isUnused) requireAction(request, fileAction('destroy'));
  const chosen = both(
    settings.folders ? inFolder(request, type) : undefined,
    isUnused ? await unused(context) : undefined,
  );
  const filter = both(query.filter, chosen);
  const select = related && selectRelated(related, context);
  const { result, cacheTags } = await context.documents.readTagged(
    { action: 'find', query: { ...query, filter, pagination }, caller, signal, bytesRead, presenter },
    presentList,
  );
  const files = result.entries as readonly Entry[];
  const counted = totalHeader(result.total);
  // The tags of the files do not say what the entries that use them depend on.
  if (select === undefined) return { body: files, ...counted, ...(!isUnused && { cacheTags }) };
  return { body: await withRelated(context, files, { ...request, form: 'plain', select }), ...counted };
}

/** @throws AppError validation */
function readFlag({ query }: RouteRequest, name: 'withCount' | 'unused'): boolean {
  const value = query[name];
  if (value !== undefined && value !== 'true' && value !== 'false')
    throw refused(name, `${name} must be true or false`);
  return value === 'true';
}

async function unused(context: BuiltInContext): Promise<Filter> {
  const used = await findUsedFiles(context);
  return { kind: 'comparison', field: id, operator: '$notIn', operands: [...used] };
}

/**
 * Clients cannot filter by the private attribute: the right to folders decides.
 * @throws AppError validation, forbidden
 */
function inFolder(request: RouteRequest, { attributes }: ContentType): Filter | undefined {
  const { folder } = request.query;
  if (folder === undefined) return undefined;
  requireAction(request, folderAction('find'));
  const position = parsePosition(folder === 'null' ? null : folder, 'folder');
  return parseFilters({ folder: { id: position ?? { $null: true } } }, attributes, 'internal');
}

/** @throws AppError notFound, invalidParameter */
export async function findFile(request: RouteRequest, context: BuiltInContext): Promise<Reply> {
  const { caller, query, entryForm } = request;
  const { rest, related } = readRelatedField(query);
  const type = fileTypeOf(context.registry);
  entryForm.checkQuery?.(rest, type);
  assertReadable(parseUnused(rest, type, entryForm.audience), caller, undefined);
  const select = related && selectRelated(related, context);
  const reading = context.documents.readTagged(
    entryRead(...requestFor({ ...request, query: rest }, context)),
    presentEntry,
  );
  const { result, cacheTags } = await reading.catch(asNotFound(fileNotFound));
  if (select === undefined) return { body: result, cacheTags };
  const [body] = await withRelated(context, [result as Entry], { ...request, form: 'plain', select });
  return { body };
}

/**
 * Deletes a file, its sizes, and every reference to it. As in Strapi v4, its query is ignored.
 * @throws AppError notFound
 */
export async function deleteFile(request: RouteRequest, context: BuiltInContext): Promise<Reply> {
  const [type, fileId, own] = requestFor({ ...request, query: {} }, context);
  return writtenRecord(await context.documents.delete({ type, id: fileId }, own).catch(asNotFound(fileNotFound)));
}

/** What a route for one file reads or deletes. @throws AppError notFound, invalidParameter */
function requestFor(
  { params, query, caller, signal, bytesRead, entryForm: { audience, presenter } }: RouteRequest,
  { registry, limits }: BuiltInContext,
): readonly [ContentType, number, EntryRequest] {
  const type = fileTypeOf(registry);
  // As in Strapi v4, one file has all its attributes: `fields` is validated but has no effect.
  const { fields: names, ...rest } = query;
  const checked = isNothing(names) || isRecord(names) ? rest : query;
  const fields = readableFields(attributesFor(type, audience), audience);
  const selection = { ...parseSelection(checked, type, audience, limits), fields };
  const fileId = requireId(params['id'], fileNotFound);
  return [type, fileId, { caller, signal, bytesRead, presenter, selection }];
}

const fileNotFound = 'file.notFound';

/** As recorded for morphs, an empty `related` is omitted. */
async function withRelated(
  context: BuiltInContext,
  files: readonly Entry[],
  request: RelatedRequest,
): Promise<readonly Entry[]> {
  const ids = files.map((file) => file.id);
  const related = await findRelated(context, ids, request);
  return files.map((file) => {
    const entries = related.get(file.id) ?? [];
    return entries.length === 0 ? file : { ...file, related: entries };
  });
}
