import type { ExecutionArgs } from 'graphql';
import { isRecord } from '../../config/record.js';
import type { Documents as DocumentsService } from '../../documents/documents.js';
import type { ReadResponse } from '../../documents/response/response-cache.js';
import type { ResponseBudget } from '../../documents/response/response-size.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';
import { graphqlPresenter } from '../../plugins/contract/graphql/presenter.js';
import type { PlannedQuery } from '../execute/compiled/execute.js';
import type { Documents } from './documents.js';
import { executionSettings, type GraphqlResponse, type HandleOptions } from './handle.js';
import type { Operation } from './operation.js';

export interface AnswerPlannedOptions extends Pick<HandleOptions, 'schema' | 'introspection'> {
  readonly documents: Documents;
  readonly plan: (args: ExecutionArgs) => PlannedQuery | undefined;
  /** The response cache; default: every query is read. */
  readonly cached?: DocumentsService['respondTogether'];
}

/** An operation, and what its response has to keep to. */
interface Planned {
  readonly operation: Operation;
  readonly context: GraphqlContext;
  /** The bytes of all responses to operations of the request. */
  readonly written: ResponseBudget;
  /** The content type of the response. */
  readonly type: string;
  /** The response to a part of a batch becomes a part of another. */
  readonly isPart: boolean;
}

/** The response; or what is prepared of it for graphql-js, which reports why there is none. */
type Answer = { readonly response: GraphqlResponse } | Pick<GraphqlContext, 'prepared'>;

/**
 * Answers queries that a plan can execute, out of the response cache if possible. Their document was validated before, so that
 * nothing is left to check of the operation but its form.
 */
export function createAnswerPlanned({ schema, introspection, documents, plan, cached }: AnswerPlannedOptions) {
  const settings = executionSettings({ introspection });
  return async ({ operation, context, written, type, isPart }: Planned): Promise<Answer> => {
    const { query, operationName, variables, extensions } = operation;
    const document = documents.valid(query);
    if (document === undefined || !isAbsentOrRecord(variables) || !isAbsentOrRecord(extensions)) return {};
    const planned = plan({
      ...settings,
      schema,
      document,
      operationName,
      variableValues: variables,
      contextValue: context,
    });
    if (planned === undefined) return {};
    const read = async (): Promise<ReadResponse> => {
      const { data, ids } = await planned.read();
      // Its values were counted while it was assembled, so it is not far above the limit.
      const body = JSON.stringify({ data });
      written.spend(Buffer.byteLength(body));
      return { body, ids };
    };
    try {
      const reads = await planned.prepare();
      const text = JSON.stringify([query, operationName, variables]);
      const responded =
        reads === undefined || isPart || cached === undefined
          ? { body: (await read()).body }
          : await cached(reads, context, { name: 'graphql', text, presenter: graphqlPresenter, make: read });
      return { response: { ...responded, status: 200, headers: { 'content-type': type } } };
    } catch {
      return { prepared: planned.prepared };
    }
  };
}

const isAbsentOrRecord = (value: unknown): value is Readonly<Record<string, unknown>> | null | undefined =>
  value === undefined || value === null || isRecord(value);
