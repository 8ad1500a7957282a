import { parseEntryQuery } from '../../calls/entry-query.js';
import { readCalls, type AskedRead, type ReadCall } from '../../calls/read-call.js';
import { once, REPLAYED, type OnceParts } from '../../calls/once.js';
import { termsOf } from '../../calls/terms.js';
import { prepareWrite, writeCalls, type WriteParts } from '../../calls/write-calls.js';
import type { ContentType } from '../../content-types/model/types.js';
import { presentList, type Present } from '../../documents/read-operation.js';
import type { ReadPreview } from '../../plugins/contract/access/preview-links.js';
import type { Perform } from '../../plugins/contract/content-api.js';
import { contentTypeRoutes, type ContentTypeRouteName } from '../../plugins/contract/content-type-routes.js';
import { noTerms, type WriteTerms } from '../../plugins/contract/write-terms.js';
import { parseQuery, parseSingleQuery } from '../../query/parse/parse-query.js';
import { withoutReadParameters } from '../../query/plugin-parameters.js';
import { isPreviewOf } from '../../rest/preview.js';
import { entryEnvelope, envelope, listEnvelope } from '../../rest/response/envelopes.js';
import { isWrite, requestContextOf, type CoreRequest } from './core-request.js';

/** The dependencies of core actions that call the documents service directly, like requests without code. */
export interface DirectParts extends WriteParts, OnceParts {
  readonly type: ContentType;
  readonly readPreview: ReadPreview | undefined;
}

export type DirectAction = (parts: DirectParts, core: CoreRequest) => Promise<unknown>;

/** Whether a preview link shows the entry; id: undefined for a single type. @throws AppError unauthorized */
export const isPreviewed = (
  { type: { uid }, readPreview }: DirectParts,
  { query, response }: CoreRequest,
  id?: number,
): boolean => isPreviewOf({ uid, id }, query, response, readPreview);

/** The core actions of collection types, with the responses of requests without code. */
export const collectionActions: Readonly<Record<string, DirectAction>> = {
  find: readBy(readCalls.find),
  findOne: readBy(readCalls.findOne),
  create: respondWith('create'),
  update: respondWith('update'),
  delete: respondWith('delete'),
};

/** The core actions of single types, with the responses of requests without code. */
export const singleActions: Readonly<Record<string, DirectAction>> = {
  find: readBy(readCalls.findSingle),
  update: respondWith('updateSingle'),
  delete: respondWith('deleteSingle'),
};

const envelopes = {
  list: listEnvelope,
  entry: entryEnvelope,
  entries: (result) => envelope(presentList(result).entries),
} as const satisfies Readonly<Record<string, Present<unknown>>>;

/** Reads, and returns the response. */
function readBy(callOf: (asked: AskedRead) => ReadCall & { readonly answer: keyof typeof envelopes }): DirectAction {
  return async (parts, core) => {
    const { type, documents, limits } = parts;
    const { read, answer } = callOf({
      type,
      caller: core.caller,
      id: String(core.params['id']),
      list: () => parseQuery(core.query, type, 'client', limits),
      entry: () => parseEntryQuery(core.query, type, limits),
      single: () => parseSingleQuery(core.query, type, limits),
      isPreviewed: (id) => isPreviewed(parts, core, id),
      isByCode: () => true,
      maxLimit: limits.maxLimit,
    });
    return documents.read({ ...requestContextOf(core), ...read }, envelopes[answer]);
  };
}

/** Writes, and returns the response. */
function respondWith(name: keyof typeof writeCalls & ContentTypeRouteName): DirectAction {
  return async (parts, core) => {
    const { type } = parts;
    const { refuses = {} } = contentTypeRoutes[name];
    // The request may only read; its query is that of a read then.
    const asked = isWrite(core)
      ? { ...core, type, terms: termsOf(core, refuses) }
      : { ...core, type, terms: noTerms, query: withoutReadParameters(core.query, type) };
    const perform = prepareWrite(writeCalls[name], parts, asked, requestContextOf(core));
    return bodyOf(parts, core, asked.terms, perform);
  };
}

/** Does a write, once if its request has an `Idempotency-Key`, and returns the body of its answer. */
export async function bodyOf(
  parts: DirectParts,
  core: CoreRequest,
  terms: WriteTerms,
  perform: Perform,
): Promise<unknown> {
  const outcome = await once(parts, { ...core, message: core.response?.req }, core.caller, terms, perform);
  if ('done' in outcome) return outcome.done.body;
  const { recorded, isRepeated } = outcome;
  if (isRepeated) for (const [name, value] of Object.entries(REPLAYED)) core.response?.setHeader(name, value);
  return JSON.parse(recorded.body);
}
