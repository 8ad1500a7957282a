import type { Request, Response } from 'express';
import type { ContentType } from '../content-types/types.js';
import type { Caller } from '../documents/caller.js';
import type { Asked } from '../documents/context.js';
import type { Documents } from '../documents/documents.js';
import { AppError } from '../errors/app-error.js';
import { parseQuery, parseSelection, type QueryLimits } from '../query/parse-query.js';
import { envelope, listEnvelope, restShape } from './envelope.js';
import { queryOf } from './requests.js';
import { send } from './send.js';

/** What the actions of the REST API need. */
export interface RestContext {
  readonly documents: Documents;
  readonly limits: QueryLimits;
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
export function createController({ documents, limits, bodyReaders }: RestContext): Readonly<Record<RestAction, Handle>> {
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
  /** For an action that writes what the body says. */
  const written = (
    work: (request: ActionRequest, data: unknown, asked: Asked, id: number) => Promise<unknown>,
    hasId: boolean,
  ): Handle =>
    one((request, wanted) => {
      const { type, request: message, id: path } = request;
      const id = hasId ? parseId(path) : undefined;
      const write = (body: unknown): Promise<unknown> => work(request, dataOf(body), wanted, id ?? 0);
      const reader = bodyReaders.find(({ mediaType }) => message.is(mediaType));
      return reader === undefined ? write(message.body) : reader.read(message, { type, id }, write);
    });
  return {
    find: async ({ type, request, response, caller }) => {
      const query = parseQuery(queryOf(request), type, 'client', limits);
      send(response, listEnvelope(await documents.find(query, caller, restShape), query.pagination));
    },
    findSingle: async ({ type, request, response, caller }) => {
      const query = parseQuery(queryOf(request), type, 'client', limits);
      send(response, envelope(await documents.findSingle(query, caller, restShape)));
    },
    findOne: one(({ type, id }, wanted) => documents.findOne(type, parseId(id), wanted)),
    create: one(({ type, request }, wanted) => documents.create(type, dataOf(request), wanted)),
    update: one(({ type, request, id }, wanted) => documents.update(type, parseId(id), dataOf(request), wanted)),
    delete: one(({ type, id }, wanted) => documents.delete(type, parseId(id), wanted)),
    updateSingle: one(({ type, request }, wanted) => documents.updateSingle(type, dataOf(request), wanted)),
    deleteSingle: one(({ type }, wanted) => documents.deleteSingle(type, wanted)),
  };
}

/** @throws AppError notFound for what cannot be an id */
function parseId(text: string): number {
  const id = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw new AppError('notFound');
  return id;
}

/**
 * The `data` of a body; a list is let through, for the service to refuse by name.
 * @throws AppError missingData, invalidJson
 */
function dataOf({ body }: Request): unknown {
  if (body === null || ['string', 'number', 'boolean'].includes(typeof body)) throw new AppError('invalidJson');
  const data: unknown = body === undefined ? undefined : (body as { readonly data?: unknown }).data;
  if (typeof data !== 'object' || data === null) throw new AppError('missingData');
  return data;
}
