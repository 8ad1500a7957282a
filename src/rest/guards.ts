import type { Request, Response } from 'express';
import type { Caller } from '../documents/caller.js';
import type { ActionGuards } from '../plugins/contract/access/policy-request.js';
import type { Extension } from '../plugins/contract/extension.js';
import { bodyOfForm, type ReceivedForm } from '../plugins/contract/forms.js';
import { queryOf } from './query-string.js';
import { runMiddleware } from './run-middleware.js';

interface Guarded {
  readonly action: string;
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller;
  readonly id: string;
  readonly body: unknown;
  /** The form of its body; undefined for other bodies. */
  readonly form?: ReceivedForm | undefined;
}

/** Runs the project's guards before an action. @throws AppError forbidden, and errors of project code */
export type Guard = (guarded: Guarded) => Promise<void>;

/** The guards of the project's extension: policies first, then middlewares, in their order. */
export function createGuard(guards: NonNullable<Extension['guards']>, policiesOf: ActionGuards): Guard {
  return async ({ action, request, response, caller, id, body: sent, form }) => {
    if (!Object.hasOwn(guards, action)) return;
    const body = form === undefined ? sent : bodyOfForm(form);
    await policiesOf(action)?.({ action, caller, id, query: queryOf(request), body });
    for (const middleware of guards[action]?.middlewares ?? []) await runMiddleware(middleware, request, response);
  };
}
