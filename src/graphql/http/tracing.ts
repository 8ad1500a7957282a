/** Marks the end of validation; the returned function creates the extension. */
export type NoteValidation = ReturnType<typeof startTracing>;

/** Starts measuring the durations of an operation, in the format of Apollo's tracing extension: in nanoseconds. */
export function startTracing() {
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
      // With parsing: documents are cached with the result of both.
      validation: { startOffset: 0, duration: validated },
      // A query is one read of the database, so its fields have no times of their own.
      execution: { resolvers: [] },
    });
  };
}
