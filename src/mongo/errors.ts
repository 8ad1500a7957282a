import {
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
  type WriteError,
} from 'mongodb';
import { AppError, hasCode } from '../errors/app-error.js';

export const DUPLICATE_KEY = 11000;
/** The reply does not fit into a document: BSONObjectTooLarge, $group, BufBuilder. */
const TOO_LARGE = new Set([10334, 17419, 17420, 13548, 4031700]);
/** A stage takes more than 100 MB: $lookup, and ExceededMemoryLimit of $push. */
const STEP_TOO_LARGE = new Set([4568, 146]);
/**
 * The server, or a shard behind a router, cannot do it at the moment: after which errors drivers send a read once more
 * (specification of retryable reads), FailedToSatisfyReadPreference and NetworkInterfaceExceededTimeLimit of routers,
 * QueryPlanKilled by a dropped index, IngressRequestRateLimitExceeded.
 */
const NOT_NOW = new Set([6, 7, 89, 91, 133, 134, 175, 189, 202, 462, 9001, 10_107, 11_600, 11_602, 13_435, 13_436]);
/** MaxTimeMSExpired; ExceededTimeLimit of a lock; Interrupted: the command was killed. */
const OUT_OF_TIME = new Set([50, 262, 11_601]);
/** Socket errors that the driver passes on unchanged. */
const CUT_OFF = new Set<unknown>(['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'ERR_STREAM_DESTROYED']);

/** The unique index that refused a write, and the value. */
export interface Duplicate {
  readonly path: string;
  readonly value: unknown;
}

/** A unique index is violated by a write, or by existing data when it is created. */
export const isDuplicate = (error: unknown): error is MongoServerError =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/** The unique index that refused a write; undefined for any other error. */
export function duplicateOf(error: unknown): Duplicate | undefined {
  if (!isDuplicate(error)) return undefined;
  const entry = Object.entries((error['keyValue'] ?? {}) as Record<string, unknown>).find(
    ([path]) => path !== 'locale',
  );
  return entry && { path: entry[0], value: entry[1] };
}

/** The error for a read whose reply or stage is too large; undefined for any other error. */
export function tooLarge(error: unknown): AppError | undefined {
  if (!(error instanceof MongoServerError)) return undefined;
  if (TOO_LARGE.has(Number(error.code))) return new AppError('answerTooLarge');
  return STEP_TOO_LARGE.has(Number(error.code)) ? new AppError('stepTooLarge') : undefined;
}

/** Translates a driver's error: the database is unavailable, or takes too long. Other errors are unchanged. */
export function translateError(thrown: unknown): unknown {
  const error = isInBulk(thrown) ? thrown.errorResponse : thrown;
  if (!(error instanceof MongoError)) return isCutOff(error) ? new AppError('unavailable') : thrown;
  const away =
    error instanceof MongoNetworkError ||
    error instanceof MongoServerSelectionError ||
    error instanceof MongoNotConnectedError ||
    error instanceof MongoServerClosedError ||
    error instanceof MongoTopologyClosedError ||
    (error instanceof MongoServerError && NOT_NOW.has(Number(error.code)));
  if (away) return new AppError('unavailable');
  return error instanceof MongoServerError && OUT_OF_TIME.has(Number(error.code)) ? new AppError('outOfTime') : thrown;
}

/**
 * Sends a command, and once more if the connection is lost: as the driver does with its own.
 * @throws the driver's error
 */
export const againIfLost = <T>(send: () => Promise<T>): Promise<T> =>
  send().catch((error: unknown) => {
    const isLost = hasCode(translateError(error), 'unavailable') && !(error instanceof MongoServerSelectionError);
    if (!isLost) throw error;
    return send();
  });

/** For bulk writes the driver reports a refusal by the server, even if the connection was lost. */
const isInBulk = (error: unknown): error is MongoBulkWriteError & { readonly errorResponse: Error } =>
  error instanceof MongoBulkWriteError && error.errorResponse instanceof Error;

const isCutOff = (error: unknown): boolean => error instanceof Error && 'code' in error && CUT_OFF.has(error.code);

/** Whether an error is of the driver or its connection, also where code of a project passes it on. */
export const isOfDatabase = (error: unknown): boolean => error instanceof MongoError || isCutOff(error);

/** Whether the database refused the command. After any other error it is unknown whether a write was applied. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof MongoServerError && !isUnconfirmed(error) && translateError(error) === error;

/**
 * Applied, but the write concern is not met yet; in bulk, any error that is not a server response and names no write.
 */
const isUnconfirmed = (error: MongoServerError): boolean =>
  error instanceof MongoWriteConcernError ||
  (error instanceof MongoBulkWriteError && !('ok' in error.errorResponse) && [error.writeErrors].flat().length === 0);

/** Runs work on the database and translates its errors. @throws AppError unavailable, outOfTime */
export async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translateError(error);
  }
}

/**
 * Does what follows a write that is stored: if the database refuses that, it has not refused the write.
 * @throws AppError unavailable; other errors
 */
export async function followingWrite<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isRefusal(error) ? Object.assign(new AppError('unavailable'), { cause: error }) : error;
  }
}

interface BulkFailure {
  /** The refused writes, by their index in the bulk. */
  readonly refused: ReadonlyMap<number, WriteError>;
  /**
   * All others that were executed were acknowledged as the write concern demands; otherwise their outcome is unknown.
   */
  readonly confirmed: boolean;
}

/**
 * Reads the error of a bulk of writes; ordered ones are not executed after the first that is refused. Beside refused
 * writes there may be a write concern error, or a lost connection: then the others are not acknowledged, and may be
 * rolled back.
 * @throws the error, if it names no refused write
 */
export function refusedInBulk(error: unknown): BulkFailure {
  if (!(error instanceof MongoBulkWriteError)) throw error;
  const refused = [...[error.writeErrors].flat(), ...error.result.getWriteErrors()];
  if (refused.length === 0) throw error;
  const confirmed = error.result.getWriteConcernError() === undefined && !(error.errorResponse instanceof Error);
  return { refused: new Map(refused.map((refusal) => [refusal.index, refusal])), confirmed };
}
