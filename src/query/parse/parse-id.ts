import { AppError } from '../../errors/app-error.js';

/** The id that a path, a form or an argument names; undefined for what cannot be one. */
export function parseId(text: unknown): number | undefined {
  const id = typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : undefined;
}

/** The same where there must be an entry. @throws AppError notFound for what cannot be an id */
export function requireId(text: unknown, message?: string): number {
  const id = parseId(text);
  if (id === undefined) throw new AppError('notFound', message);
  return id;
}
