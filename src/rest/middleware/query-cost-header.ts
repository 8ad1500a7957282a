import type { RequestHandler } from 'express';
import { isLocalRequest } from '../../documents/is-local-request.js';
import type { QueryCosts } from '../../mongo/observe/query-cost.js';

/** Sends local clients what a response cost the database, in the header `X-Query-Cost`: commands, documents, bytes. */
export const sendQueryCost =
  (costs: QueryCosts): RequestHandler =>
  (request, response, next) => {
    if (!isLocalRequest(request)) return next();
    return costs.measure((cost) => {
      const { writeHead } = response;
      const writeHeadWithCost = (...args: unknown[]): unknown => {
        response.setHeader('X-Query-Cost', [cost.commands, cost.documents, cost.bytes].join(';'));
        return Reflect.apply(writeHead, response, args);
      };
      Object.assign(response, { writeHead: writeHeadWithCost });
      next();
    });
  };
