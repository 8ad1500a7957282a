import { parseEntryQuery, readableQuery } from '../../calls/entry-query.js';
import { readCalls, type AskedRead, type ReadCall } from '../../calls/read-call.js';
import { once, onceKeyOf, REPLAYED, type OnceParts } from '../../calls/once.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { EntryRequest } from '../../documents/context.js';
import { AppError } from '../../errors/app-error.js';
import { presentList, type Present } from '../../documents/read-operation.js';
import { writtenEntry } from '../../documents/response/written-response.js';
import type { ReadPreview } from '../../plugins/contract/access/preview-links.js';
import { parseQuery, parseSingleQuery } from '../../query/parse/parse-query.js';
import { isDryRun } from '../../rest/conditional/dry-run.js';
import { entryRequestOf, coreWrites, writeCore, type CoreWrite, type CoreWriteParts } from '../../rest/core-writes.js';
import { isPreviewOf } from '../../rest/preview.js';
import { refuseReadParameters } from '../../rest/query-parameters.js';
import { entryEnvelope, envelope, listEnvelope } from '../../rest/response/envelopes.js';
import { isWrite, requestContextOf, type CoreRequest } from './core-request.js';

/** The dependencies of core actions that call the documents service directly, like requests without code. */
export interface DirectParts extends CoreWriteParts, OnceParts {
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
  create: respondWith(coreWrites.create),
  update: respondWith(coreWrites.update),
  delete: respondWith(coreWrites.delete),
};

/** The core actions of single types, with the responses of requests without code. */
export const singleActions: Readonly<Record<string, DirectAction>> = {
  find: readBy(readCalls.findSingle),
  update: respondWith(coreWrites.updateSingle),
  delete: respondWith(coreWrites.deleteSingle),
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
function respondWith(write: CoreWrite): DirectAction {
  return async (parts, core) => {
    const request = writeRequest(parts, core);
    const sent = { ...core, type: parts.type, id: String(core.params['id']) };
    const execute = async () => writtenEntry(await writeCore(write, parts, sent, request), request.presenter).body;
    // A dry run needs no key, and must not use one up.
    return request.dryRun === true ? execute() : onceForKey(parts, core, execute);
  };
}

/** Executes a write, and returns the response: that to the first request with this `Idempotency-Key`. */
export async function onceForKey(
  parts: DirectParts,
  core: CoreRequest,
  execute: () => Promise<unknown>,
): Promise<unknown> {
  const key = onceKeyOf({ ...core, message: core.response?.req }, core.caller);
  const outcome = await once(parts, key, execute, (body) => {
    if (body === null || body === undefined) throw new AppError('notFound');
    const { data } = body as { readonly data: unknown };
    return { body, shortened: writtenEntry(data, requestContextOf(core).presenter).shortened };
  });
  if ('done' in outcome) return outcome.done;
  const { recorded, isRepeated } = outcome;
  if (isRepeated) for (const [name, value] of Object.entries(REPLAYED)) core.response?.setHeader(name, value);
  return JSON.parse(recorded);
}

/** The query of a request that only reads, whose code writes, is not the query of the write. */
function writeRequest(parts: DirectParts, core: CoreRequest): EntryRequest {
  const { type, limits } = parts;
  const parsed = readableQuery({ type, caller: core.caller }, 'update', parseEntryQuery(core.query, type, limits));
  if (isWrite(core)) refuseReadParameters(core.query, parts.type, 'only reads have it');
  const { presenter, ...context } = requestContextOf(core);
  return entryRequestOf(context, presenter, parsed, isWrite(core) && isDryRun(core.query, core.headers));
}
