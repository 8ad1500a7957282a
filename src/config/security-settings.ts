import type { IncomingMessage, ServerResponse } from 'node:http';

/** A header of every response; a function of a project decides by the request. */
export type SecurityHeader =
  | readonly [name: string, value: string]
  | ((request: IncomingMessage, response: ServerResponse) => readonly [name: string, value: string]);
