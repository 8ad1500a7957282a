import type { Request, Response } from 'express';
import { through, type Caller } from '../../documents/caller.js';
import { createRequestContext, type RequestContext } from '../../documents/request-context.js';
import type { Operation } from '../../documents/write/batch/turns.js';
import { writtenEntries } from '../../documents/response/written-response.js';
import { listingOf } from '../../documents/listings.js';
import { AppError } from '../../errors/app-error.js';
import { parseSelection } from '../../query/parse/parse-selection.js';
import { isDryRun } from '../conditional/dry-run.js';
import { createEntryChecks, refuseHeaders } from '../conditional/entry-checks.js';
import { keyedRequest, writtenOnce } from '../conditional/idempotency.js';
import type { AnsweredAction } from '../../plugins/contract/answerer.js';
import type { ContentAnswer } from '../../plugins/contract/content-api.js';
import type { RestContext } from '../action.js';
import { authorise } from '../authorise.js';
import { queryOf } from '../query-string.js';
import type { ContentType } from '../../content-types/model/types.js';
import { envelope, serializeJson } from '../response/serialize.js';
import { presenterOf } from '../response/rest-presenter.js';
import { parseBatch, type WrittenOperation } from './parse-batch.js';

interface BatchOptions extends RestContext {
  /** The types of which a batch writes entries, by their lower-case paths. */
  readonly types: ReadonlyMap<string, ContentType>;
  readonly batchLimit: number;
}

/** `POST /api/batch`: several writes, of which all happen or none. */
export function createBatchHandler(
  options: BatchOptions,
): (caller: Caller, request: Request, response: Response) => Promise<ContentAnswer> {
  const { documents, limits, responseLimit, answererOf, types, batchLimit, idempotencyKeys } = options;
  const checks = createEntryChecks(options);
  const operationOf = (written: WrittenOperation, context: RequestContext, dryRun: boolean, response: Response) => {
    const { action, type, id, as, localizationOf, data, ifMatch, status } = written;
    const { changes } = listingOf(type) ?? {};
    // An update creates the entry of a single type (corpus: 10-crud/22-single).
    const own = action === 'create' && type.kind === 'singleType' ? 'update' : action;
    const named: AnsweredAction = localizationOf === undefined ? own : 'createLocalization';
    authorise(context.caller, changes?.action ?? `${type.uid}.${named}`, response);
    // It runs neither the routes nor the guards of the project.
    if ([own, named].some((one) => answererOf(type, one) !== 'core'))
      throw new AppError('badRequest', `Code of the project takes part in ${named} of ${type.uid}: use its route`);
    const selection = parseSelection({}, type, 'client', limits);
    const presenter = presenterOf(type);
    const request = { ...context, dryRun, presenter, selection, event: 'response', ...(status && { status }) } as const;
    if (action === 'create') return { kind: action, type, request, as, localizationOf, data } as const;
    const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
    const check = checks.one({ type, headers, query: {}, caller: context.caller, response }, String(id), request);
    return action === 'update'
      ? ({ kind: action, type, request, id, data, check } as const)
      : ({ kind: action, type, request, id, check } as const);
  };
  return async (client, request, response) => {
    const caller = through(client, 'batch');
    const context = createRequestContext(caller, response);
    const { dryRun: _dryRun, ...others } = queryOf(request);
    const [parameter] = Object.keys(others);
    if (parameter !== undefined) throw new AppError('invalidParameter', parameter);
    refuseHeaders(request.headers, ['If-Match', 'If-None-Match'], 'an operation of a batch has ifMatch');
    const { method, originalUrl, headers, body } = request;
    const keyed = keyedRequest({ method, originalUrl, headers, message: request, body }, caller);
    const dryRun = isDryRun(queryOf(request), request.headers);
    const operations = parseBatch(request.body, types, batchLimit).map((written, index): Operation => {
      try {
        return operationOf(written, context, dryRun, response);
      } catch (error) {
        throw error instanceof AppError ? error.within(`operations[${index}]`, ['operations', String(index)]) : error;
      }
    });
    // A dry run needs no key, and must not use one up.
    if (dryRun) return { body: serializeJson(envelope(await documents.batch(operations)), responseLimit) };
    const presenters = operations.map(({ request: { presenter } }) => presenter);
    return writtenOnce(idempotencyKeys, keyed, responseLimit, async () =>
      writtenEntries(await documents.batch(operations), presenters),
    );
  };
}
