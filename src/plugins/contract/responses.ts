import type { Response } from 'express';
import type { ResponseBody, SerializedResponse } from '../../documents/response/response-cache.js';

/** Sends bodies as JSON within the size limit, at the client's pace. */
export interface Responses {
  /** The maximum size of a body in bytes. */
  readonly limit: number;
  /** Resolves when it is sent, or the connection ended. */
  readonly send: (
    response: Response,
    body: ResponseBody,
    status: number,
    headers: Readonly<Record<string, string>>,
  ) => Promise<void>;
  /** Sends a body with an ETag if it is the response to a read; 304 to clients that have it. */
  readonly sendTagged: (
    response: Response,
    serialized: SerializedResponse,
    status: number,
    headers: Readonly<Record<string, string>>,
  ) => Promise<void>;
}
