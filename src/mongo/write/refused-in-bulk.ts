import { MongoBulkWriteError, type WriteError } from 'mongodb';

/** What a bulk that failed says of its writes. */
export interface BulkFailure {
  /** The writes that were refused, by their place in the bulk. */
  readonly refused: ReadonlyMap<number, WriteError>;
  /** All others were done, as safely as it was asked; else nobody knows. */
  readonly confirmed: boolean;
}

/**
 * Reads what a bulk of unordered writes failed with. Beside refused writes there may be a write concern error, or a lost
 * connection: then the others are not acknowledged, and may be rolled back.
 * @throws the error, when it tells of no refused write
 */
export function refusedInBulk(error: unknown): BulkFailure {
  if (!(error instanceof MongoBulkWriteError)) throw error;
  const refused = [...[error.writeErrors].flat(), ...error.result.getWriteErrors()];
  if (refused.length === 0) throw error;
  const confirmed = error.result.getWriteConcernError() === undefined && !(error.errorResponse instanceof Error);
  return { refused: new Map(refused.map((one) => [one.index, one])), confirmed };
}
