import type { RequestHandler } from 'express';

/** `/_health` as Strapi v4 answers it: the process is alive. */
export const health: RequestHandler = (_request, response) => {
  response.setHeader('strapi', 'You are so French!');
  response.status(204).end();
};

/** `/_ready`: 204 when requests may come, 503 while the service stops or has no database. */
export const readiness =
  (isReady: () => Promise<boolean>): RequestHandler =>
  async (_request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    response.status((await isReady()) ? 204 : 503).end();
  };
