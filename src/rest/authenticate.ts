import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../documents/caller.js';
import type { Door } from '../query/receipt.js';

/** The caller of a request. @param door how it came in, if not by REST. @throws AppError unauthorized */
export type Authenticate = (request: IncomingMessage, response: ServerResponse, door?: Door) => Promise<Caller>;
