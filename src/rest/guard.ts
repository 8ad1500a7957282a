import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../documents/caller.js';
import { AppError } from '../errors/app-error.js';
import type { Extension, ExtensionContext } from '../plugins/contract/extension.js';
import { queryOf } from './requests.js';

interface Guarded {
  readonly action: string;
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller;
  readonly id: string;
}

/** Runs what an owner put before a generated route. @throws AppError forbidden, and what the owner's code throws */
export type Guard = (guarded: Guarded) => Promise<void>;

/** The guards of an owner's extension: policies first, then middlewares, in their order. */
export function createGuard(guards: Extension['guards'] = {}, context: ExtensionContext): Guard {
  return async ({ action, request, response, caller, id }) => {
    const found = Object.hasOwn(guards, action) ? guards[action] : undefined;
    if (found === undefined) return;
    const asked = { action, caller, id, query: queryOf(request), body: request.body as unknown };
    for (const policy of found.policies ?? []) {
      if (!(await policy(asked, context))) throw new AppError('forbidden');
    }
    for (const middleware of found.middlewares ?? []) await run(middleware, request, response);
  };
}

function run(middleware: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
    Promise.resolve(middleware(request, response, next)).catch(reject);
  });
}
