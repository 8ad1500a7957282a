import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../documents/caller.js';

/** The caller of a request. @throws AppError unauthorized */
export type Authenticate = (request: IncomingMessage, response: ServerResponse) => Promise<Caller>;
