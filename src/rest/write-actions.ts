import type { Request } from 'express';
import lodash from 'lodash';
import type { ContentType } from '../content-types/model/types.js';
import type { EntryRequest } from '../documents/context.js';
import { writtenEntry } from '../documents/response/written-response.js';
import type { KeyedEntry } from '../documents/write/conditional/by-key.js';
import type { CheckVersion } from '../documents/write/conditional/while-unchanged.js';
import { AppError } from '../errors/app-error.js';
import { parseKey, type Key } from '../query/parse/parse-key.js';
import type { ContentAnswer } from '../plugins/contract/content-api.js';
import type { RestContext } from './action.js';
import { isDryRun } from './conditional/dry-run.js';
import { createEntryChecks, type EntryChecks, onlyCreates, refuseAbsence } from './conditional/entry-checks.js';
import { entryRequestOf, coreWrites, type CoreWrite, type WriteRequest } from './core-writes.js';
import { parseEntryQuery, readableQuery } from './read-actions.js';
import { authorise } from './authorise.js';
import { dataOf } from './body.js';
import { flagOf, refuseReadParameters } from './query-parameters.js';
import { queryOf } from './query-string.js';
import { envelope, serializeJson, serializeWritten } from './response/serialize.js';
import { restPresenter } from './response/rest-presenter.js';
import type { RestAction, RestRequest } from './rest-request.js';

interface WriteContext extends RestContext {
  readonly checks: EntryChecks;
}

/** Strapi v4's writes, and writes by a key: parse, write, and answer with the entry. */
export function createWriteActions(options: RestContext) {
  const context = { ...options, checks: createEntryChecks(options) };
  const respondWith =
    (write: CoreWrite): RestAction =>
    (action) =>
      answerOnce(context, action, (request) => write(context, sentBy(action), request));
  return {
    ...lodash.mapValues(coreWrites, (write) => respondWith(write)),
    writeByKey: (action) => writeByKey(context, action),
    deleteByKey: (action) => answerOnce(context, action, (request) => deleteByKey(context, action, request)),
  } satisfies Readonly<Record<string, RestAction>>;
}

/** Answers with the entry, which is written once if the request has a key. */
async function answerOnce(
  context: WriteContext,
  action: RestRequest,
  write: (request: EntryRequest) => Promise<unknown>,
): Promise<ContentAnswer> {
  const { responseLimit } = context;
  const selected = requestOf(context, action);
  // A dry run needs no key, and must not use one up.
  if (selected.dryRun === true) return { body: serializeJson(envelope(await write(selected)), responseLimit) };
  return action.once(async () => writtenEntry(await write(selected), selected.presenter));
}

async function writeByKey(context: WriteContext, action: RestRequest): Promise<ContentAnswer> {
  const { documents, responseLimit, answererOf } = context;
  const { type, request } = action;
  const found = flagOf(queryOf(request), 'upsert') ? 'upsert' : 'update';
  const mode = onlyCreates(request.headers) ? 'create' : found;
  if (mode !== 'update') authoriseCreate(action, answererOf);
  const target = keyedEntry(type, request);
  const selected = requestOf(context, action);
  const check = checkByKey(context, action, selected);
  const written = await documents.update(target, dataOf(request.body), selected, { mode, check });
  const status = written.isNew ? 201 : 200;
  const body =
    selected.dryRun === true
      ? serializeJson(envelope(written.entry), responseLimit)
      : serializeWritten(writtenEntry(written.entry, selected.presenter), responseLimit);
  return { body, status };
}

async function deleteByKey(context: WriteContext, action: RestRequest, request: EntryRequest): Promise<unknown> {
  refuseAbsence(action.request.headers);
  const target = keyedEntry(action.type, action.request);
  return context.documents.delete(target, request, checkByKey(context, action, request));
}

/** The entry that the path of a write names by a key. @throws AppError invalidParameter */
function keyedEntry(type: ContentType, { params }: Request): KeyedEntry {
  const key = params as unknown as Key;
  return { type, key, filter: parseKey(key, type) };
}

const checkByKey = ({ checks }: WriteContext, action: RestRequest, request: EntryRequest): CheckVersion | undefined =>
  checks.byKey(sentBy(action), action.request.params as unknown as Key, request);

function requestOf({ limits }: WriteContext, action: RestRequest): EntryRequest {
  const { type, request } = action;
  const parsed = readableQuery(action, 'update', parseEntryQuery(queryOf(request), type, limits));
  refuseReadParameters(parsed.input, type, 'only reads have it');
  return entryRequestOf(action, restPresenter, parsed, isDryRun(parsed.input, request.headers));
}

const sentBy = ({ type, id, request, response, caller, form }: RestRequest): WriteRequest => ({
  type,
  id,
  headers: request.headers,
  query: queryOf(request),
  caller,
  response,
  body: request.body,
  form,
  is: (mediaType) => request.is(mediaType),
});

function authoriseCreate({ type, caller, response }: RestRequest, answererOf: RestContext['answererOf']): void {
  authorise(caller, `${type.uid}.create`, response);
  if (answererOf(type, 'create') !== 'core')
    throw new AppError('badRequest', `Code of the project creates the entries of ${type.uid}: use POST`);
}
