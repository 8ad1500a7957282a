import type { Request, Response } from 'express';
import type { Caller } from '../documents/caller.js';
import type { ActionGuards } from '../plugins/contract/access/policy-request.js';
import type { Extension } from '../plugins/contract/extension.js';
import { keepArrived } from '../plugins/contract/arrived-body.js';
import { bodyOfForm, type ReceivedForm } from '../plugins/contract/forms.js';
import { requireId } from '../query/parse/input.js';
import { queryOf } from '../calls/query-string.js';
import { runMiddleware } from './run-middleware.js';

interface Guarded {
  readonly action: string;
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller;
  /** Empty if the action does not concern one entry. */
  readonly id: string;
  /** The id is the number of an entry: a route of the project can name entries otherwise. */
  readonly byNumber: boolean;
  readonly body: unknown;
  /** The form of its body; undefined for other bodies. */
  readonly form?: ReceivedForm | undefined;
}

/**
 * Runs the project's guards before an action.
 * @throws AppError notFound for what is not the number of an entry, forbidden, and errors of project code
 */
export type Guard = (guarded: Guarded) => Promise<void>;

/** The guards of the project's extension: policies first, then middlewares, in their order. */
export function createGuard(guards: NonNullable<Extension['guards']>, policiesOf: ActionGuards): Guard {
  return async ({ action, request, response, caller, id, byNumber, body: sent, form }) => {
    if (!Object.hasOwn(guards, action)) return;
    // A number has one spelling.
    const asked = byNumber && id !== '' ? String(requireId(id)) : id;
    const body = form === undefined ? sent : bodyOfForm(form);
    keepArrived(request, body);
    await policiesOf(action)?.({ action, caller, id: asked, query: queryOf(request), body });
    for (const middleware of guards[action]?.middlewares ?? []) await runMiddleware(middleware, request, response);
  };
}
