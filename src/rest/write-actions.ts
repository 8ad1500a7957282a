import type { EntryRequest } from '../documents/context.js';
import type { ResponseBody } from '../documents/response/response-cache.js';
import type { CheckVersion } from '../documents/write/conditional/while-unchanged.js';
import type { Written } from '../documents/write/conditional/by-key.js';
import { AppError } from '../errors/app-error.js';
import type { BodyReader } from '../plugins/contract/plugin.js';
import { parseId, requireId } from '../query/parse/input.js';
import type { Key } from '../query/parse/parse-key.js';
import { parseSelection } from '../query/parse/parse-query.js';
import type { ActionRequest, Handle, RestContext } from './action.js';
import { isDryRun } from './conditional/dry-run.js';
import { createEntryChecks, type CheckedRequest, type EntryChecks } from './conditional/entry-checks.js';
import { keyedRequest, sendOnce } from './conditional/idempotency.js';
import { keyedEntry, onlyCreates, writeModeOf } from './conditional/keyed-entry.js';
import { refuseAbsence, refuseVersions } from './conditional/version-check.js';
import { createEntryParser, readableQuery } from './read-actions.js';
import { authorise, dataOf, queryOf, queryStringOf, refuseReadParameters, writeData } from './requests.js';
import { send } from './response/send.js';
import { envelope, restPresenter, serializeJson } from './response/serialize.js';

type WriteAction = 'create' | 'update' | 'delete' | 'updateSingle' | 'deleteSingle' | 'writeByKey' | 'deleteByKey';

/** What the writes use. */
interface WriteContext extends RestContext {
  readonly parseEntry: ReturnType<typeof createEntryParser>;
  readonly checks: EntryChecks;
}

/** Writes, and returns the entry for the response. */
type Write = (context: WriteContext, action: ActionRequest, request: EntryRequest) => Promise<unknown>;

/** Strapi v4's writes, and writes by a key: parse, write, and send the entry. */
export function createWriteActions(options: RestContext): Readonly<Record<WriteAction, Handle>> {
  const context = { ...options, parseEntry: createEntryParser(options.limits), checks: createEntryChecks(options) };
  const respondWith =
    (write: Write): Handle =>
    (action) =>
      respondOnce(context, action, write);
  return {
    create: respondWith(create),
    update: respondWith(update),
    delete: respondWith(deleteOne),
    updateSingle: respondWith(updateSingle),
    deleteSingle: respondWith(deleteSingle),
    writeByKey: (action) => writeByKey(context, action),
    deleteByKey: respondWith(deleteByKey),
  };
}

/** Sends the entry, which is written once if the request has a key. */
async function respondOnce(context: WriteContext, action: ActionRequest, write: Write): Promise<void> {
  const { responseLimit, idempotencyKeys } = context;
  const { request, response, caller } = action;
  const keyed = keyedRequest(request, caller);
  const selected = requestOf(context, action);
  const execute = async (): Promise<ResponseBody> =>
    serializeJson(envelope(await write(context, action, selected)), responseLimit);
  // A dry run needs no key, and must not use one up.
  await sendOnce(response, idempotencyKeys, selected.dryRun === true ? undefined : keyed, execute);
}

const create: Write = ({ documents, bodyReaders }, action, request) => {
  refuseVersions(action.request.headers);
  return withData(bodyReaders, action, undefined, (data) => documents.create(action.type, data, request));
};

const update: Write = ({ documents, bodyReaders, checks }, action, request) => {
  const check = checks.one(checked(action), action.id, request);
  return withData(bodyReaders, action, parseId(action.id), async (data, options) =>
    entryIn(documents.update({ type: action.type, id: requireId(action.id) }, data, request, { ...options, check })),
  );
};

const deleteOne: Write = ({ documents, checks }, action, request) => {
  const target = { type: action.type, id: requireId(action.id) };
  return documents.delete(target, request, checks.one(checked(action), action.id, request));
};

const updateSingle: Write = ({ documents, bodyReaders, checks }, action, request) => {
  const check = checks.single(checked(action), request);
  const mode = onlyCreates(action.request.headers) ? 'create' : 'upsert';
  return withData(bodyReaders, action, undefined, async (data, options) =>
    entryIn(documents.update({ type: action.type, single: true }, data, request, { ...options, mode, check })),
  );
};

/** As in Strapi v4, it returns the complete entry without relations. */
const deleteSingle: Write = ({ documents, limits, checks }, action, request) => {
  refuseAbsence(action.request.headers);
  const complete = { ...request, selection: parseSelection({}, action.type, 'client', limits) };
  return documents.delete({ type: action.type, single: true }, complete, checks.single(checked(action), request));
};

async function writeByKey(context: WriteContext, action: ActionRequest): Promise<void> {
  const { documents, responseLimit, offersByKey } = context;
  const { type, request, response } = action;
  const mode = writeModeOf(request);
  if (mode !== 'update') authoriseCreate(action, offersByKey);
  const target = keyedEntry(type, request);
  const selected = requestOf(context, action);
  const check = checkByKey(context, action, selected);
  const written = await documents.update(target, dataOf(request.body), selected, { mode, check });
  await send(response, envelope(written.entry), responseLimit, written.isNew ? 201 : 200);
}

const deleteByKey: Write = (context, action, request) => {
  refuseAbsence(action.request.headers);
  return context.documents.delete(
    keyedEntry(action.type, action.request),
    request,
    checkByKey(context, action, request),
  );
};

const checkByKey = ({ checks }: WriteContext, action: ActionRequest, request: EntryRequest): CheckVersion | undefined =>
  checks.byKey(checked(action), action.request.params as unknown as Key, request);

const requestOf = ({ parseEntry }: WriteContext, action: ActionRequest): EntryRequest =>
  writeRequest(action, readableQuery(action, 'update', parseEntry(action.type, queryStringOf(action.request))));

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

const withData = (
  bodyReaders: readonly BodyReader[],
  { type, request, form }: ActionRequest,
  id: number | undefined,
  write: Parameters<typeof writeData<unknown>>[3],
): Promise<unknown> =>
  writeData(bodyReaders, { body: request.body, form, is: (mediaType) => request.is(mediaType) }, { type, id }, write);

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
