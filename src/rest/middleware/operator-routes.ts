import { timingSafeEqual, createHash } from 'node:crypto';
import type { RequestHandler, Request } from 'express';
import { isLocalRequest } from '../../plugins/contract/http/local-request.js';
import { AppError } from '../../errors/app-error.js';

/** `/_health` as in Strapi v4: the process is alive. */
export const health: RequestHandler = (_request, response) => {
  response.setHeader('strapi', 'You are so French!');
  response.status(204).end();
};

/** The response of `/_ready`. */
export interface Readiness {
  readonly isReady: () => Promise<boolean>;
  /** The names of the dependencies that do not respond, without which part of the API still works. */
  readonly findDegraded: () => Promise<readonly string[]>;
}

/**
 * `/_ready`: 204 if the service can serve requests, 503 while it stops or has no database. If only a dependency is
 * missing, 200 with its name: the other parts of the API work, so a load balancer must not remove the service.
 */
export const readiness =
  ({ isReady, findDegraded }: Readiness): RequestHandler =>
  async (_request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    if (!(await isReady())) {
      response.status(503).end();
      return;
    }
    const degraded = await findDegraded();
    if (degraded.length === 0) response.status(204).end();
    else response.status(200).json({ status: 'degraded', degraded });
  };

/** The metrics in the text format of Prometheus. */
export interface Exposed {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** `/metrics`: for this machine, or for clients with the token if there is one. Others get 404. */
export const metricsRoute =
  (exposed: Exposed, token: string | undefined): RequestHandler =>
  async (request, response) => {
    if (!(token === undefined ? isLocalRequest(request) : knows(request, token))) throw new AppError('notFound');
    response.setHeader('Content-Type', exposed.contentType);
    response.end(await exposed.metrics());
  };

/** Constant-time comparison. */
const knows = ({ headers }: Request, token: string): boolean =>
  timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
