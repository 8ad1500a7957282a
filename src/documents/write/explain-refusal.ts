import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { Duplicate } from '../../mongo/errors.js';
import type { DocumentsContext } from '../context.js';
import type { EncodedEntry } from './encode/encode-entry.js';
import { findTaken, taken } from './taken-values.js';

/** The error for values that other entries have: it names all of them, though the database names one. */
export async function explainDuplicate(
  context: DocumentsContext,
  type: ContentType,
  id: number | undefined,
  { input, uniquePaths }: EncodedEntry,
  duplicate: Duplicate,
): Promise<AppError> {
  const all = await findTaken(context, type, input, id);
  if (all.length > 0) return new AppError('validation', all);
  const path = duplicate.path === '_unique.k' ? uniquePaths.get(String(duplicate.value)) : [duplicate.path];
  return new AppError('validation', [taken(path ?? [])]);
}
