import { AppError } from '../../errors/app-error.js';

/** The bytes read for one response, by all of its reads together. */
export interface BytesRead {
  /** Bytes read so far, in the format of the database. */
  bytes: number;
}

/** @throws AppError tooCostly if more bytes were read than a response can need */
export type CountBytes = (bytes: number) => void;

/** Bytes of entries per byte of a response, because not all stored values are returned. */
const READ_PER_BYTE = 4;
/** Bytes that can be read for any response, even with a low limit. */
const MIN_BYTES = 2 ** 20;

export const responseTooLong = (limit: number): AppError =>
  new AppError('tooCostly', 'bytes in one response (RESPONSE_LIMIT)', limit);

/** Whether more was read than a response of this size can need. */
export const exceedsResponse = ({ bytes }: BytesRead, limit: number): boolean =>
  bytes > Math.max(READ_PER_BYTE * limit, MIN_BYTES);

/**
 * Counts the bytes read for a response, and refuses the response before it is built.
 * @param limit maximum bytes of the response
 */
export const countBytes =
  (count: BytesRead, limit: number): CountBytes =>
  (bytes) => {
    count.bytes += bytes;
    if (exceedsResponse(count, limit)) throw responseTooLong(limit);
  };
