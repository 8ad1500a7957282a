import type { Response } from 'express';
import {
  createSourceEventStream,
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import { streamHeaders, writeAtPace } from '../../plugins/contract/http/response-body.js';
import type { Execute } from '../execute/execute.js';
import type { RefuseVariables } from '../http/count-variables.js';
import type { QueryDocuments } from '../http/query-documents.js';
import type { Format } from '../http/format-errors.js';
import { checkDepth, refuse, type GraphqlOperation } from '../http/operation.js';
import type { SubscriptionContext } from './changes.js';

interface SubscriptionOptions {
  readonly schema: GraphQLSchema;
  readonly documents: QueryDocuments;
  readonly execute: Execute;
  readonly refuseVariables: RefuseVariables;
}

/**
 * Opens a subscription; or says why there is none.
 * @param context a new one for each result, because its budget is that of one response
 */
export type OpenSubscription = (
  operation: GraphqlOperation,
  context: () => SubscriptionContext,
) => Promise<Opened | Refused>;

/** A comment that keeps the connection open, and the milliseconds between two. */
const [PING, PING_MS] = [':\n\n', 15_000] as const;

/**
 * Sends the results of a subscription, and resolves when it has ended. By the distinct connections mode of graphql-sse,
 * whose own server buffers results for clients that read slowly, without a limit; here the next result is awaited when
 * the last one was sent. Source: https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 */
export async function sendResults(opened: Opened | Refused, format: Format, response: Response): Promise<void> {
  const toBody = ({ errors = [], ...result }: ExecutionResult): object => ({
    ...(errors.length > 0 && { errors: errors.map((error) => format(error)) }),
    ...result,
  });
  if ('errors' in opened) {
    response.status(400).json(toBody(opened));
    return;
  }
  const write = (result: ExecutionResult): Promise<void> =>
    writeAtPace(response, `event: next\ndata: ${JSON.stringify(toBody(result))}\n\n`);
  response.writeHead(200, streamHeaders).write(PING);
  const pings = setInterval(() => response.writableLength === 0 && response.write(PING), PING_MS);
  try {
    for await (const event of opened.events) await write(await opened.next(event));
  } catch (error) {
    await write({ errors: [new GraphQLError('', { originalError: error as Error })] });
  } finally {
    clearInterval(pings);
  }
  response.end('event: complete\ndata:\n\n');
}

export const createOpenSubscription =
  ({ schema, documents, execute, refuseVariables }: SubscriptionOptions): OpenSubscription =>
  async (operation, context) => {
    try {
      checkDepth(operation);
      const document = documents.parse(operation.query);
      const errors = documents.validate(document);
      if (errors.length > 0) return { errors };
      const refusal = refuseVariables([{ document, operation }]);
      if (refusal !== undefined) return { errors: [refusal] };
      const { operationName, variables } = operation;
      const node = getOperationAST(document, operationName);
      if (node?.operation !== OperationTypeNode.SUBSCRIPTION) {
        return { errors: [refuse('Only a subscription is sent as text/event-stream', 'BAD_USER_INPUT')] };
      }
      const variableValues = variables as Readonly<Record<string, unknown>> | undefined;
      const events = await createSourceEventStream({
        schema,
        document,
        operationName,
        variableValues,
        contextValue: context(),
      });
      if ('errors' in events) return { errors: events.errors ?? [] };
      const next = (rootValue: unknown): Promise<ExecutionResult> =>
        execute({ document, operation: node, variableValues, rootValue, contextValue: context() });
      return { events: events as AsyncIterable<unknown>, next };
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [error] };
      throw error;
    }
  };

interface Opened {
  readonly events: AsyncIterable<unknown>;
  readonly next: (event: unknown) => Promise<ExecutionResult>;
}

interface Refused {
  readonly errors: readonly GraphQLError[];
}
