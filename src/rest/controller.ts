import type { Request, Response } from 'express';
import type { ContentType } from '../content-types/types.js';
import type { Caller } from '../documents/caller.js';
import type { Asked } from '../documents/context.js';
import type { Documents } from '../documents/documents.js';
import { AppError } from '../errors/app-error.js';
import type { Explanation } from '../mongo/explain-read.js';
import type { BodyReader } from '../plugins/plugin.js';
import { requireId } from '../query/parse-id.js';
import { parseQuery, parseSelection, type QueryLimits } from '../query/parse-query.js';
import { envelope, listEnvelope, listForm, restShape } from './envelope.js';
import { isExplained } from './explain.js';
import { queryOf } from './requests.js';
import { send, sendText } from './send.js';

/** What the actions of the REST API need. */
export interface RestContext {
  readonly documents: Documents;
  readonly limits: QueryLimits;
  /** Anyone may ask how an answer comes about. */
  readonly development: boolean;
  /** For bodies that are neither JSON nor a form. */
  readonly bodyReaders: readonly BodyReader[];
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
  bodyReaders,
  development,
}: RestContext): Readonly<Record<RestAction, Handle>> {
  const asked = ({ type, request, caller }: ActionRequest): Asked => {
    const query = queryOf(request);
    const selection = parseSelection(query, type, 'client', limits);
    return { caller, shape: restShape, selection, locale: query['locale'] };
  };
  /** For an action that gives one entry. */
  const one =
    (work: (request: ActionRequest, asked: Asked) => Promise<unknown>): Handle =>
    async (request) =>
      send(request.response, envelope(await work(request, asked(request))));
  /** Answers a read, with its explanation where one is asked for. */
  const sendRead = async (
    { request, response, caller }: ActionRequest,
    body: object,
    explain: () => Promise<Explanation>,
  ): Promise<void> =>
    send(response, isExplained(request, caller, development) ? { ...body, explain: await explain() } : body);
  /** Writes what the body says, whoever reads it. */
  const withData = (
    { type, request }: ActionRequest,
    id: number | undefined,
    write: (data: unknown) => Promise<unknown>,
  ): Promise<unknown> => {
    const reader = bodyReaders.find(({ mediaType }) => request.is(mediaType));
    if (reader === undefined) return write(dataOf(request.body));
    return reader.read(request, { type, id }, (body) => write(dataOf(body)));
  };
  return {
    find: async (action) => {
      const { type, request, caller } = action;
      const query = parseQuery(queryOf(request), type, 'client', limits);
      const { response } = action;
      if (!isExplained(request, caller, development)) {
        return sendText(response, await documents.answer(query, caller, listForm));
      }
      const page = await documents.find(query, caller, restShape);
      const explain = await documents.explain(query, caller);
      send(response, { ...listEnvelope(page, query.pagination), explain });
    },
    findSingle: async (action) => {
      const { type, request, caller } = action;
      const query = parseQuery(queryOf(request), type, 'client', limits);
      const body = envelope(await documents.findSingle(query, caller, restShape));
      await sendRead(action, body, () => documents.explain(query, caller));
    },
    findOne: async (action) => {
      const wanted = asked(action);
      const id = requireId(action.id);
      const body = envelope(await documents.findOne(action.type, id, wanted));
      await sendRead(action, body, () => documents.explainOne(action.type, id, wanted));
    },
    create: one((action, wanted) => withData(action, undefined, (data) => documents.create(action.type, data, wanted))),
    update: one((action, wanted) => {
      const id = requireId(action.id);
      return withData(action, id, (data) => documents.update(action.type, id, data, wanted));
    }),
    delete: one(({ type, id }, wanted) => documents.delete(type, requireId(id), wanted)),
    updateSingle: one((action, wanted) =>
      withData(action, undefined, (data) => documents.updateSingle(action.type, data, wanted)),
    ),
    deleteSingle: one(({ type }, wanted) => documents.deleteSingle(type, wanted)),
  };
}

/**
 * The `data` of a body; a list is let through, for the service to refuse by name.
 * @throws AppError missingData, invalidJson
 */
function dataOf(body: unknown): unknown {
  if (body === null || ['string', 'number', 'boolean'].includes(typeof body)) throw new AppError('invalidJson');
  const data: unknown = body === undefined ? undefined : (body as { readonly data?: unknown }).data;
  if (typeof data !== 'object' || data === null) throw new AppError('missingData');
  return data;
}
