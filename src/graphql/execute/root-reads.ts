import type { Documents } from '../../documents/documents.js';
import type { ReadRequest } from '../../documents/read-operation.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';
import { uniteIds, type EntryIds } from '../../query/change.js';

/**
 * The reads of the root fields of an operation, held back until the cache of responses has been asked, which needs to
 * know them.
 */
export function holdReads(documents: Pick<Documents, 'read'>) {
  const fields: Promise<unknown>[] = [];
  const reads: (ReadRequest | undefined)[] = [];
  const ids: ((() => EntryIds) | undefined)[] = [];
  let isComplete = true;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hold: GraphqlContext['hold'] = async (resolve) => {
    let arrive = (): void => undefined;
    const arriving = new Promise<void>((settle) => {
      arrive = settle;
    });
    fields.push(arriving);
    try {
      return await resolve(async (request, present) => {
        reads.push(request.previewed === true ? undefined : request);
        arrive();
        await released;
        return documents.read(request, (result) => {
          ids.push(result.page.ids);
          return present(result);
        });
      });
    } catch (error) {
      reads.push(undefined);
      throw error;
    } finally {
      arrive();
    }
  };
  /** Of a field within. */
  const read: Documents['read'] = (...further) => {
    isComplete = false;
    return documents.read(...further);
  };
  return {
    /** For the context of the operation. */
    context: { hold, read },
    /** The reads of all fields, when each has asked for its own; undefined if one has failed or must not be cached. */
    requested: async (): Promise<readonly ReadRequest[] | undefined> => {
      await Promise.all(fields);
      const known = reads.filter((requested) => requested !== undefined);
      return known.length === 0 || known.length < reads.length ? undefined : known;
    },
    /** Lets them read. */
    release,
    /** Whether nothing was read but these. */
    isComplete: (): boolean => isComplete,
    /** The ids of the entries that were read; undefined: any. */
    ids: (): (() => EntryIds) | undefined => {
      const known = ids.filter((ofField) => ofField !== undefined);
      return known.length < ids.length ? undefined : () => uniteIds(known.map((read) => read()));
    },
  };
}
