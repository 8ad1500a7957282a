import { timingSafeEqual, createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { isLocalRequest } from '../../documents/is-local-request.js';
import { AppError } from '../../errors/app-error.js';

/** Measurements as text, in the format of Prometheus. */
export interface Exposed {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** `/metrics`: for this machine, or for who has the token when there is one. Others learn nothing of it. */
export const metricsRoute =
  (exposed: Exposed, token: string | undefined): RequestHandler =>
  async (request, response) => {
    if (!(token === undefined ? isLocalRequest(request) : knows(request, token))) throw new AppError('notFound');
    response.setHeader('Content-Type', exposed.contentType);
    response.end(await exposed.metrics());
  };

/** In a time that tells nothing of the token. */
const knows = ({ headers }: Request, token: string): boolean =>
  timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
