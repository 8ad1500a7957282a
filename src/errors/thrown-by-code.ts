import { AppError } from './app-error.js';

const byCode = Symbol('thrown by code');

/**
 * Marks an error that code of a project has thrown by itself: where Strapi v4 sends its message, the client gets it.
 * Errors of the service keep their codes.
 */
export function markThrownByCode(error: unknown): void {
  if (error instanceof Error && !(error instanceof AppError)) Reflect.defineProperty(error, byCode, { value: true });
}

/** Whether code of a project has thrown it, so that its message may be sent. */
export const isThrownByCode = (error: unknown): error is Error =>
  error instanceof Error && Object.hasOwn(error, byCode);
