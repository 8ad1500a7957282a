import type { ContentType } from '../../../content-types/model/types.js';
import { hasCode } from '../../../errors/app-error.js';
import type { DocumentsContext, EntryRequest } from '../../context.js';
import { findEntry, queryFor } from '../../read.js';
import type { Submitted } from './gate.js';
import type { Operation } from './operation.js';
import type { PlannedEntries } from './planned.js';

/** What the response to a repetition shows of an operation: the id of an entry that can be read, or the entry that was deleted. */
export function recordable(
  { kind, type, request }: Operation,
  { writes: [primary] }: Submitted,
  planned: PlannedEntries,
): unknown {
  if (primary === undefined || !('id' in primary)) return null;
  return kind === 'delete' ? planned.removed(type, primary.id)?.(request.presenter) : primary.id;
}

/** The entries of a batch that an interrupted execution did, as the caller finds them now; null for the others. */
export const showRecorded = (
  contextOf: (type: ContentType, request: EntryRequest) => DocumentsContext,
  operations: readonly Operation[],
  recorded: readonly unknown[],
): Promise<readonly unknown[]> =>
  Promise.all(
    operations.map(async ({ kind, type, request }, index) => {
      const entry = recorded[index];
      if (typeof entry !== 'number' || kind === 'delete') return entry;
      const context = contextOf(type, request);
      try {
        return (await findEntry(context, queryFor(context, type, kind, request), entry))(request.presenter);
      } catch (error) {
        if (hasCode(error, 'notFound')) return null;
        throw error;
      }
    }),
  );
