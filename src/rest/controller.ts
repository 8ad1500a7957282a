import type { Request, Response } from 'express';
import type { ContentType } from '../content-types/types.js';
import type { Asked, Documents } from '../documents/documents.js';
import { anyone } from '../documents/interceptors.js';
import { AppError } from '../errors/app-error.js';
import type { QueryInput } from '../query/input.js';
import { parseQuery, parseSelection, type QueryLimits } from '../query/parse-query.js';
import { envelope, listEnvelope, restShape } from './envelope.js';
import { parseQueryString } from './query-string.js';
import { send } from './send.js';

/** What the actions of the REST API need. */
export interface RestContext {
  readonly documents: Documents;
  readonly limits: QueryLimits;
}

/** One action on a content type; `id` is what the path says, for actions on one entry. */
export type Handle = (type: ContentType, request: Request, response: Response, id: string) => Promise<void>;

export type RestAction =
  'find' | 'findOne' | 'create' | 'update' | 'delete' | 'findSingle' | 'updateSingle' | 'deleteSingle';

/** Strapi v4's eight REST actions: parse, call the service, wrap. */
export function createController({ documents, limits }: RestContext): Readonly<Record<RestAction, Handle>> {
  const asked = (type: ContentType, request: Request): Asked => ({
    caller: anyone,
    shape: restShape,
    selection: parseSelection(queryOf(request), type, 'client', limits),
  });
  return {
    find: async (type, request, response) => {
      const query = parseQuery(queryOf(request), type, 'client', limits);
      const page = await documents.find(query, anyone, restShape);
      send(response, listEnvelope(page, query.pagination));
    },
    findOne: async (type, request, response, id) => {
      send(response, envelope(await documents.findOne(type, parseId(id), asked(type, request))));
    },
    create: async (type, request, response) => {
      const wanted = asked(type, request);
      send(response, envelope(await documents.create(type, dataOf(request), wanted)));
    },
    update: async (type, request, response, id) => {
      const wanted = asked(type, request);
      send(response, envelope(await documents.update(type, parseId(id), dataOf(request), wanted)));
    },
    delete: async (type, request, response, id) => {
      send(response, envelope(await documents.delete(type, parseId(id), asked(type, request))));
    },
    findSingle: async (type, request, response) => {
      const query = parseQuery(queryOf(request), type, 'client', limits);
      send(response, envelope(await documents.findSingle(query, anyone, restShape)));
    },
    updateSingle: async (type, request, response) => {
      const wanted = asked(type, request);
      send(response, envelope(await documents.updateSingle(type, dataOf(request), wanted)));
    },
    deleteSingle: async (type, request, response) => {
      send(response, envelope(await documents.deleteSingle(type, asked(type, request))));
    },
  };
}

function queryOf({ url }: Request): QueryInput {
  const start = url.indexOf('?');
  return start < 0 ? {} : parseQueryString(url.slice(start + 1));
}

/** @throws AppError notFound for what cannot be an id */
function parseId(text: string): number {
  const id = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw new AppError('notFound');
  return id;
}

/**
 * The `data` of a body; a list is let through, for the validator to refuse by name.
 * @throws AppError missingData, invalidJson
 */
function dataOf(request: Request): unknown {
  const body: unknown = request.body;
  if (body === null || ['string', 'number', 'boolean'].includes(typeof body)) throw new AppError('invalidJson');
  const data: unknown = body === undefined ? undefined : (body as { readonly data?: unknown }).data;
  if (typeof data !== 'object' || data === null) throw new AppError('missingData');
  return data;
}
