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
