import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../errors/app-error.js';
import type { Request, RequestHandler, Response } from 'express';
import { isForm } from '../../plugins/contract/forms.js';
import type { Bodies } from '../../plugins/contract/http/receive-bodies.js';
import type { Route, RouteRequest } from '../../plugins/contract/plugin.js';
import { authorise } from '../../calls/authorise.js';
import type { Authenticate } from '../../plugins/contract/plugin-context.js';
import { noteArrived } from '../../calls/once.js';
import { isRead } from '../read-requests.js';
import { runMiddleware } from '../run-middleware.js';

interface AdmissionLimits {
  readonly concurrency: number;
  readonly queueLimit: number;
  readonly queueTimeoutMs: number;
}

/** Limits concurrent and queued requests, so that the database is not overloaded. */
export function createAdmission({ concurrency, queueLimit, queueTimeoutMs }: AdmissionLimits) {
  const queue = new Set<() => void>();
  const admitted = new WeakSet<IncomingMessage>();
  let running = 0;

  /** Returns whether the request got a slot; otherwise its client has disconnected. */
  const wait = (response: ServerResponse): Promise<boolean> =>
    new Promise((resolve) => {
      const end = (admitted: boolean): void => {
        queue.delete(admit);
        clearTimeout(timer);
        response.off('close', leave);
        resolve(admitted);
      };
      const admit = (): void => end(true);
      const leave = (): void => end(false);
      const timer = setTimeout(leave, queueTimeoutMs);
      response.once('close', leave);
      queue.add(admit);
    });

  const enter = async (response: ServerResponse): Promise<void> => {
    if (queue.size >= queueLimit || !(await wait(response))) throw new AppError('overloaded');
  };

  /** The next request takes over the slot, which is never free in between. */
  const leave = (): void => {
    const [next] = queue;
    if (next === undefined) running -= 1;
    else next();
  };

  const release = (response: ServerResponse): void => {
    if (admitted.delete(response.req)) leave();
  };

  return {
    /** Whether the queue is full: new requests are refused before any work. */
    get full() {
      return running >= concurrency && queue.size >= queueLimit;
    },
    get running() {
      return running;
    },
    get waiting() {
      return queue.size;
    },
    /**
     * Runs the task of a request when a slot is free; the task can run others of the same request in this slot. A
     * client that disconnects while queued leaves the queue.
     * @throws AppError overloaded if the queue is full, or the queue timeout is exceeded
     */
    run: async <T>(response: ServerResponse, work: () => Promise<T>): Promise<T> => {
      const { req: request } = response;
      if (admitted.has(request)) return work();
      if (running < concurrency) running += 1;
      else await enter(response);
      admitted.add(request);
      try {
        return await work();
      } finally {
        release(response);
      }
    },
    /** Gives the slot of a request back before the end of its task, which only waits from now on. */
    release,
  };
}

export type Admission = ReturnType<typeof createAdmission>;

/** The slots of all requests. */
export type Slots = Pick<Admission, 'run' | 'release'>;

/** Forms have slots of their own, so that slow ones do not block other requests. */
export function createSlots(admission: Admission, formAdmission: Admission): Slots {
  const admissionOf = ({ req: { method = '', headers } }: ServerResponse): Admission =>
    !isRead({ method }) && isForm(headers) ? formAdmission : admission;
  return {
    run: (response, work) => admissionOf(response).run(response, work),
    release: (response) => admissionOf(response).release(response),
  };
}

type Permitted = Pick<RouteRequest, 'caller' | 'forgive'>;

/** What a route requires of its requests. */
interface Requirements extends Pick<Route, 'before' | 'count'> {
  /** One action, or several of which the caller needs one; undefined: none is needed. */
  readonly action: Parameters<typeof authorise>[1];
}

/**
 * Runs a request's task when a slot is free. Its body is read once the caller may send it; the wait for it takes no
 * slot.
 * @throws AppError unauthorized, forbidden, tooManyRequests, overloaded, and errors of bodies
 */
export type Admit = (
  request: Request,
  response: Response,
  route: Requirements,
  work: (permitted: Permitted) => Promise<void>,
) => Promise<void>;

export interface AdmitOptions {
  readonly authenticate: Authenticate;
  readonly slots: Slots;
  readonly bodies: Bodies;
}

/** The admission of requests to all routes of the API. */
export function createAdmit({ authenticate, slots: { run }, bodies }: AdmitOptions): Admit {
  const readers: readonly RequestHandler[] = [bodies.json(), bodies.urlencoded()];
  const permit = async (request: Request, response: Response, { action, count }: Requirements): Promise<Permitted> => {
    const caller = await authenticate(request, response);
    authorise(caller, action, response);
    return { caller, forgive: await count?.(request.ip ?? '') };
  };
  return async (request, response, route, work) => {
    const parsers = route.before ?? (isRead(request) ? [] : readers);
    if (parsers.length === 0) return run(response, async () => work(await permit(request, response, route)));
    const permitted = await permit(request, response, route);
    for (const parse of parsers) await runMiddleware(parse, request, response);
    noteArrived(request, request.body);
    return run(response, () => work(permitted));
  };
}
