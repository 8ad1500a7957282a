import { isRecord } from '../../config/record.js';
import { AppError } from '../../errors/app-error.js';
import type { ContentType } from '../../content-types/model/types.js';

/** The names that a populate in any form lists, without those that it turns off. */
function namesIn(populate: unknown): readonly string[] {
  if (typeof populate === 'string') return populate.split(',').map((path) => path.trim().split('.')[0] ?? '');
  if (Array.isArray(populate)) return populate.flatMap(namesIn);
  return isRecord(populate)
    ? Object.keys(populate).filter((name) => populate[name] !== false && populate[name] !== 'false')
    : [];
}

/**
 * `related` of files is not an attribute: it is computed where files are queried themselves. `*` leaves it out.
 * @throws AppError invalidValue for a populate below a relation to files that names it
 */
export function refuseNestedRelated(populate: unknown, { uid, attributes }: ContentType): void {
  if (uid !== 'plugin::upload.file' || attributes.has('related') || !namesIn(populate).includes('related')) return;
  throw new AppError('invalidValue', 'related of files cannot be populated below another attribute: query the files');
}
