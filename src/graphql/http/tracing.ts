import type { ExecutionArgs, ExecutionResult } from 'graphql';

/** The durations of an operation, in the format of Apollo's tracing extension; times are in nanoseconds. */
export interface Tracing {
  readonly version: 1;
  readonly startTime: string;
  readonly endTime: string;
  readonly duration: number;
  readonly parsing: Span;
  /** Includes parsing: documents are cached with the result of both. */
  readonly validation: Span;
  /** A query is one read of the database, so its fields have no times of their own. */
  readonly execution: { readonly resolvers: readonly never[] };
}

interface Span {
  readonly startOffset: number;
  readonly duration: number;
}

/** Marks the end of validation; the returned function creates the extension. */
export type NoteValidation = () => () => Tracing;

/** Starts measuring. */
export function startTracing(): NoteValidation {
  const began = performance.now();
  const startTime = new Date().toISOString();
  const sinceBegin = (): number => Math.round((performance.now() - began) * 1e6);
  return () => {
    const validated = sinceBegin();
    return () => ({
      version: 1,
      startTime,
      endTime: new Date().toISOString(),
      duration: sinceBegin(),
      parsing: { startOffset: 0, duration: 0 },
      validation: { startOffset: 0, duration: validated },
      execution: { resolvers: [] },
    });
  };
}

/** Adds the extension to operations whose context has `noteValidation`. */
export const traceExecution =
  (execute: (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>) =>
  (args: ExecutionArgs): ExecutionResult | Promise<ExecutionResult> => {
    const { noteValidation } = args.contextValue as { readonly noteValidation?: NoteValidation };
    return noteValidation === undefined ? execute(args) : trace(noteValidation(), execute(args));
  };

async function trace(
  tracing: () => Tracing,
  executing: ExecutionResult | Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  const result = await executing;
  return { ...result, extensions: { ...result.extensions, tracing: tracing() } };
}
