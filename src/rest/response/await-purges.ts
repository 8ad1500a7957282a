import type { Request, RequestHandler, Response } from 'express';
import type { AwaitedPurges } from '../../mongo/events/awaited-purges.js';
import { isRead } from '../read-requests.js';

/** `Prefer: wait=5`, in seconds. */
const waiting = /(?:^|[,;])\s*wait\s*=\s*(\d{1,4})\s*(?:$|[,;])/i;
/** Seconds that a write waits at most. */
const MAX_WAIT = 10;

/** How long a request prefers to wait; undefined: it does not, or it reads. */
const preferredWait = (request: Request): string | undefined =>
  isRead(request) ? undefined : waiting.exec(request.get('Prefer') ?? '')?.[1];

/** Notes the purges of requests that prefer to wait for them. */
export const notePurges =
  (awaited: AwaitedPurges): RequestHandler =>
  (request, response, next) =>
    preferredWait(request) === undefined ? next() : awaited.run(response, next);

/**
 * Waits until caches have purged what a write has changed, if its request prefers that; then the header
 * `Preference-Applied` says so. Requests that have stored no purge do not wait.
 */
export type AwaitPurges = (response: Response) => Promise<void>;

/** @param release gives the place of a request in the queue back: who waits takes none */
export const createAwaitPurges =
  (awaited: AwaitedPurges, release: (response: Response) => void): AwaitPurges =>
  async (response) => {
    const preferred = preferredWait(response.req);
    const purges = awaited.noted();
    if (preferred === undefined || purges.length === 0) return;
    release(response);
    const seconds = Math.min(Number(preferred), MAX_WAIT);
    if (await awaited.done(purges, seconds * 1000, response))
      response.setHeader('Preference-Applied', `wait=${preferred}`);
  };
