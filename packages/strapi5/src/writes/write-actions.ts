import {
  dataOf,
  documentIs,
  mapRelated,
  unchanged,
  writtenEntry,
  type CheckVersion,
  type ContentApi,
  type ContentWrite,
  type ContentWriteRequest,
  type FormContext,
} from 'content-service/content-api';
import { AppError, type EntryRequest, type Query } from 'content-service/plugin';
import { EVERY_LOCALE, localeOfEntry } from '../locale.js';
import { presenterFor } from '../presenters.js';
import { parseShown } from '../reads/parse-request.js';
import { entrySerializer } from '../reads/serializers.js';
import type { Settings } from '../settings.js';
import { statusOf, withFilter } from '../status.js';
import { afterGuards } from './body-for-guards.js';
import {
  createDocument,
  deleteDocument,
  updateDocument,
  type DocumentTarget,
  type DocumentWrite,
} from './write-documents.js';

const [CREATED, NO_CONTENT] = [201, 204];

/** The document of a single type is there or not in each locale: no write of it creates one only. */
export const refusedTerms: NonNullable<ContentApi['refuses']> = {
  updateSingle: { 'If-None-Match': 'it needs an address that names an entry by a key' },
};

/** The answer to a write shows related entries in the status of the request, as that to a read does. */
const ofStatus = (query: Query): Query =>
  mapRelated(query, (related) => ({ ...related, publicationState: query.publicationState }));

/** Strapi 5's writes: parse, write, answer with the entry. A deletion answers nothing. */
export function createWriteActions(context: FormContext, settings: Settings): Required<ContentApi['writes']> {
  const parsing = { limits: context.limits, ...settings };
  const serializer = entrySerializer(context.http.responses.limit);
  /** What a request writes, and the query of its answer. */
  const read = (asked: ContentWriteRequest) => {
    const { request, type, caller, signal, bytesRead, terms } = asked;
    const { dryRun: _dryRun, locale: named, ...selection } = asked.query;
    const { status, locale } = afterGuards(asked, { status: statusOf(selection['status']), locale: named });
    const code = locale === EVERY_LOCALE ? undefined : localeOfEntry(locale, type);
    const parsed = parseShown({ ...selection, ...(code !== undefined && { locale: code }) }, type, parsing);
    // Filters have no effect on writes (recorded: code/41-update).
    const query: Query = { ...parsed, filter: undefined };
    const written: EntryRequest = {
      caller,
      signal,
      bytesRead,
      presenter: presenterFor(request.headers),
      selection: ofStatus(query),
      parameters: query.parameters,
      publicationState: query.publicationState,
      dryRun: terms.isDryRun,
    };
    return { locale, status, request: written, query };
  };
  /** The condition of the request as a check, by what a GET of the same address answers. @throws AppError forbidden */
  const checkOf = (
    { type, request, response, caller, terms, ...asked }: ContentWriteRequest,
    query: Query,
  ): CheckVersion | undefined => {
    const isSingle = type.kind === 'singleType';
    const action = isSingle ? 'findSingle' : 'findByKey';
    const found = isSingle ? query : withFilter(query, documentIs(type, asked.id));
    const { signal, bytesRead } = asked;
    // What is compared decides about the write, so it must not lag.
    const presenter = presenterFor(request.headers);
    const reading = { caller, signal, bytesRead, presenter, action, query: found } as const;
    const readBy = `${type.uid}.${isSingle ? 'find' : 'findOne'}`;
    const body = () => context.documents.read(reading, serializer.present);
    return unchanged(terms.condition, { caller, readBy, response, read: body });
  };
  const written = (asked: ContentWriteRequest): DocumentWrite & { readonly query: Query } => {
    if (asked.form !== undefined)
      throw new AppError(
        'badRequest',
        'Forms with files are for /upload: entries are written as JSON, with the ids of files',
      );
    const parsed = read(asked);
    return { type: asked.type, data: dataOf(asked.request.body), check: undefined, ...parsed };
  };
  const update =
    (targetOf: (asked: ContentWriteRequest) => DocumentTarget): ContentWrite =>
    async (asked) => {
      const { query, ...write } = written(asked);
      const check = checkOf(asked, query);
      return async () => {
        const entry = await updateDocument(context, { ...write, check }, targetOf(asked));
        return writtenEntry(entry, write.request.presenter);
      };
    };
  const remove =
    (targetOf: (asked: ContentWriteRequest) => DocumentTarget): ContentWrite =>
    async (asked) => {
      const { query, ...deletion } = read(asked);
      const check = checkOf(asked, query);
      if (check !== undefined && deletion.locale === EVERY_LOCALE)
        throw new AppError('badRequest', 'If-Match is for one entry: name its locale');
      return async () => {
        await deleteDocument(context, { type: asked.type, ...deletion, check }, targetOf(asked));
        return { body: undefined, shortened: {}, status: NO_CONTENT };
      };
    };
  const byId = ({ id }: ContentWriteRequest): DocumentTarget => ({ documentId: id });
  const single = (): DocumentTarget => ({ single: true });
  return {
    create: async (asked) => {
      const { query: _, ...write } = written(asked);
      return async () => {
        const entry = await createDocument(context, write);
        return { ...writtenEntry(entry, write.request.presenter), status: CREATED };
      };
    },
    update: update(byId),
    delete: remove(byId),
    updateSingle: update(single),
    deleteSingle: remove(single),
  };
}
