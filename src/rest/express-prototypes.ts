import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import type { Express } from 'express';

/** What an HTTP server makes of what comes and of what goes. */
export type Messages = Required<Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>>;

/**
 * Requests and answers that are the application's from their beginning. Express gives each one its prototype when it
 * comes, unless it has it already; after that V8 makes a hidden class of its own for every property that is set: 9 kB
 * of a request that only a full collection frees, and no property that is found fast.
 */
export function expressPrototypes(app: Express): Messages {
  class ServiceRequest extends IncomingMessage {}
  class ServiceResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(ServiceRequest.prototype, app.request);
  Object.setPrototypeOf(ServiceResponse.prototype, app.response);
  Object.assign(app, { request: ServiceRequest.prototype, response: ServiceResponse.prototype });
  return { IncomingMessage: ServiceRequest, ServerResponse: ServiceResponse };
}
