import type { Registry } from '../../../content-types/model/types.js';
import type { Entry } from '../../../documents/entries.js';
import { pageMeta, presentList } from '../../../documents/read-operation.js';
import { asNotFound } from '../../../errors/app-error.js';
import { plainEntry } from '../../../query/entry-presenter.js';
import { requireId } from '../../../query/parse/input.js';
import { parseQuery } from '../../../query/parse/parse-query.js';
import { inData } from '../../contract/content-type-routes.js';
import type { Reply, Route, RouteRequest } from '../../contract/plugin.js';
import type { TypeShortcut } from '../../contract/routes.js';
import { refuseAll } from '../../contract/write-terms.js';
import { fileAction, fileTypeOf } from '../definitions.js';
import type { Running } from '../running.js';

/** Lists deleted files as plain records, those first that were deleted last. @throws AppError invalidParameter */
async function list(request: RouteRequest, { context }: Running): Promise<Reply> {
  const { caller, signal, bytesRead, entryForm } = request;
  const { audience, presenter, checkQuery } = entryForm;
  const { documents, registry, limits } = context;
  const type = fileTypeOf(registry);
  checkQuery?.(request.query, type);
  const query = parseQuery(request.query, type, audience, limits);
  const { entries, meta } = await documents.trash.read(
    { action: 'find', query, caller, signal, bytesRead, presenter },
    (result) => ({
      entries: presentList(result).entries as readonly Entry[],
      meta: pageMeta(result.page, query.pagination),
    }),
  );
  const deletions = await documents.trash.deletions(
    type,
    entries.map(({ id }) => id),
  );
  return { body: { data: entries, meta: { ...meta, deleted: Object.fromEntries(deletions) } } };
}

/** @throws AppError notFound, forbidden */
async function restore(request: RouteRequest, { context: { documents, registry } }: Running): Promise<Reply> {
  const { caller, signal, bytesRead } = request;
  const id = fileIdOf(request);
  const selection = { fields: [], populate: [] };
  const restoring = { caller, signal, bytesRead, presenter: plainEntry, selection, event: 'entry' } as const;
  const meta = await documents.trash.restore(fileTypeOf(registry), id, restoring).catch(asNotFound(fileNotFound));
  return { body: { data: { id }, meta } };
}

/** @throws AppError notFound, forbidden */
async function remove(request: RouteRequest, { context: { documents, registry } }: Running): Promise<Reply> {
  const id = fileIdOf(request);
  await documents.trash.remove(fileTypeOf(registry), id, request.caller).catch(asNotFound(fileNotFound));
  return { body: { data: { id } } };
}

/** @throws AppError notFound */
const fileIdOf = ({ params }: RouteRequest): number => requireId(params['id'], fileNotFound);

const fileNotFound = 'file.notFound';

const file = { $ref: '#/components/schemas/UploadFileRecord' };
const named = inData({ type: 'object', required: ['id'], properties: { id: { type: 'integer' } } });

/** The routes for deleted files, as content types with a trash have them. */
export function createTrashRoutes(registry: Registry, parts: () => Running): readonly Route[] {
  const common = { action: fileAction('destroy'), caching: 'never' } as const;
  const shortcutOf = (...actions: TypeShortcut['shortcutOf']): TypeShortcut => ({
    type: fileTypeOf(registry),
    shortcutOf: actions,
    allowedWithGuards: false,
  });
  const refuses = refuseAll('a file in the trash is only restored or removed');
  return [
    {
      ...common,
      method: 'GET',
      path: '/upload/files/trash',
      shortcut: shortcutOf('find', 'delete'),
      handle: (request) => list(request, parts()),
      description: {
        summary: 'List deleted files, the last deletion first',
        query: ['filters', 'sort', 'fields', 'populate', 'pagination'],
        response: inData({ type: 'array', items: file }),
      },
    },
    {
      ...common,
      method: 'POST',
      path: '/upload/files/trash/:id/restore',
      shortcut: shortcutOf('find', 'update', 'delete'),
      refuses,
      handle: (request) => restore(request, parts()),
      description: { summary: 'Restore a deleted file, with its id and the links to it', response: named },
    },
    {
      ...common,
      method: 'DELETE',
      path: '/upload/files/trash/:id',
      shortcut: shortcutOf('find', 'delete'),
      refuses,
      handle: (request) => remove(request, parts()),
      description: { summary: 'Remove a deleted file and its bytes for good', response: named },
    },
  ];
}
