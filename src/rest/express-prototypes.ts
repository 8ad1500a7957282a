import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import type { Express } from 'express';

/** The classes of an HTTP server's requests and responses. */
export type Messages = Required<Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>>;

interface ResponseHooks {
  /** Responses whose headers are not sent yet then close their connections. */
  readonly isClosing?: () => boolean;
  /** Called once for each response that its client reads more slowly than it is written. */
  readonly onBacklog?: (response: ServerResponse) => void;
}

const BACKLOG = Symbol('backlog');

/**
 * Requests and responses with the application's prototypes. Express changes the prototype of each one, unless it is the
 * right one already; after that V8 creates a separate hidden class for every property: 9 kB per request that only a
 * full collection frees, and slow property access.
 */
export function expressPrototypes(app: Express, { isClosing, onBacklog }: ResponseHooks = {}): Messages {
  class ServiceRequest extends IncomingMessage {}
  class ServiceResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    declare [BACKLOG]?: true;

    override writeHead(...args: unknown[]): this {
      if (isClosing?.() === true && !this.headersSent) this.setHeader('Connection', 'close');
      return Reflect.apply(super.writeHead, this, args) as this;
    }

    override write(...chunk: unknown[]): boolean {
      const taken = Reflect.apply(super.write, this, chunk) as boolean;
      if (!taken) noteBacklog(this);
      return taken;
    }

    override end(...chunk: unknown[]): this {
      Reflect.apply(super.end, this, chunk);
      if (this.writableLength > 0) noteBacklog(this);
      return this;
    }
  }
  const noteBacklog = (response: ServerResponse & { [BACKLOG]?: true }): void => {
    if (response[BACKLOG] === true) return;
    response[BACKLOG] = true;
    onBacklog?.(response);
  };
  Object.setPrototypeOf(ServiceRequest.prototype, app.request);
  Object.setPrototypeOf(ServiceResponse.prototype, app.response);
  Object.assign(app, { request: ServiceRequest.prototype, response: ServiceResponse.prototype });
  return { IncomingMessage: ServiceRequest, ServerResponse: ServiceResponse };
}
