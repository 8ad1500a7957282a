import type { Context } from 'koa';
import type { ContentType } from '../../content-types/model/types.js';
import type { EntryRequest } from '../../documents/context.js';
import type { Documents } from '../../documents/documents.js';
import type { UpdateOptions } from '../../documents/write/update.js';
import type { ReadPreview } from '../../plugins/contract/access/preview-links.js';
import type { BodyReader } from '../../plugins/contract/forms.js';
import { requireId } from '../../query/parse/parse-id.js';
import { parseQuery, parseSelection, type QueryLimits } from '../../query/parse/parse-query.js';
import type { IdempotencyKeys, KeyUse } from '../../mongo/coordination/idempotency-keys.js';
import { createEntryChecks, type CheckedRequest } from '../../rest/conditional/entry-checks.js';
import { isDryRun } from '../../rest/conditional/dry-run.js';
import { answerOnce, keyedRequest } from '../../rest/conditional/idempotency.js';
import { refuseVersions } from '../../rest/conditional/version-check.js';
import { receivedForm } from '../http/body.js';
import { isWrite } from './conditional-writes.js';
import { dataOf, fallbackOf, isPreviewOf, refuseFallback } from '../../rest/requests.js';
import { envelope, listEnvelope, restPresenter } from '../../rest/response/envelope.js';
import { serializeJson } from '../../rest/response/serialize.js';
import type { Caller } from '../../documents/caller.js';
import { createRequestContext, type RequestContext } from '../../documents/request-context.js';
import type { Named } from '../strapi.js';

/** The dependencies of core actions that call the documents service directly, like requests without code. */
export interface DirectParts {
  readonly type: ContentType;
  readonly documents: Documents;
  readonly limits: QueryLimits;
  readonly bodyReaders: readonly BodyReader[];
  readonly idempotencyKeys: IdempotencyKeys;
  readonly readPreview: ReadPreview | undefined;
  /** The maximum bytes of a response. */
  readonly responseLimit: number;
}

export type DirectAction = (parts: DirectParts, context: Context) => Promise<unknown>;

function entryRequest({ type, limits }: DirectParts, context: Context): EntryRequest {
  const selection = parseSelection(context.query, type, 'client', limits);
  if (isWrite(context)) refuseFallback(context.query, type, 'only reads have it');
  const locale = context.query['locale'];
  const dryRun = isWrite(context) && isDryRun(context.query, context.headers);
  const fallback = fallbackOf(context.query, type);
  return { ...requestOf(context), ...fallback, presenter: restPresenter, selection, locale, dryRun, event: 'response' };
}

/** Writes the data of the body, with the files of a form. */
function withData(
  { type, bodyReaders }: DirectParts,
  context: Context,
  id: number | undefined,
  write: (data: unknown, options?: UpdateOptions) => Promise<unknown>,
): Promise<unknown> {
  const form = receivedForm(context);
  const reader = bodyReaders.find(({ mediaType }) => context.is(mediaType));
  const body: unknown = (context.request as { readonly body?: unknown }).body;
  if (form === undefined || reader === undefined) return write(dataOf(body));
  return reader.attachFiles(form, { type, id }, (placed, options) => write(dataOf(placed), options));
}

const idOf = (context: Context): number => requireId(String((context['params'] as { readonly id: unknown }).id));

/** Whether a preview link shows the entry; id: undefined for a single type. @throws AppError unauthorized */
const isPreviewed = ({ type: { uid }, readPreview }: DirectParts, context: Context, id?: number): boolean =>
  isPreviewOf({ uid, id }, context.query, context.res, readPreview);

/** The core actions of collection types, with the responses of requests without code. */
export const collectionActions: Readonly<Record<string, DirectAction>> = {
  find: async ({ type, documents, limits }, context) => {
    const query = parseQuery(context.query, type, 'client', limits);
    return listEnvelope(await documents.find(query, requestOf(context), restPresenter), query.pagination);
  },
  findOne: async (parts, context) => {
    const id = idOf(context);
    const request = { ...entryRequest(parts, context), previewed: isPreviewed(parts, context, id) };
    return envelope(await parts.documents.findOne(parts.type, id, request));
  },
  create: async (parts, context) => {
    const { type, documents } = parts;
    const request = entryRequest(parts, context);
    refuseVersions(context.headers);
    const create = async (key?: KeyUse): Promise<object> =>
      envelope(await withData(parts, context, undefined, (data) => documents.create(type, data, request, { key })));
    return request.dryRun === true ? create() : respondOnce(parts, context, create);
  },
  update: async (parts, context) => {
    const { type, documents } = parts;
    const request = entryRequest(parts, context);
    const id = idOf(context);
    const check = createEntryChecks(parts).one(checked(parts, context), String(id), request);
    return envelope(
      await withData(parts, context, id, (data, options) =>
        documents.update(type, id, data, request, { ...options, check }),
      ),
    );
  },
  delete: async (parts, context) => {
    const request = entryRequest(parts, context);
    const id = idOf(context);
    const check = createEntryChecks(parts).one(checked(parts, context), String(id), request);
    return envelope(await parts.documents.delete(parts.type, id, request, check));
  },
};

/** The same of single types. */
export const singleActions: Readonly<Record<string, DirectAction>> = {
  find: async (parts, context) => {
    const { type, documents, limits } = parts;
    const query = parseQuery(context.query, type, 'client', limits);
    const request = { ...requestOf(context), previewed: isPreviewed(parts, context) };
    return envelope(await documents.findSingle(query, request, restPresenter));
  },
  update: async (parts, context) => {
    const { type, documents } = parts;
    const request = entryRequest(parts, context);
    const check = createEntryChecks(parts).single(checked(parts, context), request);
    return envelope(
      await withData(parts, context, undefined, (data, options) =>
        documents.updateSingle(type, data, request, { ...options, check }),
      ),
    );
  },
  delete: async (parts, context) => {
    const request = entryRequest(parts, context);
    const check = createEntryChecks(parts).single(checked(parts, context), request);
    return envelope(await parts.documents.deleteSingle(parts.type, request, check));
  },
};

const checked = ({ type }: DirectParts, context: Context): CheckedRequest => ({
  type,
  headers: context.headers,
  query: context.query,
  caller: callerOf(context),
  response: context.res,
});

/** The response to a creation: that of the first request with this `Idempotency-Key`. */
async function respondOnce(
  { idempotencyKeys, responseLimit }: DirectParts,
  context: Context,
  create: (key?: KeyUse) => Promise<object>,
): Promise<unknown> {
  const { method, originalUrl, headers, request } = context;
  const { body } = request as { readonly body?: unknown };
  const keyed = keyedRequest({ method, originalUrl, headers, body }, callerOf(context));
  if (keyed === undefined) return create();
  const answer = await answerOnce(idempotencyKeys, keyed, async (key) =>
    serializeJson(await create(key), responseLimit),
  );
  if (answer.isRepeated) context.set('Idempotent-Replayed', 'true');
  return JSON.parse(typeof answer.body === 'string' ? answer.body : [...answer.body].join(''));
}

/** The context of a request, for the documents service. */
const requestOf = (context: Context): RequestContext => createRequestContext(callerOf(context), context.res);

/** On a route without authentication the caller may not read related entries. */
export function callerOf(context: Context): Caller {
  const auth = context.state['auth'] as Named | undefined;
  if (auth === undefined) return { kind: 'public', may: () => false };
  if (auth['caller'] !== undefined) return auth['caller'] as Caller;
  // Created by project code: only its `can` decides.
  const { ability } = auth;
  return { kind: 'public', may: (action) => ability?.can(action) === true };
}
