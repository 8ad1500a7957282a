import type { IncomingMessage, ServerResponse } from 'node:http';

/** The origins whose pages can read responses: all, whose pages cannot send cookies, or those of a list. */
export type Origins = 'any' | readonly string[];

/** What pages of other origins can do. */
export interface CorsSettings {
  /** A function of a project decides by the request. */
  readonly origins: Origins | ((request: IncomingMessage, response: ServerResponse) => Promise<Origins>);
  /** Whether pages of listed origins can send cookies. Default: true. */
  readonly credentials?: boolean;
  /** The methods of requests. Default: all that the service has. */
  readonly methods?: readonly string[];
  /** The headers of requests. Default: those for which the preflight request asks. */
  readonly headers?: readonly string[];
  /** The headers of responses that scripts can read, besides those of the service. */
  readonly exposed?: readonly string[];
  /** The seconds for which browsers remember the response to a preflight request. */
  readonly maxAge?: number;
}
