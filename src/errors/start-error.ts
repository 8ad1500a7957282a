/** A reason not to start, shown to the operator without a stack; the process exits with 1. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Notes what stops a start. @throws any other error, and also this one if nobody collects them */
export function noteFailure(error: unknown, failures: string[] | undefined): undefined {
  if (failures === undefined || !(error instanceof StartError)) throw error;
  failures.push(error.message);
}
