import { emptyQuery, type FieldArguments, type WriteForm, type FormContext } from 'content-service/content-api';
import { AppError, isRecord, system, type ContentType, type EntryRequest, type Query } from 'content-service/plugin';
import { statusOf } from '../status.js';
import {
  createDocument,
  deleteDocument,
  updateDocument,
  type DocumentTarget,
  type DocumentWrite,
} from '../writes/write-documents.js';
import type { Settings } from '../settings.js';
import { scopeOf } from './reads.js';
import { flatPresenter } from '../presenters.js';

/** The mutations of content types: the writes of the REST API. */
export function createWrites(context: FormContext, settings: Settings): WriteForm {
  const write = (type: ContentType, args: FieldArguments, request: EntryRequest): DocumentWrite =>
    writeOf(type, args, request, settings);
  const remove = async (
    type: ContentType,
    args: FieldArguments,
    request: EntryRequest,
    target: DocumentTarget,
  ): Promise<number> => deleteDocument(context, { type, locale: args['locale'], status: 'published', request }, target);
  return {
    create: async (type, args, request) => createDocument(context, write(type, args, request)),
    update: async (type, args, request) =>
      updateDocument(context, write(type, args, request), { documentId: String(args['documentId']) }),
    updateSingle: async (type, args, request) => updateDocument(context, write(type, args, request), { single: true }),
    // As over REST, nothing says whether there was one.
    delete: async (type, args, request) => {
      const documentId = String(args['documentId']);
      await remove(type, args, request, { documentId });
      return { documentId };
    },
    deleteSingle: async (type, args, request) => {
      const documentId = await documentIdOfSingle(context, type, args, settings);
      const deleted = await remove(type, args, request, { single: true });
      if (deleted === 0) throw new AppError('notFound', 'Document not found');
      return { documentId };
    },
  };
}

function writeOf(type: ContentType, args: FieldArguments, request: EntryRequest, settings: Settings): DocumentWrite {
  const { status, locale, data } = args;
  const query = scopeOf({ ...emptyQuery(type), ...request.selection }, { status, locale }, settings);
  return {
    type,
    data: plain(data),
    status: statusOf(status),
    locale,
    request: {
      ...request,
      selection: query,
      parameters: query.parameters,
      publicationState: query.publicationState,
    },
  };
}

/** A copy of an argument: the objects of graphql have no prototype, those of JSON do. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value) || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

/** Of the entry that a deletion names, whoever may read it. */
async function documentIdOfSingle(
  { documents }: FormContext,
  type: ContentType,
  { locale }: FieldArguments,
  settings: Settings,
): Promise<unknown> {
  const fields = type.documentId === undefined ? [] : [type.documentId];
  const query: Query = scopeOf({ ...emptyQuery(type), fields }, { locale, status: 'draft' }, settings);
  const request = { caller: system, presenter: flatPresenter, action: 'findSingle', query } as const;
  return documents.read(request, ({ page: { entries }, presenter }) => {
    const [entry] = entries;
    return (entry?.(presenter) as { readonly documentId: unknown } | undefined)?.documentId;
  });
}
