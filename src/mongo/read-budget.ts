import { AppError } from '../errors/app-error.js';

/** What is read for one answer, by all of its reads together. */
export interface BytesRead {
  /** Bytes so far, as the database sends them. */
  bytes: number;
}

/** @throws AppError tooCostly when more bytes were read than an answer can need */
export type CountBytes = (bytes: number) => void;

/** As many bytes of entries as one byte of an answer may need: what they hold is not all shown. */
const READ_PER_BYTE = 4;
/** Bytes that may be read for any answer, however short it must be. */
const MIN_BYTES = 2 ** 20;

export const responseTooLong = (limit: number): AppError =>
  new AppError('tooCostly', 'bytes in one response (RESPONSE_LIMIT)', limit);

/** Whether more was read than a response of this size can need. */
export const exceedsResponse = ({ bytes }: BytesRead, limit: number): boolean =>
  bytes > Math.max(READ_PER_BYTE * limit, MIN_BYTES);

/**
 * Counts what is read for an answer, and refuses the answer before it is made.
 * @param limit bytes of the answer
 */
export const countBytes =
  (count: BytesRead, limit: number): CountBytes =>
  (bytes) => {
    count.bytes += bytes;
    if (exceedsResponse(count, limit)) throw responseTooLong(limit);
  };
