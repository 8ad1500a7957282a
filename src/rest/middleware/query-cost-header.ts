import type { RequestHandler } from 'express';
import { isLocalRequest } from '../../documents/is-local-request.js';
import type { Meter } from '../../mongo/observe/query-cost.js';

/** Tells this machine in the header `X-Query-Cost` what an answer cost the database: commands, documents, bytes. */
export const sendQueryCost =
  (meter: Meter): RequestHandler =>
  (request, response, next) => {
    if (!isLocalRequest(request)) return next();
    return meter((cost) => {
      const { writeHead } = response;
      const told = (...head: unknown[]): unknown => {
        response.setHeader('X-Query-Cost', [cost.commands, cost.documents, cost.bytes].join(';'));
        return Reflect.apply(writeHead, response, head);
      };
      Object.assign(response, { writeHead: told });
      next();
    });
  };
