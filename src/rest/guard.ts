import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../documents/caller.js';
import type { ActionGuards } from '../plugins/contract/access/policy-request.js';
import type { Extension } from '../plugins/contract/extension.js';
import { queryOf } from './requests.js';

interface Guarded {
  readonly action: string;
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller;
  readonly id: string;
}

/** Runs what the project runs before an action. @throws AppError forbidden, and what project code throws */
export type Guard = (guarded: Guarded) => Promise<void>;

/** The guards of the project's extension: policies first, then middlewares, in their order. */
export function createGuard(guards: NonNullable<Extension['guards']>, policiesOf: ActionGuards): Guard {
  return async ({ action, request, response, caller, id }) => {
    if (!Object.hasOwn(guards, action)) return;
    const body: unknown = request.body;
    await policiesOf(action)?.({ action, caller, id, query: queryOf(request), body });
    for (const middleware of guards[action]?.middlewares ?? []) await run(middleware, request, response);
  };
}

function run(middleware: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
    Promise.resolve(middleware(request, response, next)).catch(reject);
  });
}
