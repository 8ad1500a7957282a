import type { Request, Response } from 'express';
import { isLocalized } from '../content-types/model/localized.js';
import type { ContentType } from '../content-types/model/types.js';
import { emptyQuery, type EntryRequest } from '../documents/context.js';
import type { Documents } from '../documents/documents.js';
import type { UpdateOptions } from '../documents/write/update.js';
import type { CheckVersion } from '../documents/write/conditional/while-unchanged.js';
import { forRead, type RequestContext } from '../documents/request-context.js';
import type { Action } from '../documents/interceptors.js';
import { assertReadable, withheldFrom } from '../documents/rights.js';
import { AppError } from '../errors/app-error.js';
import type { BodyReader } from '../plugins/contract/plugin.js';
import type { ReadPreview } from '../plugins/contract/access/preview-links.js';
import type { ResponseBody } from '../documents/response/response-cache.js';
import type { IdempotencyKeys, KeyUse } from '../mongo/coordination/idempotency-keys.js';
import type { Query } from '../query/ast.js';
import { plainEntry } from '../query/entry-presenter.js';
import { parseIds, parseSchedule } from '../query/parse/parse-schedule.js';
import { parseId, requireId } from '../query/parse/parse-id.js';
import type { Key } from '../query/parse/parse-key.js';
import { withoutPages } from '../query/parse/parse-pagination.js';
import { parseQuery, parseSelection, type QueryLimits } from '../query/parse/parse-query.js';
import {
  entrySerializer,
  envelope,
  listEnvelope,
  listSerializer,
  restPresenter,
  shownSchedule,
} from './response/envelope.js';
import { isExplained } from './explained.js';
import { createEntryChecks, type CheckedRequest } from './conditional/entry-checks.js';
import { isDryRun, refuseDryRun } from './conditional/dry-run.js';
import { keyedRequest, sendOnce } from './conditional/idempotency.js';
import { keyedEntry, writeModeOf } from './conditional/keyed-entry.js';
import { refuseAbsence, refuseVersions } from './conditional/version-check.js';
import type { Offers } from './offers.js';
import { createEntryParser, createKeyParser, createListParser, type ParsedEntryQuery } from './parsed-queries.js';
import { authorise, dataOf, queryOf, queryStringOf, refuseFallback, isPreviewOf } from './requests.js';
import { send, sendSerialized } from './response/send.js';
import { serializeJson } from './response/serialize.js';

/** The dependencies of the REST actions. */
export interface RestContext {
  readonly documents: Documents;
  readonly limits: QueryLimits;
  /** The maximum bytes of a response. */
  readonly responseLimit: number;
  /** Every local client may explain queries. */
  readonly development: boolean;
  /** Reads bodies that are neither JSON nor a form. */
  readonly bodyReaders: readonly BodyReader[];
  /** Verifies preview links; undefined if everyone who may read an entry sees its draft. */
  readonly readPreview: ReadPreview | undefined;
  /** Which actions name an entry by a key. */
  readonly offersByKey: Offers;
  readonly idempotencyKeys: IdempotencyKeys;
}

/** A request for an action on a content type; `id` is the parameter of the path, for actions on one entry. */
interface ActionRequest extends RequestContext {
  readonly type: ContentType;
  readonly request: Request;
  readonly response: Response;
  readonly id: string;
}

type Handle = (request: ActionRequest) => Promise<void>;

export type RestAction =
  | 'find'
  | 'findOne'
  | 'create'
  | 'update'
  | 'delete'
  | 'findSingle'
  | 'updateSingle'
  | 'deleteSingle'
  | 'count'
  | 'findByKey'
  | 'writeByKey'
  | 'deleteByKey'
  | 'findSchedule'
  | 'findSchedules'
  | 'setSchedule'
  | 'cancelSchedule';

/** Strapi v4's eight REST actions, the count of a list, and reads and writes by a key: parse, call the service, wrap. */
export function createController({
  documents,
  limits,
  responseLimit,
  bodyReaders,
  development,
  readPreview,
  offersByKey,
  idempotencyKeys,
}: RestContext): Readonly<Record<RestAction, Handle>> {
  const parseList = createListParser(limits);
  const parseEntry = createEntryParser(limits);
  const parseByKey = createKeyParser(limits);
  const listed = listSerializer(responseLimit);
  const single = entrySerializer(responseLimit);
  /** The query of a request for one entry, whose filter and sort the caller could use in a list. */
  const entryQueryOf = (
    { type, request, caller }: ActionRequest,
    action: Action,
    parsed = parseEntry(type, queryStringOf(request)),
  ): ParsedEntryQuery => {
    assertReadable(parsed.unused, caller, withheldFrom(type, caller, action));
    return parsed;
  };
  const writeRequest = (action: ActionRequest): EntryRequest => {
    const { input, query } = entryQueryOf(action, 'update');
    const { type, request, caller, signal, bytesRead } = action;
    refuseFallback(input, type, 'only reads have it');
    const shown = { presenter: restPresenter, selection: query, locale: query.locale, event: 'response' } as const;
    return { caller, signal, bytesRead, dryRun: isDryRun(input, request.headers), ...shown };
  };
  /** For an action that returns one entry. */
  const respondWithOne =
    (work: (action: ActionRequest, request: EntryRequest) => Promise<unknown>): Handle =>
    async (action) =>
      send(action.response, envelope(await work(action, writeRequest(action))), responseLimit);
  /** All localizations of a single type, if the query requests them. */
  const findAll = async (action: ActionRequest, query: Query): Promise<void> => {
    const pagination = { form: 'offset', start: 0, limit: limits.maxLimit, withCount: false } as const;
    const { entries } = await documents.find({ ...query, pagination }, forRead(action), restPresenter);
    await send(action.response, envelope(entries), responseLimit);
  };
  /** Writes the data of the body, which a plugin may have to read. */
  const withData = (
    { type, request }: ActionRequest,
    id: number | undefined,
    write: (data: unknown, options?: UpdateOptions) => Promise<unknown>,
  ): Promise<unknown> => {
    const reader = bodyReaders.find(({ mediaType }) => request.is(mediaType));
    if (reader === undefined) return write(dataOf(request.body));
    return reader.read(request, { type, id }, (body, options) => write(dataOf(body), options));
  };
  const keyQuery = (action: ActionRequest): Query => {
    const key = action.request.params as unknown as Key;
    return entryQueryOf(action, 'findByKey', parseByKey(action.type, queryStringOf(action.request), key)).query;
  };
  const singleQuery = ({ type, request }: ActionRequest): Query =>
    parseQuery(withoutPages(queryOf(request)), type, 'client', limits);
  const checks = createEntryChecks({ documents, limits, responseLimit });
  const checked = ({ type, request, response, caller }: ActionRequest): CheckedRequest => {
    return { type, headers: request.headers, query: queryOf(request), caller, response };
  };
  const checkByKey = (action: ActionRequest, request: EntryRequest): CheckVersion | undefined =>
    checks.byKey(checked(action), action.request.params as unknown as Key, request);
  /** @throws AppError forbidden, badRequest */
  const authoriseCreate = ({ type, caller, response }: ActionRequest): void => {
    authorise(caller, `${type.uid}.create`, response);
    if (!offersByKey(type, 'create'))
      throw new AppError('badRequest', `Code of the project creates the entries of ${type.uid}: use POST`);
  };
  const isPreviewed = ({ type: { uid }, request, response }: ActionRequest, id?: number): boolean =>
    isPreviewOf({ uid, id }, queryOf(request), response, readPreview);
  return {
    find: async (action) => {
      const { type, request, response, caller } = action;
      const query = parseList(type, queryStringOf(request));
      if (!isExplained(request, caller, development)) {
        return sendSerialized(response, await documents.findSerialized(query, forRead(action), listed));
      }
      const page = await documents.find(query, forRead(action), restPresenter);
      const explain = await documents.explain(query, action, restPresenter, 'find');
      await send(response, { ...listEnvelope(page, query.pagination), explain }, responseLimit);
    },
    findSingle: async (action) => {
      const { type, request, response, caller } = action;
      const query = singleQuery(action);
      if (query.locale === 'all' && query.fallbackLocale === undefined && isLocalized(type))
        return findAll(action, query);
      const read = { ...forRead(action), previewed: isPreviewed(action) };
      if (!isExplained(request, caller, development)) {
        return sendSerialized(response, await documents.findSingleSerialized(query, read, single));
      }
      const entry = await documents.findSingle(query, read, restPresenter);
      const explain = await documents.explain(query, read, restPresenter, 'findSingle');
      await send(response, { ...envelope(entry), explain }, responseLimit);
    },
    findOne: async (action) => {
      const { request, response, caller } = action;
      const { query } = entryQueryOf(action, 'findOne');
      const id = requireId(action.id);
      const read = { ...forRead(action), previewed: isPreviewed(action, id) };
      if (!isExplained(request, caller, development)) {
        return sendSerialized(response, await documents.findOneSerialized(query, id, read, single));
      }
      const { value: entry } = await documents.prepare.findOne(query, id, read, restPresenter).read();
      const explain = await documents.explainOne(query, id, read, restPresenter);
      await send(response, { ...envelope(entry), explain }, responseLimit);
    },
    count: async (action) => {
      const { type, request, response, caller } = action;
      const { filter, publicationState, locale, fallbackLocale } = parseQuery(queryOf(request), type, 'client', limits);
      const pagination = { form: 'offset', start: 0, limit: 1, withCount: true } as const;
      const query = { ...emptyQuery(type), filter, publicationState, locale, fallbackLocale, pagination };
      const { total } = await documents.find(query, forRead(action), plainEntry);
      const explain = isExplained(request, caller, development)
        ? { explain: await documents.explain(query, action, plainEntry, 'find') }
        : {};
      await send(response, { data: { count: total }, ...explain }, responseLimit);
    },
    findByKey: async (action) => {
      const query = keyQuery(action);
      const { request, response, caller } = action;
      if (!isExplained(request, caller, development)) {
        return sendSerialized(response, await documents.findByKeySerialized(query, forRead(action), single));
      }
      const entry = await documents.findByKey(query, forRead(action), restPresenter);
      const explain = await documents.explain(query, action, restPresenter, 'findByKey');
      await send(response, { ...envelope(entry), explain }, responseLimit);
    },
    writeByKey: async (action) => {
      const { type, request, response } = action;
      const mode = writeModeOf(request);
      if (mode !== 'update') authoriseCreate(action);
      const entry = keyedEntry(type, request);
      const selected = writeRequest(action);
      const check = checkByKey(action, selected);
      const written = await documents.writeByKey(entry, dataOf(request.body), selected, mode, check);
      await send(response, envelope(written.entry), responseLimit, written.isNew ? 201 : 200);
    },
    deleteByKey: respondWithOne((action, request) => {
      refuseAbsence(action.request.headers);
      return documents.deleteByKey(keyedEntry(action.type, action.request), request, checkByKey(action, request));
    }),
    findSchedule: async ({ type, id, caller, response }) => {
      const schedule = await documents.findSchedule(type, requireId(id), caller);
      await send(response, { data: shownSchedule(schedule) }, responseLimit);
    },
    findSchedules: async ({ type, caller, request, response }) => {
      const entries = await documents.findSchedules(type, parseIds(queryOf(request)['ids']), caller);
      const data = entries.map(({ id, schedule }) => ({ id, ...shownSchedule(schedule) }));
      await send(response, { data }, responseLimit);
    },
    setSchedule: async ({ type, id, caller, request, response }) => {
      refuseDryRun(queryOf(request), 'a schedule is not an entry');
      const schedule = parseSchedule(request.body, new Date());
      await documents.setSchedule(type, requireId(id), schedule, caller);
      await send(response, { data: shownSchedule(schedule) }, responseLimit);
    },
    cancelSchedule: async ({ type, id, caller, request, response }) => {
      refuseDryRun(queryOf(request), 'a schedule is not an entry');
      await documents.setSchedule(type, requireId(id), undefined, caller);
      await send(response, { data: shownSchedule({}) }, responseLimit);
    },
    create: async (action) => {
      const { type, request, response, caller } = action;
      refuseVersions(request.headers);
      const keyed = keyedRequest(request, caller);
      const selected = writeRequest(action);
      const create = async (key?: KeyUse): Promise<ResponseBody> => {
        const entry = await withData(action, undefined, (data) => documents.create(type, data, selected, { key }));
        return serializeJson(envelope(entry), responseLimit);
      };
      // A dry run needs no key, and must not use one up.
      await sendOnce(response, idempotencyKeys, selected.dryRun === true ? undefined : keyed, create);
    },
    update: respondWithOne((action, request) => {
      const check = checks.one(checked(action), action.id, request);
      return withData(action, parseId(action.id), (data, options) =>
        documents.update(action.type, requireId(action.id), data, request, { ...options, check }),
      );
    }),
    delete: respondWithOne((action, request) =>
      documents.delete(action.type, requireId(action.id), request, checks.one(checked(action), action.id, request)),
    ),
    updateSingle: respondWithOne((action, request) => {
      const check = checks.single(checked(action), request);
      return withData(action, undefined, (data, options) =>
        documents.updateSingle(action.type, data, request, { ...options, check }),
      );
    }),
    // As in Strapi v4, it returns the complete entry without relations.
    deleteSingle: respondWithOne((action, request) => {
      const complete = { ...request, selection: parseSelection({}, action.type, 'client', limits) };
      return documents.deleteSingle(action.type, complete, checks.single(checked(action), request));
    }),
  };
}
