import type { RequestHandler } from 'express';

/** `/_health` as Strapi v4 answers it: the process is alive. */
export const health: RequestHandler = (_request, response) => {
  response.setHeader('strapi', 'You are so French!');
  response.status(204).end();
};

/** What `/_ready` reports. */
export interface Readiness {
  readonly isReady: () => Promise<boolean>;
  /** The names of the dependencies that do not answer, without which part of the API still works. */
  readonly findDegraded: () => Promise<readonly string[]>;
}

/**
 * `/_ready`: 204 if the service can serve requests, 503 while it stops or has no database. If only a dependency is missing, 200 with
 * its name: the other parts of the API work, so a load balancer must not remove the service.
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
