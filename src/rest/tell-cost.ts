import type { RequestHandler } from 'express';
import type { Meter } from '../mongo/meter.js';

/** Tells in the header `X-Query-Cost` what an answer cost the database: commands, documents, bytes. */
export const tellCost =
  (meter: Meter): RequestHandler =>
  (_request, response, next) =>
    meter((cost) => {
      const { writeHead } = response;
      const told = (...head: unknown[]): unknown => {
        response.setHeader('X-Query-Cost', [cost.commands, cost.documents, cost.bytes].join(';'));
        return Reflect.apply(writeHead, response, head);
      };
      Object.assign(response, { writeHead: told });
      next();
    });
