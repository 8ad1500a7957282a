import type { Request, Response } from 'express';
import { isLocalized } from '../content-types/model/localized.js';
import type { ContentType } from '../content-types/model/types.js';
import { forRead, type Caller } from '../documents/caller.js';
import type { Asked } from '../documents/context.js';
import type { Documents } from '../documents/documents.js';
import type { UpdateOptions } from '../documents/write/update.js';
import { assertReadable } from '../documents/rights.js';
import { AppError } from '../errors/app-error.js';
import type { Explanation } from '../mongo/read/explain-read.js';
import type { BodyReader } from '../plugins/contract/plugin.js';
import type { CheckPreview } from '../plugins/contract/access/preview-links.js';
import type { Query } from '../query/ast.js';
import { parseId, requireId } from '../query/parse/parse-id.js';
import { withoutPages } from '../query/parse/parse-pagination.js';
import { parseQuery, parseSelection, parseUnused, type QueryLimits } from '../query/parse/parse-query.js';
import { envelope, listEnvelope, listForm, restShape } from './response/envelope.js';
import { isExplained } from './explain.js';
import { queryOf } from './requests.js';
import { send, sendText } from './response/send.js';

/** What the actions of the REST API need. */
export interface RestContext {
  readonly documents: Documents;
  readonly limits: QueryLimits;
  /** Bytes of an answer. */
  readonly answerLimit: number;
  /** Anyone may ask how an answer comes about. */
  readonly development: boolean;
  /** For bodies that are neither JSON nor a form. */
  readonly bodyReaders: readonly BodyReader[];
  /** Of preview links; undefined where everyone who may read an entry sees its draft. */
  readonly checkPreview: CheckPreview | undefined;
}

/** A request for an action on a content type; `id` is what the path says, for actions on one entry. */
interface ActionRequest {
  readonly type: ContentType;
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller;
  readonly id: string;
}

export type Handle = (request: ActionRequest) => Promise<void>;

export type RestAction =
  'find' | 'findOne' | 'create' | 'update' | 'delete' | 'findSingle' | 'updateSingle' | 'deleteSingle';

/** Strapi v4's eight REST actions: parse, call the service, wrap. */
export function createController({
  documents,
  limits,
  answerLimit,
  bodyReaders,
  development,
  checkPreview,
}: RestContext): Readonly<Record<RestAction, Handle>> {
  const lists = listForm(answerLimit);
  /** As Strapi v4: the query of a single type's write has neither filters nor a sort, that of an entry's is checked. */
  const asked = ({ type, request, caller }: ActionRequest): Asked => {
    const query = queryOf(request);
    if (type.kind === 'collectionType') assertReadable(parseUnused(query, type, 'client'), caller);
    const selection = parseSelection(query, type, 'client', limits);
    return { caller, shape: restShape, selection, locale: query['locale'] };
  };
  /** For an action that gives one entry. */
  const one =
    (work: (request: ActionRequest, asked: Asked) => Promise<unknown>): Handle =>
    async (request) =>
      send(request.response, envelope(await work(request, asked(request))), answerLimit);
  /** All localizations of a single type, where a query asks for them. */
  const findAll = async ({ response, caller }: ActionRequest, query: Query): Promise<void> => {
    const pagination = { form: 'offset', start: 0, limit: limits.maxLimit, withCount: false } as const;
    const { entries } = await documents.find({ ...query, pagination }, forRead(caller), restShape);
    await send(response, envelope(entries), answerLimit);
  };
  /** Answers a read, with its explanation where one is asked for. */
  const sendRead = async (
    { request, response, caller }: ActionRequest,
    body: object,
    explain: () => Promise<Explanation>,
  ): Promise<void> =>
    send(
      response,
      isExplained(request, caller, development) ? { ...body, explain: await explain() } : body,
      answerLimit,
    );
  /** Writes what the body says, whoever reads it. */
  const withData = (
    { type, request }: ActionRequest,
    id: number | undefined,
    write: (data: unknown, options?: UpdateOptions) => Promise<unknown>,
  ): Promise<unknown> => {
    const reader = bodyReaders.find(({ mediaType }) => request.is(mediaType));
    if (reader === undefined) return write(dataOf(request.body));
    return reader.read(request, { type, id }, (body, options) => write(dataOf(body), options));
  };
  /** @throws AppError unauthorized */
  const isPreviewed = ({ type, request, response }: ActionRequest, id: number): boolean => {
    const { preview } = queryOf(request);
    if (preview === undefined || checkPreview === undefined) return false;
    response.setHeader('Cache-Control', 'no-store');
    checkPreview(preview, type.uid, id);
    return true;
  };
  return {
    find: async (action) => {
      const { type, request, caller } = action;
      const query = parseQuery(queryOf(request), type, 'client', limits);
      const { response } = action;
      if (!isExplained(request, caller, development)) {
        return sendText(response, await documents.answer(query, forRead(caller), lists));
      }
      const page = await documents.find(query, forRead(caller), restShape);
      const explain = await documents.explain(query, caller, restShape);
      await send(response, { ...listEnvelope(page, query.pagination), explain }, answerLimit);
    },
    findSingle: async (action) => {
      const { type, request, caller } = action;
      const query = parseQuery(withoutPages(queryOf(request)), type, 'client', limits);
      if (query.locale === 'all' && isLocalized(type)) return findAll(action, query);
      const body = envelope(await documents.findSingle(query, forRead(caller), restShape));
      await sendRead(action, body, () => documents.explain(query, caller, restShape));
    },
    findOne: async (action) => {
      const read = asked({ ...action, caller: forRead(action.caller) });
      const id = requireId(action.id);
      const wanted = { ...read, previewed: isPreviewed(action, id) };
      const body = envelope(await documents.findOne(action.type, id, wanted));
      await sendRead(action, body, () => documents.explainOne(action.type, id, wanted));
    },
    create: one((action, wanted) => withData(action, undefined, (data) => documents.create(action.type, data, wanted))),
    update: one((action, wanted) =>
      withData(action, parseId(action.id), (data, options) =>
        documents.update(action.type, requireId(action.id), data, wanted, options),
      ),
    ),
    delete: one(({ type, id }, wanted) => documents.delete(type, requireId(id), wanted)),
    updateSingle: one((action, wanted) =>
      withData(action, undefined, (data, options) => documents.updateSingle(action.type, data, wanted, options)),
    ),
    // As Strapi v4: it gives the whole entry, and nothing that it leads to.
    deleteSingle: one(({ type }, wanted) =>
      documents.deleteSingle(type, { ...wanted, selection: parseSelection({}, type, 'client', limits) }),
    ),
  };
}

/**
 * The `data` of a body; a list is let through, for the service to refuse by name.
 * @throws AppError missingData, invalidJson
 */
export function dataOf(body: unknown): unknown {
  if (body === null || ['string', 'number', 'boolean'].includes(typeof body)) throw new AppError('invalidJson');
  const data: unknown = body === undefined ? undefined : (body as { readonly data?: unknown }).data;
  if (typeof data !== 'object' || data === null) throw new AppError('missingData');
  return data;
}
