import {
  conditionOf,
  dataOf,
  documentIs,
  isDryRun,
  mapRelated,
  parseQueryString,
  queryStringOf,
  unchanged,
  uselessFor,
  writtenEntry,
  type CheckVersion,
  type ContentAction,
  type ContentAnswer,
  type ContentApi,
  type ContentRequest,
  type EntryRequest,
  type Query,
} from 'content-service/content-api';
import { AppError, type PluginContext } from 'content-service/plugin';
import { EVERY_LOCALE, localeOfEntry } from '../locale.js';
import { presenterFor } from '../presenters.js';
import { parseOne } from '../reads/parse-request.js';
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

const CREATED = 201;

/** A document is there or not: no address names an entry that could be absent. */
const uselessForDocument = { 'If-None-Match': 'it needs an address that names an entry by a key' } as const;

/** The answer to a write shows related entries in the status of the request, as that to a read does. */
const ofStatus = (query: Query): Query =>
  mapRelated(query, (related) => ({ ...related, publicationState: query.publicationState }));

type WriteActions = Pick<ContentApi['actions'], 'create' | 'update' | 'delete' | 'updateSingle' | 'deleteSingle'>;

/** Strapi 5's writes: parse, write, answer with the entry. A deletion answers nothing. */
export function createWriteActions(context: PluginContext, settings: Settings): WriteActions {
  const parsing = { limits: context.limits, ...settings };
  const serializer = entrySerializer(context.http.responses.limit);
  /** What a request writes, and the query of its answer. */
  const read = (asked: ContentRequest) => {
    const { request, type, caller, signal, bytesRead } = asked;
    const parsed = parseQueryString(queryStringOf(request));
    const { dryRun: _dryRun, ...input } = parsed;
    const { locale: named, ...selection } = input;
    const { status, locale } = afterGuards(asked, { status: statusOf(input['status']), locale: named });
    const code = locale === EVERY_LOCALE ? undefined : localeOfEntry(locale, type);
    const query = parseOne({ ...selection, ...(code !== undefined && { locale: code }) }, type, parsing);
    const written: EntryRequest = {
      caller,
      signal,
      bytesRead,
      presenter: presenterFor(request.headers),
      selection: ofStatus(query),
      parameters: query.parameters,
      publicationState: query.publicationState,
      dryRun: isDryRun(parsed, request.headers),
    };
    return { locale, status, request: written, query };
  };
  /** The condition of the request as a check, by what a GET of the same address answers. @throws AppError forbidden, badRequest */
  const checkOf = (
    { type, request, response, caller, ...asked }: ContentRequest,
    query: Query,
  ): CheckVersion | undefined => {
    const condition = conditionOf(request.headers, uselessForDocument);
    const isSingle = type.kind === 'singleType';
    const action = isSingle ? 'findSingle' : 'findByKey';
    const found = isSingle ? query : withFilter(query, documentIs(type, asked.id));
    const { signal, bytesRead } = asked;
    // What is compared decides about the write, so it must not lag.
    const presenter = presenterFor(request.headers);
    const reading = { caller, signal, bytesRead, presenter, action, query: found } as const;
    const readBy = `${type.uid}.${isSingle ? 'find' : 'findOne'}`;
    const body = () => context.documents.read(reading, serializer.present);
    return unchanged(condition, { caller, readBy, response, read: body });
  };
  const written = async (
    asked: ContentRequest,
    write: (context: PluginContext, write: DocumentWrite) => Promise<unknown>,
    check: (query: Query) => CheckVersion | undefined,
  ): Promise<ContentAnswer> => {
    if (asked.form !== undefined)
      throw new AppError(
        'badRequest',
        'Forms with files are for /upload: entries are written as JSON, with the ids of files',
      );
    const { query, ...parsed } = read(asked);
    const data = dataOf(asked.request.body);
    const one: DocumentWrite = { type: asked.type, data, ...parsed, check: check(query) };
    const execute = async () => writtenEntry(await write(context, one), parsed.request.presenter);
    return asked.once(execute, parsed.request.dryRun);
  };
  const update =
    (targetOf: (asked: ContentRequest) => DocumentTarget): ContentAction =>
    (asked) =>
      written(
        asked,
        (_, write) => updateDocument(context, write, targetOf(asked)),
        (query) => checkOf(asked, query),
      );
  const remove =
    (targetOf: (asked: ContentRequest) => DocumentTarget): ContentAction =>
    async (asked) => {
      const { query, locale, status, request } = read(asked);
      const check = checkOf(asked, query);
      if (check !== undefined && locale === EVERY_LOCALE)
        throw new AppError('badRequest', 'If-Match is for one entry: name its locale');
      await deleteDocument(context, { type: asked.type, locale, status, request, check }, targetOf(asked));
      return { body: '', status: 204 };
    };
  const byId = ({ id }: ContentRequest): DocumentTarget => ({ documentId: id });
  const single = (): DocumentTarget => ({ single: true });
  return {
    create: async (asked) => {
      conditionOf(asked.request.headers, uselessFor.creation);
      const answer = await written(asked, createDocument, () => undefined);
      return { ...answer, status: CREATED };
    },
    update: update(byId),
    delete: remove(byId),
    updateSingle: update(single),
    deleteSingle: remove(single),
  };
}
