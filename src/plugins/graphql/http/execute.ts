import { execute as graphqlExecute, type ExecutionArgs, type ExecutionResult, type GraphQLError } from 'graphql';
import { createHandler, type Response } from 'graphql-http';
import type { Limits } from '../settings.js';
import { beyondLimits } from './limits.js';
import type { Asked, Context, LookAt, Ready } from './look-at.js';
import { refuse } from './operation.js';
import { withCode } from './prepare.js';
import { startTracing, type Tracing } from './tracing.js';

interface Work {
  readonly asked: Asked;
  readonly ready: Ready;
  /** Of the answer; graphql-http has its own for what is refused, Strapi v4 others. */
  status: number;
  /** Undefined: answers do not tell. */
  readonly tracing: (() => Tracing) | undefined;
}

export interface ExecuteOptions {
  readonly lookAt: LookAt;
  readonly limits: Limits;
  /** Answers tell how long they took. */
  readonly tracing: boolean;
  /** In place of graphql-js. */
  readonly execute?: (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>;
}

/** Answers what is asked, as Strapi v4 does: a batch as a list with status 200, whatever became of its operations. */
export type Execute = (asked: Asked) => Promise<Response>;

export function createExecute({ lookAt, limits, tracing, execute = graphqlExecute }: ExecuteOptions): Execute {
  const handler = createHandler<unknown, Work, Context>({
    execute,
    // The handler asks for a query; the operation has been read by then.
    parseRequestParams: () => ({ query: '' }),
    onSubscribe: ({ context: { asked, ready } }) => ('errors' in ready ? ready.errors.map(asked.format) : ready.args),
    onOperation: ({ context }, _args, result) => {
      const { errors = [], ...answer } = result;
      if ('data' in answer) {
        const shown = errors.length === 0 ? {} : { errors: errors.map(context.asked.format) };
        const extensions = context.tracing === undefined ? {} : { extensions: { tracing: context.tracing() } };
        return { ...shown, ...answer, ...extensions };
      }
      // Without data nothing was executed: the variables did not fit.
      context.status = 400;
      return { errors: errors.map((error) => context.asked.format(withCode(error, 'BAD_USER_INPUT'))) };
    },
  });
  const answer = async (asked: Asked, ready: Ready, timing?: () => Tracing): Promise<Response> => {
    const { method, accept } = asked;
    const work: Work = { asked, ready, status: 'errors' in ready ? ready.status : 200, tracing: timing };
    const headers = accept === undefined ? {} : { accept };
    const [body, init] = await handler({ method, url: '/', headers, body: null, raw: undefined, context: work });
    if (init.status === 406) return [body, init];
    const allow = work.status === 405 ? { allow: 'POST' } : {};
    return [body, { status: work.status, statusText: '', headers: { ...init.headers, ...allow } }];
  };
  return async (asked) => {
    const { operations } = asked;
    const validated = tracing ? startTracing() : undefined;
    if (!Array.isArray(operations)) return answer(asked, await lookAt(asked, operations), validated?.());
    const refused = (error: GraphQLError): Promise<Response> => answer(asked, { errors: [error], status: 400 });
    if (operations.length > limits.batch) {
      return refused(refuse(`At most ${limits.batch} operations in one request (batchLimit)`));
    }
    const ready = await Promise.all(operations.map((given) => lookAt(asked, given)));
    const measures = ready.flatMap((one) => ('prepared' in one ? [one.prepared.measures] : []));
    const beyond = beyondLimits(measures, limits);
    if (beyond !== undefined) return refused(beyond);
    const answers = await Promise.all(ready.map((one) => answer(asked, one, validated?.())));
    const [, init] = answers[0] ?? [null, { status: 200, statusText: '' }];
    return [`[${answers.map(([body]) => body).join(',')}]`, { ...init, status: 200 }];
  };
}
