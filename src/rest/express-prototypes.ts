import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import type { Express } from 'express';

/** The classes of an HTTP server's requests and responses. */
export type Messages = Required<Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>>;

/**
 * Requests and responses with the application's prototypes. Express changes the prototype of each one, unless it is the right
 * one already; after that V8 makes a hidden class of its own for every property that is set: 9 kB of a request that only a
 * full collection frees, and no property that is found fast.
 * @param isClosing responses whose headers are not sent yet then close their connections
 */
export function expressPrototypes(app: Express, isClosing: () => boolean = () => false): Messages {
  class ServiceRequest extends IncomingMessage {}
  class ServiceResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(...head: unknown[]): this {
      if (isClosing() && !this.headersSent) this.setHeader('Connection', 'close');
      return Reflect.apply(super.writeHead, this, head) as this;
    }
  }
  Object.setPrototypeOf(ServiceRequest.prototype, app.request);
  Object.setPrototypeOf(ServiceResponse.prototype, app.response);
  Object.assign(app, { request: ServiceRequest.prototype, response: ServiceResponse.prototype });
  return { IncomingMessage: ServiceRequest, ServerResponse: ServiceResponse };
}
