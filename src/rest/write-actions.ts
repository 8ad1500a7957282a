import type { EntryRequest } from '../documents/context.js';
import type { ResponseBody } from '../documents/response/response-cache.js';
import type { CheckVersion } from '../documents/write/conditional/while-unchanged.js';
import type { Written } from '../documents/write/conditional/by-key.js';
import type { UpdateOptions } from '../documents/write/update.js';
import { AppError } from '../errors/app-error.js';
import type { KeyUse } from '../mongo/coordination/idempotency-keys.js';
import type { BodyReader } from '../plugins/contract/plugin.js';
import { parseId, requireId } from '../query/parse/parse-id.js';
import type { Key } from '../query/parse/parse-key.js';
import { parseSelection } from '../query/parse/parse-query.js';
import type { ActionRequest, Handle, RestContext } from './action.js';
import { isDryRun } from './conditional/dry-run.js';
import { createEntryChecks, type CheckedRequest } from './conditional/entry-checks.js';
import { keyedRequest, sendOnce } from './conditional/idempotency.js';
import { keyedEntry, writeModeOf } from './conditional/keyed-entry.js';
import { refuseAbsence, refuseVersions } from './conditional/version-check.js';
import { createEntryParser, readableQuery } from './parsed-queries.js';
import { authorise, dataOf, queryOf, queryStringOf, refuseReadParameters } from './requests.js';
import { envelope, restPresenter } from './response/serialize.js';
import { send } from './response/send.js';
import { serializeJson } from './response/serialize.js';

type WriteAction = 'create' | 'update' | 'delete' | 'updateSingle' | 'deleteSingle' | 'writeByKey' | 'deleteByKey';

/** Strapi v4's writes, and writes by a key: parse, write, and send the entry. */
export function createWriteActions(context: RestContext): Readonly<Record<WriteAction, Handle>> {
  const { documents, limits, responseLimit, bodyReaders, offersByKey, idempotencyKeys } = context;
  const parseEntry = createEntryParser(limits);
  const checks = createEntryChecks({ documents, limits, responseLimit });
  const requestOf = (action: ActionRequest): EntryRequest =>
    writeRequest(action, readableQuery(action, 'update', parseEntry(action.type, queryStringOf(action.request))));
  /** For an action that returns one entry. */
  const respondWith =
    (work: (action: ActionRequest, request: EntryRequest) => Promise<unknown>): Handle =>
    async (action) =>
      send(action.response, envelope(await work(action, requestOf(action))), responseLimit);
  const checkByKey = (action: ActionRequest, request: EntryRequest): CheckVersion | undefined =>
    checks.byKey(checked(action), action.request.params as unknown as Key, request);
  return {
    create: async (action) => {
      const { type, request, response, caller } = action;
      refuseVersions(request.headers);
      const keyed = keyedRequest(request, caller);
      const selected = requestOf(action);
      const create = async (key?: KeyUse): Promise<ResponseBody> => {
        const write = (data: unknown): Promise<unknown> => documents.create(type, data, selected, { key });
        return serializeJson(envelope(await withData(bodyReaders, action, undefined, write)), responseLimit);
      };
      // A dry run needs no key, and must not use one up.
      await sendOnce(response, idempotencyKeys, selected.dryRun === true ? undefined : keyed, create);
    },
    update: respondWith((action, request) => {
      const check = checks.one(checked(action), action.id, request);
      return withData(bodyReaders, action, parseId(action.id), async (data, options) =>
        entryIn(
          documents.update({ type: action.type, id: requireId(action.id) }, data, request, { ...options, check }),
        ),
      );
    }),
    delete: respondWith((action, request) => {
      const target = { type: action.type, id: requireId(action.id) };
      return documents.delete(target, request, checks.one(checked(action), action.id, request));
    }),
    updateSingle: respondWith((action, request) => {
      const check = checks.single(checked(action), request);
      return withData(bodyReaders, action, undefined, async (data, options) =>
        entryIn(documents.update({ type: action.type, single: true }, data, request, { ...options, check })),
      );
    }),
    // As in Strapi v4, it returns the complete entry without relations.
    deleteSingle: respondWith((action, request) => {
      const complete = { ...request, selection: parseSelection({}, action.type, 'client', limits) };
      return documents.delete({ type: action.type, single: true }, complete, checks.single(checked(action), request));
    }),
    writeByKey: async (action) => {
      const { type, request, response } = action;
      const mode = writeModeOf(request);
      if (mode !== 'update') authoriseCreate(action, offersByKey);
      const target = keyedEntry(type, request);
      const selected = requestOf(action);
      const check = checkByKey(action, selected);
      const written = await documents.update(target, dataOf(request.body), selected, { mode, check });
      await send(response, envelope(written.entry), responseLimit, written.isNew ? 201 : 200);
    },
    deleteByKey: respondWith((action, request) => {
      refuseAbsence(action.request.headers);
      return documents.delete(keyedEntry(action.type, action.request), request, checkByKey(action, request));
    }),
  };
}

const entryIn = async (written: Promise<Written>): Promise<unknown> => (await written).entry;

function writeRequest(
  { type, request, caller, signal, bytesRead }: ActionRequest,
  { input, query }: ReturnType<typeof readableQuery>,
): EntryRequest {
  refuseReadParameters(input, type, 'only reads have it');
  const { parameters } = query;
  const shown = { presenter: restPresenter, selection: query, parameters, event: 'response' } as const;
  return { caller, signal, bytesRead, dryRun: isDryRun(input, request.headers), ...shown };
}

/** Writes the data of the body, which a plugin may have to read. */
function withData(
  bodyReaders: readonly BodyReader[],
  { type, request }: ActionRequest,
  id: number | undefined,
  write: (data: unknown, options?: UpdateOptions) => Promise<unknown>,
): Promise<unknown> {
  const reader = bodyReaders.find(({ mediaType }) => request.is(mediaType));
  if (reader === undefined) return write(dataOf(request.body));
  return reader.read(request, { type, id }, (body, options) => write(dataOf(body), options));
}

const checked = ({ type, request, response, caller }: ActionRequest): CheckedRequest => ({
  type,
  headers: request.headers,
  query: queryOf(request),
  caller,
  response,
});

/** @throws AppError forbidden, badRequest */
function authoriseCreate({ type, caller, response }: ActionRequest, offersByKey: RestContext['offersByKey']): void {
  authorise(caller, `${type.uid}.create`, response);
  if (!offersByKey(type, 'create'))
    throw new AppError('badRequest', `Code of the project creates the entries of ${type.uid}: use POST`);
}
