import { MongoBulkWriteError, type WriteError } from 'mongodb';

export interface BulkFailure {
  /** The refused writes, by their index in the bulk. */
  readonly refused: ReadonlyMap<number, WriteError>;
  /** All others that were executed were acknowledged as the write concern demands; otherwise their outcome is unknown. */
  readonly confirmed: boolean;
}

/**
 * Reads the error of a bulk of writes; ordered ones are not executed after the first that is refused. Beside refused writes there may be a write concern error, or a lost
 * connection: then the others are not acknowledged, and may be rolled back.
 * @throws the error, if it names no refused write
 */
export function refusedInBulk(error: unknown): BulkFailure {
  if (!(error instanceof MongoBulkWriteError)) throw error;
  const refused = [...[error.writeErrors].flat(), ...error.result.getWriteErrors()];
  if (refused.length === 0) throw error;
  const confirmed = error.result.getWriteConcernError() === undefined && !(error.errorResponse instanceof Error);
  return { refused: new Map(refused.map((refusal) => [refusal.index, refusal])), confirmed };
}
