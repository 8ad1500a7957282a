import type { Response } from 'express';
import type { ResponseBody } from '../../documents/response/response-cache.js';

/** Bodies as JSON, as long as they are allowed to be, sent as fast as their clients take them. */
export interface Responses {
  /** The most bytes of a body. */
  readonly limit: number;
  /** Done when it is sent, or the connection ended. */
  readonly send: (
    response: Response,
    body: ResponseBody,
    status: number,
    headers: Readonly<Record<string, string>>,
  ) => Promise<void>;
}
