import type { Request, Response } from 'express';
import { authorise } from '../../calls/authorise.js';
import { matchOf } from '../../calls/condition.js';
import { createEntryChecks } from '../../calls/entry-checks.js';
import { answerWrite, keyableOf } from '../../calls/once.js';
import { termsOf } from '../../calls/terms.js';
import { refuseBypass } from '../../calls/who-answers.js';
import { through, type Caller } from '../../documents/caller.js';
import type { RequestContext } from '../../documents/request-context.js';
import { createRequestContext } from '../../plugins/contract/http/request-context.js';
import type { Operation } from '../../documents/write/batch/turns.js';
import { writtenEntries } from '../../documents/response/written-response.js';
import { listingOf } from '../../documents/listings.js';
import { AppError } from '../../errors/app-error.js';
import { parseSelection } from '../../query/parse/parse-selection.js';
import type { AnsweredAction } from '../../plugins/contract/answerer.js';
import type { ContentAnswer } from '../../plugins/contract/content-api.js';
import { refusedTerms, type WriteTerms } from '../../plugins/contract/write-terms.js';
import type { RestContext } from '../action.js';
import { queryOf } from '../../calls/query-string.js';
import type { ContentType } from '../../content-types/model/types.js';
import { entryEnvelope } from '../response/envelopes.js';
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
  const { documents, limits, answererOf, types, batchLimit } = options;
  const checks = createEntryChecks({ ...options, presentOne: entryEnvelope });
  const operationOf = (
    written: WrittenOperation,
    context: RequestContext,
    { isDryRun }: WriteTerms,
    response: Response,
  ) => {
    const { action, type, id, as, localizationOf, data, ifMatch, status } = written;
    const { changes } = listingOf(type) ?? {};
    // An update creates the entry of a single type (corpus: 10-crud/22-single).
    const own = action === 'create' && type.kind === 'singleType' ? 'update' : action;
    const named: AnsweredAction = localizationOf === undefined ? own : 'createLocalization';
    authorise(context.caller, changes?.action ?? `${type.uid}.${named}`, response);
    refuseBypass(answererOf, 'batch', type, [named, own]);
    const selection = parseSelection({}, type, 'client', limits);
    const presenter = presenterOf(type);
    const request = {
      ...context,
      dryRun: isDryRun,
      presenter,
      selection,
      event: 'response',
      ...(status && { status }),
    } as const;
    if (action === 'create') return { kind: action, type, request, as, localizationOf, data } as const;
    const terms = { isDryRun, condition: ifMatch === undefined ? undefined : matchOf(ifMatch) };
    const check = checks.one({ type, terms, query: {}, caller: context.caller, response }, String(id), request);
    return action === 'update'
      ? ({ kind: action, type, request, id, data, check } as const)
      : ({ kind: action, type, request, id, check } as const);
  };
  return async (client, request, response) => {
    const caller = through(client, 'batch');
    const context = createRequestContext(caller, response);
    const query = queryOf(request);
    const { dryRun: _dryRun, ...others } = query;
    const [parameter] = Object.keys(others);
    if (parameter !== undefined) throw new AppError('invalidParameter', parameter);
    const terms = termsOf({ headers: request.headers, query }, refusedTerms.batch);
    const operations = parseBatch(request.body, types, batchLimit).map((written, index): Operation => {
      try {
        return operationOf(written, context, terms, response);
      } catch (error) {
        throw error instanceof AppError ? error.within(`operations[${index}]`, ['operations', String(index)]) : error;
      }
    });
    const presenters = operations.map(({ request: { presenter } }) => presenter);
    return answerWrite(options, keyableOf(request), caller, terms, async () =>
      writtenEntries(await documents.batch(operations), presenters),
    );
  };
}
