import type { Response } from 'express';
import {
  createSourceEventStream,
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  type ExecutionResult,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from 'graphql';
import { streamHeaders, writeAtPace } from '../../documents/response/response-body.js';
import type { Execute } from '../execute/execute.js';
import type { Documents } from '../http/documents.js';
import { checkDepth, refuse, type Operation } from '../http/operation.js';
import type { SubscriptionContext } from './changes.js';

/** A subscription, and where its results go. */
export interface StreamRequest {
  readonly operation: Operation;
  /**
   * Opens the subscription within the limit on concurrent requests, and in the context of project code. The context is a new one for each
   * result, because its budget is that of one response.
   * @throws AppError overloaded
   */
  readonly opening: (
    open: (context: () => SubscriptionContext) => Promise<Opened | Refused>,
  ) => Promise<Opened | Refused>;
  readonly format: (error: GraphQLError) => GraphQLFormattedError;
  readonly response: Response;
}

export interface StreamOptions {
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  readonly execute: Execute;
}

/** Executes a subscription and sends its results. Resolves when it has ended. */
export type StreamResults = (request: StreamRequest) => Promise<void>;

/** A comment that keeps the connection open, and the milliseconds between two. */
const [PING, PING_MS] = [':\n\n', 15_000] as const;

/**
 * Subscriptions by the distinct connections mode of graphql-sse. Its own server buffers results for clients that read slowly, without a limit;
 * here the next result is awaited when the last one was sent.
 * Source: https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 */
export const createStreamResults =
  (options: StreamOptions): StreamResults =>
  async (request) => {
    const { format, response } = request;
    const opened = await request.opening((context) => open(options, request.operation, context));
    const toBody = ({ errors = [], ...result }: ExecutionResult): object => ({
      ...(errors.length > 0 && { errors: errors.map((error) => format(error)) }),
      ...result,
    });
    if ('errors' in opened) response.status(400).json(toBody(opened));
    else await send(opened, request, toBody);
  };

/** Sends the result of each event at the client's pace. */
async function send(
  { events, next }: Opened,
  { response }: StreamRequest,
  toBody: (result: ExecutionResult) => object,
): Promise<void> {
  const write = (result: ExecutionResult): Promise<void> =>
    writeAtPace(response, `event: next\ndata: ${JSON.stringify(toBody(result))}\n\n`);
  response.writeHead(200, streamHeaders).write(PING);
  const pings = setInterval(() => response.writableLength === 0 && response.write(PING), PING_MS);
  try {
    for await (const event of events) await write(await next(event));
  } catch (error) {
    await write({ errors: [new GraphQLError('', { originalError: error as Error })] });
  } finally {
    clearInterval(pings);
  }
  response.end('event: complete\ndata:\n\n');
}

/** The events of a subscription; or why there are none. */
async function open(
  { schema, documents, execute }: StreamOptions,
  operation: Operation,
  context: () => SubscriptionContext,
): Promise<Opened | Refused> {
  try {
    checkDepth(operation);
    const document = documents.parse(operation.query);
    const errors = documents.validate(document);
    if (errors.length > 0) return { errors };
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
}

interface Opened {
  readonly events: AsyncIterable<unknown>;
  readonly next: (event: unknown) => Promise<ExecutionResult>;
}

interface Refused {
  readonly errors: readonly GraphQLError[];
}
