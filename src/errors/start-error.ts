/** A reason not to start, shown to the operator without a stack; the process exits with 1. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
