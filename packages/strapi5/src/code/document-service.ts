import {
  copiedData,
  copyPopulate,
  documentIs,
  idIs,
  presentList,
  readCalls,
  type CodeForm,
  type DocumentCall,
  type FormContext,
} from 'content-service/content-api';
import {
  AppError,
  hasCode,
  isRecord,
  system,
  type ContentType,
  type Data,
  type EntryRequest,
  type Query,
} from 'content-service/plugin';
import { flatPresenter } from '../presenters.js';
import { withFilter } from '../status.js';
import { createDocument, deleteDocument, updateDocument, type DocumentWrite } from '../writes/write-documents.js';
import { localeOfCall, localesOf, parseCall, statusOfCall } from './parse-params.js';

type Entries = readonly Data[];

/** What calls about documents answer (recorded: code/42-delete, code/43-publish). */
interface DocumentEntries {
  readonly documentId: string | undefined;
  readonly entries: Entries;
}

/** `strapi.documents(uid)`: the reads and writes of the API, with the rights of code. */
export function createDocumentService(context: FormContext): CodeForm['documents'] {
  const { documents } = context;
  const run = async (query: Query, caller: DocumentCall['caller']): Promise<Entries> => {
    const { entries } = await documents.read({ caller, action: 'find', query, presenter: flatPresenter }, presentList);
    return entries as Entries;
  };
  const findMany = async ({ type, params, caller }: DocumentCall): Promise<Entries> =>
    run(parseCall(params, type, context, localesOf(params, type)), caller);
  /** The first entry that matches in one locale. */
  const findIn = async (
    { type, params, caller }: DocumentCall,
    narrow: (query: Query) => Query,
  ): Promise<Data | null> => {
    const locales = localeOfCall(params, type);
    const query = parseCall({ ...params, limit: 1 }, type, context, locales ?? undefined);
    if (locales === null) return null;
    return (await run(narrow(query), caller))[0] ?? null;
  };
  /** The versions of a document in a status, in all locales of the call. */
  const versionsOf = async (call: DocumentCall, status: 'draft' | 'published'): Promise<Entries> => {
    const { type, params, caller } = call;
    const { documentId } = params;
    if (typeof documentId !== 'string') return [];
    const selection = { fields: params['fields'], populate: params['populate'], status };
    const query = parseCall(selection, type, context, localesOf(params, type));
    return run(withFilter(query, documentIs(type, documentId)), caller);
  };
  const requestOf = (
    { type, params, caller, event }: DocumentCall,
    status: 'draft' | 'published' = statusOfCall(params),
  ): EntryRequest => {
    const { fields, populate } = params;
    const query = parseCall({ fields, populate, status }, type, context, undefined);
    return {
      caller: system,
      limitedBy: caller,
      presenter: flatPresenter,
      selection: query,
      parameters: query.parameters,
      publicationState: query.publicationState,
      unlimited: true,
      ...(event !== undefined && { event }),
    };
  };
  const writeOf = (call: DocumentCall): DocumentWrite => ({
    type: call.type,
    data: call.params['data'] ?? {},
    status: statusOfCall(call.params),
    locale: call.params['locale'],
    request: requestOf(call),
    byCode: true,
  });
  const identified = async ({ type, params }: DocumentCall) => {
    const { documentId } = params;
    if (typeof documentId !== 'string') return [];
    const locales = localesOf(params, type);
    const entries = await documents.identify(type, [documentId]);
    return entries.filter(({ locale }) => locales === undefined || locales.includes(locale ?? ''));
  };
  const answer = ({ params }: DocumentCall, entries: Entries): DocumentEntries => ({
    documentId: params['documentId'] as string | undefined,
    entries,
  });
  return {
    findMany,
    findFirst: async (call) => findIn(call, (query) => query),
    findOne: async (call) => {
      const { documentId } = call.params;
      return findIn(call, (query) =>
        withFilter(query, typeof documentId === 'string' ? documentIs(call.type, documentId) : idIs(-1)),
      );
    },
    count: async ({ type, params, caller }) => {
      const { filters, _q, locale, status, publicationFilter, hasPublishedVersion } = params;
      const counted = { filters, _q, status, publicationFilter, hasPublishedVersion };
      const list = (): Query => parseCall(counted, type, context, localesOf({ locale }, type));
      const { read } = readCalls.count({ type, list });
      return documents.read({ caller, presenter: flatPresenter, ...read }, ({ page: { total } }) => total ?? 0);
    },
    create: async (call) => createDocument(context, writeOf(call)),
    update: async (call) => {
      const { documentId } = call.params;
      if (typeof documentId !== 'string') return null;
      try {
        return await updateDocument(context, writeOf(call), { documentId });
      } catch (error) {
        if (hasCode(error, 'notFound')) return null;
        throw error;
      }
    },
    delete: async (call) => {
      const { type, params } = call;
      const { documentId } = params;
      const drafts = await versionsOf(call, 'draft');
      const entries = type.draftAndPublish ? [...drafts, ...(await versionsOf(call, 'published'))] : drafts;
      const status = params['status'] === 'draft' ? 'draft' : 'published';
      const locales: readonly unknown[] = Array.isArray(params['locale']) ? params['locale'] : [params['locale']];
      if (typeof documentId === 'string')
        for (const locale of locales)
          await deleteDocument(context, { type, locale, status, request: requestOf(call) }, { documentId });
      return answer(call, entries);
    },
    publish: async (call) => {
      requireDrafts(call.type);
      for (const { id } of await identified(call))
        await documents.update({ type: call.type, id }, call.changes ?? {}, {
          ...requestOf(call, 'published'),
          status: 'published',
        });
      return answer(call, await versionsOf(call, 'published'));
    },
    unpublish: async (call) => {
      requireDrafts(call.type);
      const entries = await versionsOf(call, 'published');
      for (const { id, isDraft } of await identified(call))
        if (!isDraft) await documents.update({ type: call.type, id }, { publishedAt: null }, requestOf(call, 'draft'));
      return answer(call, entries);
    },
    discardDraft: async (call) => {
      requireDrafts(call.type);
      const published = (await identified(call)).filter(({ isDraft }) => !isDraft);
      for (const { id } of published)
        await documents
          .delete({ type: call.type, id }, { ...requestOf(call, 'draft'), status: 'draft' })
          .catch((error: unknown) => {
            // There is no draft beside what is published.
            if (!hasCode(error, 'notFound')) throw error;
          });
      const ids = new Set(published.map(({ id }) => id));
      return answer(
        call,
        (await versionsOf(call, 'draft')).filter(({ id }) => ids.has(Number(id))),
      );
    },
    clone: async (call) => {
      const { type, params } = call;
      const originals = await versionsOf(
        { ...call, params: { ...params, fields: undefined, populate: copyPopulate(type.attributes) } },
        'draft',
      );
      const changes = isRecord(params['data']) ? params['data'] : {};
      const entries: Data[] = [];
      for (const original of originals) {
        const [first] = entries;
        const data = { ...copiedData(original, type.attributes), ...changes };
        const write = {
          ...writeOf({ ...call, params: { ...params, status: 'draft' } }),
          data,
          locale: original['locale'],
        };
        const target = { documentId: String(first?.['documentId']) };
        const entry =
          first === undefined ? await createDocument(context, write) : await updateDocument(context, write, target);
        entries.push(entry as Data);
      }
      return { documentId: entries[0]?.['documentId'] as string | undefined, entries } satisfies DocumentEntries;
    },
  };
}

function requireDrafts(type: ContentType): void {
  if (!type.draftAndPublish) throw new AppError('badRequest', `${type.uid} has no drafts`);
}
