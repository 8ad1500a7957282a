import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { Duplicate } from '../../mongo/errors.js';
import type { Store } from '../../mongo/store.js';
import type { Filter } from '../../query/ast.js';
import type { Changes } from '../../query/mutation.js';
import type { DocumentsContext } from '../context.js';
import type { EncodedEntry } from './encode/encode-entry.js';
import { circularReference, unknownAnchor } from './list-order.js';
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

/** The error of an update that found no entry: it does not exist, or does not meet a precondition. */
export async function explainNotFound(
  store: Store,
  type: ContentType,
  id: number,
  { changes, only }: { readonly changes: Changes; readonly only: Filter | undefined },
): Promise<AppError> {
  const failed = await store.findFailedPrecondition(type, id, changes, only);
  switch (failed?.kind) {
    case undefined:
      return new AppError('notFound');
    case 'circle':
      return circularReference();
    case 'anchor':
      return unknownAnchor(failed.id, failed.position);
    case 'components': {
      const isZone = type.attributes.get(failed.attribute)?.kind === 'zone';
      return new AppError(isZone ? 'foreignZoneComponent' : 'foreignComponent', failed.attribute);
    }
    default:
      return failed satisfies never;
  }
}
