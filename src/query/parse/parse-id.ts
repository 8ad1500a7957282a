import { AppError } from '../../errors/app-error.js';

/** The id in a path, a form or an argument; undefined if it is not an id. */
export function parseId(text: unknown): number | undefined {
  const id = typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : undefined;
}

/** The id of an entry that must exist. @throws AppError notFound if it is not an id */
export function requireId(text: unknown, message?: string): number {
  const id = parseId(text);
  if (id === undefined) throw new AppError('notFound', message);
  return id;
}
