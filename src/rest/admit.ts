import express, { type Request, type RequestHandler, type Response } from 'express';
import { asUtf8, jsonTypes } from '../plugins/contract/bodies.js';
import { isForm } from '../plugins/contract/forms.js';
import type { Route, RouteRequest } from '../plugins/contract/plugin.js';
import type { Admission } from './middleware/admission.js';
import { authorise, isRead, runMiddleware, type Authenticate } from './requests.js';

type Permitted = Pick<RouteRequest, 'caller' | 'forgive'>;

/** What a route requires of its requests. */
interface Requirements extends Pick<Route, 'before' | 'count'> {
  /** One action, or several of which the caller needs one; undefined: none is needed. */
  readonly action: Parameters<typeof authorise>[1];
}

/**
 * Runs a request's task when a slot is free. Its body is read once the caller may send it; the wait for it takes no slot.
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
  readonly admission: Admission;
  /** For requests with files: slow ones do not block others. */
  readonly formAdmission: Admission;
  /** Bytes of a request's body. */
  readonly bodyLimit: number;
}

/** The admission of requests to all routes of the API. */
export function createAdmit({ authenticate, admission, formAdmission, bodyLimit }: AdmitOptions): Admit {
  const bodies: readonly RequestHandler[] = [
    express.json({ limit: bodyLimit, type: jsonTypes }),
    express.urlencoded({ limit: bodyLimit, extended: true }),
  ].map(asUtf8);
  const permit = async (request: Request, response: Response, { action, count }: Requirements): Promise<Permitted> => {
    const caller = await authenticate(request, response);
    authorise(caller, action, response);
    return { caller, forgive: await count?.(request.ip ?? '') };
  };
  return async (request, response, route, work) => {
    const { run } = isForm(request.headers) ? formAdmission : admission;
    const parsers = route.before ?? (isRead(request) ? [] : bodies);
    if (parsers.length === 0) return run(response, async () => work(await permit(request, response, route)));
    const permitted = await permit(request, response, route);
    for (const parse of parsers) await runMiddleware(parse, request, response);
    return run(response, () => work(permitted));
  };
}
