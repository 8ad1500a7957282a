import type { ContentType } from '../content-types/types.js';
import { AppError } from '../errors/app-error.js';
import type { Caller } from './caller.js';
import type { Data } from './context.js';
import { mayFollow } from './rights.js';

/**
 * Written data without relations to types that the caller may not list, as Strapi v4 drops them.
 * @throws AppError validation for data that is a list
 */
export function permittedData(data: unknown, { attributes }: ContentType, caller: Caller): Data {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    const message = 'this must be a `object` type, but the final value was: `null` (cast from the value `[]`).';
    throw new AppError('validation', [{ path: [], message }]);
  }
  if (caller.kind === 'system') return data as Data;
  const kept = Object.entries(data).filter(([name]) => {
    const attribute = attributes.get(name);
    return attribute === undefined || mayFollow(attribute, caller);
  });
  return Object.fromEntries(kept);
}
