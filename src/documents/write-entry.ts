import type { ContentType } from '../content-types/types.js';
import { AppError } from '../errors/app-error.js';
import type { Store } from '../mongo/store.js';
import { duplicateOf } from '../mongo/translate-error.js';
import { isRanked, type Changes, type StoredValue, type Write } from '../query/write.js';
import type { DocumentsContext } from './context.js';
import type { Encoded } from './encode.js';
import { forgetWrites, relationWrites } from './references.js';

/**
 * Writes one entry and what follows from its relations. The targets and the entry itself are looked at once more
 * afterwards: what vanished meanwhile is taken out of the others.
 * @param id of the entry; undefined for a new one, which gets the next id
 * @throws AppError notFound, validation for values that are not unique
 */
export async function writeEntry(
  { registry, store, hooks }: DocumentsContext,
  type: ContentType,
  id: number | undefined,
  encoded: Encoded,
  also: ReadonlyMap<string, StoredValue | undefined>,
): Promise<number> {
  const { links, inverse, targets } = encoded;
  const own = links.reduce((sum, { attribute, ids }) => sum + (isRanked(attribute) ? ids.length : 0), 0);
  const reserved = await reserve(store, type, id === undefined ? 1 : 0, own);
  const ranked = await Promise.all(
    inverse.map(async (one) => ({
      ...one,
      rank: (await reserve(store, one.attribute.target, 0, one.ids.length)).rank,
    })),
  );
  const entry = id ?? reserved.id;
  const changes = changesOf(encoded, also, reserved.rank, type);
  const action = id === undefined ? 'create' : 'update';
  const change = { action, type, id: entry, values: changes.values } as const;
  const writes: readonly Write[] = [
    { kind: id === undefined ? 'insert' : 'update', type, id: entry, changes },
    ...relationWrites(entry, links, ranked, type),
    ...(await hooks.follow(change)),
  ];
  const found = await store.apply(writes).catch((error: unknown) => {
    throw explainDuplicate(error, encoded);
  });
  if (found === 0) throw new AppError('notFound');
  const involved = new Map([...targets, [type, new Set([...(targets.get(type) ?? []), entry])]]);
  for (const [target, ids] of targets.size === 0 ? [] : await store.missing(involved)) {
    for (const gone of ids) await store.apply(forgetWrites(target, gone, registry.contentTypes));
  }
  await hooks.after(change);
  return entry;
}

async function reserve(
  store: Store,
  type: ContentType,
  ids: number,
  ranks: number,
): Promise<{ id: number; rank: number }> {
  return ids + ranks === 0 ? { id: 0, rank: 0 } : store.counters.reserve(type.uid, { ids, ranks });
}

function changesOf(
  encoded: Encoded,
  also: ReadonlyMap<string, StoredValue | undefined>,
  firstRank: number,
  { attributes }: ContentType,
): Changes {
  let rank = firstRank;
  // Plain values hold no references, and unique ones of the entry itself have an index each.
  const written = [...encoded.values.keys()].filter((name) => attributes.get(name)?.kind !== 'scalar');
  return {
    values: new Map([...encoded.values, ...also]),
    links: encoded.links.map(({ attribute, ids }) => ({
      attribute,
      ids,
      ranks: isRanked(attribute) ? ids.map(() => rank++) : [],
    })),
    references: { paths: written, add: encoded.references },
    uniqueKeys: { paths: written, add: encoded.uniqueKeys },
  };
}

/** The error for a value that another entry has already. */
function explainDuplicate(error: unknown, { uniquePaths }: Encoded): unknown {
  const duplicate = duplicateOf(error);
  if (duplicate === undefined) return error;
  const path = duplicate.path === '_unique.k' ? uniquePaths.get(String(duplicate.value)) : [duplicate.path];
  return new AppError('validation', [{ path: path ?? [], message: 'This attribute must be unique' }]);
}
