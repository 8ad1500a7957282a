import { AppError, asNotFound } from '../../../errors/app-error.js';
import { both, idIs, type Filter } from '../../../query/ast.js';
import { plainEntry } from '../../../query/entry-presenter.js';
import { parseId, requireId } from '../../../query/parse/input.js';
import { parseQuery } from '../../../query/parse/parse-query.js';
import { parseSelection } from '../../../query/parse/parse-selection.js';
import { pageMeta, presentList } from '../../../documents/read-operation.js';
import { inData } from '../../contract/content-type-routes.js';
import type { BuiltInContext } from '../../contract/built-in.js';
import type { Reply, Route, RouteRequest } from '../../contract/plugin.js';
import { FILE, fileAction, fileTypeOf, folderAction, folderTypeOf } from '../definitions.js';
import type { Running } from '../running.js';
import { parseFolderEdit, parseMove, parseNewFolder, parseRemoval } from './parse-folder.js';
import { refused, structureOf } from './tree.js';
import { refuseAll } from '../../contract/write-terms.js';

type Handle = (parts: Running, request: RouteRequest) => Promise<Reply>;

/** @throws AppError forbidden */
export function requireAction({ caller }: Pick<RouteRequest, 'caller'>, action: string): void {
  if (!caller.may(action)) throw new AppError('forbidden');
}

const readOf = ({ caller, signal, bytesRead }: RouteRequest) =>
  ({ action: 'find', caller, signal, bytesRead, presenter: plainEntry }) as const;

const list: Handle = async ({ context }, request) => {
  const { documents, registry, limits } = context;
  const query = parseQuery(request.query, folderTypeOf(registry), 'client', limits);
  const filter = both(query.filter, await withFile(context, request));
  const page = await documents.read({ ...readOf(request), query: { ...query, filter } }, presentList);
  return { body: { data: page.entries, meta: pageMeta(page, query.pagination) } };
};

/**
 * Its only folder, or none. The attribute is private: the right to files decides.
 * @throws AppError validation, forbidden, notFound
 */
async function withFile(
  { documents, entries, registry }: BuiltInContext,
  request: RouteRequest,
): Promise<Filter | undefined> {
  const { file } = request.query;
  if (file === undefined) return undefined;
  requireAction(request, fileAction('find'));
  const id = typeof file === 'string' ? parseId(file) : undefined;
  if (id === undefined) throw refused('file', 'file must be the id of a file');
  await documents.requireVisible(fileTypeOf(registry), id, request.caller, 'find').catch(asNotFound('file.notFound'));
  const stored = await entries.findFirst(FILE, { filters: { id }, populate: { folder: { fields: ['id'] } } });
  if (stored === undefined) throw new AppError('notFound', 'file.notFound');
  const folder = stored['folder'] as { readonly id: number } | null;
  return folder ? idIs(folder.id) : { kind: 'never' };
}

const show: Handle = async ({ context: { documents, registry, limits } }, request) => {
  const type = folderTypeOf(registry);
  const selection = parseSelection(request.query, type, 'client', limits);
  const reading = documents.readEntry(type, folderIdOf(request), { ...request, presenter: plainEntry, selection });
  return { body: { data: await reading.catch(asNotFound(folderNotFound)) } };
};

const structure: Handle = async ({ context: { documents, registry, limits } }, request) => {
  const shown = { fields: ['name'], populate: { parent: { fields: ['id'] } }, pagination: { limit: -1 } };
  const unlimited = { ...limits, withCount: false, maxLimit: Number.MAX_SAFE_INTEGER };
  const query = parseQuery(shown, folderTypeOf(registry), 'client', unlimited);
  const { entries } = await documents.read({ ...readOf(request), query }, presentList);
  const folders = entries as readonly { id: number; name: string; parent: { readonly id: number } | null }[];
  return { body: { data: structureOf(folders.map((folder) => ({ ...folder, parent: folder.parent?.id ?? null }))) } };
};

const create: Handle = async ({ folders }, { body }) => ({
  status: 201,
  body: { data: await folders.create(parseNewFolder(body)) },
});

const update: Handle = async ({ folders }, request) => ({
  body: { data: await folders.update(folderIdOf(request), parseFolderEdit(request.body)) },
});

const move: Handle = async ({ folders }, request) => {
  const { to, ...selected } = parseMove(request.body);
  if (selected.folders.length > 0) requireAction(request, folderAction('update'));
  if (selected.files.length > 0) requireAction(request, fileAction('upload'));
  await folders.move(selected, to);
  return { body: { data: { folderIds: selected.folders, fileIds: selected.files } } };
};

const remove: Handle = async ({ folders }, request) => {
  const { withContents, ...selected } = parseRemoval(request.body);
  if (withContents || selected.files.length > 0) requireAction(request, fileAction('destroy'));
  const removed = await folders.remove(selected, withContents);
  return { body: { data: { folderIds: removed.folders, fileIds: removed.files } } };
};

/** @throws AppError notFound */
const folderIdOf = ({ params }: RouteRequest): number => requireId(params['id'], folderNotFound);

const folderNotFound = 'folder.notFound';

const folder = { $ref: '#/components/schemas/UploadFolderRecord' };
const position = { type: ['integer', 'null'], description: 'the id of a folder; null: the top' };
const ids = { type: 'array', items: { type: 'integer' } };
const selected = { folderIds: ids, fileIds: ids };
const written = { name: { type: 'string' }, parent: position };

/** Strapi v4's routes of the media library for folders, which there belong to its administration. */
export function createFolderRoutes(parts: () => Running): readonly Route[] {
  const route = (
    method: Route['method'],
    path: string,
    action: string,
    handle: Handle,
    description: NonNullable<Route['description']>,
  ): Route => ({
    method,
    path: `/upload/${path}`,
    action: folderAction(action),
    caching: 'never',
    ...(method !== 'GET' && { refuses: refuseAll('a folder has no versions') }),
    handle: (request) => handle(parts(), request),
    description,
  });
  return [
    route('GET', 'folders', 'find', list, {
      summary: 'List folders',
      query: ['filters', 'sort', 'fields', 'populate', 'pagination', 'file'],
      response: inData({ type: 'array', items: folder }),
    }),
    route('GET', 'folders/:id', 'findOne', show, { summary: 'Read a folder', response: inData(folder) }),
    route('GET', 'folder-structure', 'find', structure, {
      summary: 'Read all folders as a tree',
      response: inData({ type: 'array', items: { type: 'object' } }),
    }),
    route('POST', 'folders', 'create', create, {
      summary: 'Create a folder',
      body: { type: 'object', required: ['name'], properties: written },
      response: inData(folder),
    }),
    route('PUT', 'folders/:id', 'update', update, {
      summary: 'Rename or move a folder',
      body: { type: 'object', properties: written },
      response: inData(folder),
    }),
    route('POST', 'actions/bulk-move', 'find', move, {
      summary: 'Move folders and files into a folder',
      body: {
        type: 'object',
        required: ['destinationFolderId'],
        properties: { destinationFolderId: position, ...selected },
      },
      response: inData({ type: 'object', properties: selected }),
    }),
    route('POST', 'actions/bulk-delete', 'delete', remove, {
      summary: 'Delete folders and files; folders that are not empty only with `withContents`',
      body: { type: 'object', properties: { ...selected, withContents: { type: 'boolean' } } },
      response: inData({ type: 'object', properties: selected }),
    }),
  ];
}
