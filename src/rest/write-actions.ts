import type { Request } from 'express';
import lodash from 'lodash';
import { authorise } from '../calls/authorise.js';
import { conditionOf, onlyCreates, uselessFor, type Condition } from '../calls/condition.js';
import { parseEntryQuery, readableQuery } from '../calls/entry-query.js';
import { answerOnce } from '../calls/once.js';
import { refuseBypass } from '../calls/who-answers.js';
import type { ContentType } from '../content-types/model/types.js';
import type { EntryRequest } from '../documents/context.js';
import { writtenEntry } from '../documents/response/written-response.js';
import type { KeyedEntry } from '../documents/write/conditional/by-key.js';
import type { CheckVersion } from '../documents/write/conditional/while-unchanged.js';
import type { QueryInput } from '../query/parse/input.js';
import { parseKey, type Key } from '../query/parse/parse-key.js';
import type { ContentAnswer } from '../plugins/contract/content-api.js';
import type { RestContext } from './action.js';
import { isDryRun } from './conditional/dry-run.js';
import { createEntryChecks, type EntryChecks } from './conditional/entry-checks.js';
import { entryRequestOf, coreWrites, writeCore, type CoreWrite } from './core-writes.js';
import { dataOf } from './body.js';
import { flagOf, refuseReadParameters } from './query-parameters.js';
import { queryOf } from './query-string.js';
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
      answer(context, action, ({ query, selected }) => writeCore(write, context, sentBy(action, query), selected));
  return {
    ...lodash.mapValues(coreWrites, (write) => respondWith(write)),
    writeByKey: (action) => writeByKey(context, action),
    deleteByKey: (action) => answer(context, action, (parsed) => deleteByKey(context, action, parsed)),
  } satisfies Readonly<Record<string, RestAction>>;
}

/** The query string of a write, and what it asks of the documents service. */
interface ParsedWrite {
  readonly query: QueryInput;
  readonly selected: EntryRequest;
}

/** Answers with the entry, which is written once if the request has a key. */
async function answer(
  context: WriteContext,
  action: RestRequest,
  write: (parsed: ParsedWrite) => Promise<unknown>,
): Promise<ContentAnswer> {
  const parsed = parseWrite(context, action, queryOf(action.request));
  const { selected } = parsed;
  return action.once(async () => writtenEntry(await write(parsed), selected.presenter), selected.dryRun);
}

async function writeByKey(context: WriteContext, action: RestRequest): Promise<ContentAnswer> {
  const { documents, answererOf } = context;
  const { type, request } = action;
  const query = queryOf(request);
  const condition = conditionOf(request.headers, uselessFor.named);
  const found = flagOf(query, 'upsert') ? 'upsert' : 'update';
  const mode = onlyCreates(condition) ? 'create' : found;
  if (mode !== 'update') authoriseCreate(action, answererOf);
  const target = keyedEntry(type, request);
  const { selected } = parseWrite(context, action, query);
  const check = checkByKey(context, action, condition, { query, selected });
  const { entry, isNew } = await documents.update(target, dataOf(request.body), selected, { mode, check });
  const written = async () => writtenEntry(entry, selected.presenter);
  // A repetition finds the entry by its key: it needs no other.
  const answered = await answerOnce(context, { key: undefined, dryRun: selected.dryRun === true }, written);
  return { ...answered, status: isNew ? 201 : 200 };
}

async function deleteByKey(context: WriteContext, action: RestRequest, parsed: ParsedWrite): Promise<unknown> {
  const condition = conditionOf(action.request.headers, uselessFor.entry);
  const target = keyedEntry(action.type, action.request);
  return context.documents.delete(target, parsed.selected, checkByKey(context, action, condition, parsed));
}

/** The entry that the path of a write names by a key. @throws AppError invalidParameter */
function keyedEntry(type: ContentType, { params }: Request): KeyedEntry {
  const key = params as unknown as Key;
  return { type, key, filter: parseKey(key, type) };
}

function checkByKey(
  { checks }: WriteContext,
  { type, request, caller, response }: RestRequest,
  condition: Condition | undefined,
  { query, selected }: ParsedWrite,
): CheckVersion | undefined {
  return checks.byKey({ type, condition, query, caller, response }, request.params as unknown as Key, selected);
}

function parseWrite({ limits }: WriteContext, action: RestRequest, query: QueryInput): ParsedWrite {
  const { type, request } = action;
  const parsed = readableQuery(action, 'update', parseEntryQuery(query, type, limits));
  refuseReadParameters(query, type, 'only reads have it');
  return { query, selected: entryRequestOf(action, restPresenter, parsed, isDryRun(query, request.headers)) };
}

const sentBy = ({ type, id, request, response, caller, form }: RestRequest, query: QueryInput) => ({
  type,
  id,
  headers: request.headers,
  query,
  caller,
  response,
  body: request.body as unknown,
  form,
  is: (mediaType: string) => request.is(mediaType),
});

function authoriseCreate({ type, caller, response }: RestRequest, answererOf: RestContext['answererOf']): void {
  authorise(caller, `${type.uid}.create`, response);
  refuseBypass(answererOf, 'creationByKey', type, ['create']);
}
