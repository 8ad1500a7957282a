import { entryTypeOf, storedTypes } from '../content-types/model/stored-types.js';
import { isInternal } from '../content-types/model/system-attributes.js';
import type { ContentType } from '../content-types/model/types.js';
import type { DocumentsContext } from './context.js';

/**
 * What leads to entries of a type, whoever may see it: from entries, their working copies, and deleted ones that can be
 * restored. Former versions of entries are none.
 */
export function openEntryUses({ registry, store }: Pick<DocumentsContext, 'registry' | 'store'>) {
  const holders = (): readonly ContentType[] => storedTypes(registry).filter(({ uid }) => !isInternal(uid));
  return {
    /** The ids of those to which relations lead. */
    idsOf: (type: ContentType): Promise<ReadonlySet<number>> => store.uses.usedIds(holders(), type),
    /**
     * The parts of all addresses in the texts of others; its own entries contain their own addresses. See `UseReader`.
     */
    namesInTextsBeside: (type: ContentType): Promise<ReadonlySet<string>> =>
      store.uses.namesInAddresses(holders().filter((holder) => entryTypeOf(holder) !== type)),
  };
}
