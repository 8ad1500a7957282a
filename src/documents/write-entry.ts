import { isLocalizations } from '../content-types/localized.js';
import type { ContentType } from '../content-types/types.js';
import { AppError } from '../errors/app-error.js';
import type { Store } from '../mongo/store.js';
import { duplicateOf } from '../mongo/translate-error.js';
import { isRanked, type Changes, type Rank, type StoredValue, type Write } from '../query/write.js';
import { unknownNeighbour } from './arrange.js';
import type { DocumentsContext } from './context.js';
import type { Encoded } from './encode.js';
import { rankInverse } from './rank-inverse.js';
import { forgetWrites, relationWrites } from './references.js';
import { taken } from './taken-values.js';

/**
 * Writes one entry and what follows from its relations. The targets and the entry itself are looked at once more
 * afterwards: what vanished meanwhile is taken out of the others. Gives the answer.
 * @param id of the entry; undefined for a new one, which gets the next id
 * @param read reads the answer
 * @throws AppError notFound, foreignComponent, invalidValue; validation for values that are not unique
 */
export async function writeEntry(
  { registry, store, hooks }: DocumentsContext,
  type: ContentType,
  id: number | undefined,
  encoded: Encoded,
  also: ReadonlyMap<string, StoredValue | undefined>,
  read: (id: number, changes: Changes) => Promise<unknown>,
): Promise<unknown> {
  const { links, targets } = encoded;
  const ranks = links.reduce((sum, { attribute, connect }) => sum + (isRanked(attribute) ? connect.length : 0), 0);
  const isNew = id === undefined;
  const reserved = isNew || ranks > 0 ? await store.counters.reserve(type.uid, { ids: isNew ? 1 : 0, ranks }) : none;
  const entry = id ?? reserved.id;
  const inverse = await Promise.all(encoded.inverse.map((change) => rankInverse(store, entry, change)));
  const changes = changesOf(type, encoded, also, reserved.rank);
  const { values, links: relinked } = changes;
  const change = { action: isNew ? 'create' : 'update', type, id: entry, values, links: relinked } as const;
  const first: Write = { kind: isNew ? 'insert' : 'update', type, id: entry, changes };
  const follow = await hooks.follow(change);
  let answer: unknown;
  const before = async (): Promise<void> => {
    answer = await read(entry, changes);
  };
  let vanished: Awaited<ReturnType<Store['missing']>> = new Map();
  const meanwhile = async (): Promise<void> => {
    if (targets.size === 0) return;
    vanished = await store.missing(new Map([...targets, [type, new Set([...(targets.get(type) ?? []), entry])]]));
  };
  const writes = [first, ...relationWrites(type, entry, relinked, encoded.morphed, inverse)];
  const found = await store.apply(writes, { writes: follow, before, meanwhile }).catch((error: unknown) => {
    throw explainDuplicate(error, encoded);
  });
  if (found === 0) throw await explainUnmet(store, type, entry, changes);
  for (const [target, ids] of vanished) {
    for (const gone of ids) await store.apply(forgetWrites(target, gone, registry.contentTypes));
  }
  await hooks.after(change);
  return answer ?? read(entry, changes);
}

const none = { id: 0, rank: 0 };

function changesOf(
  type: ContentType,
  { values, merges, links, references, uniqueKeys }: Encoded,
  also: ReadonlyMap<string, StoredValue | undefined>,
  firstRank: number,
): Changes {
  let rank = firstRank;
  const ranksOf = ({ attribute, connect }: Encoded['links'][number]): readonly Rank[] => {
    if (isLocalizations(attribute, type)) return connect.map(({ locale = '' }) => locale);
    return isRanked(attribute) ? connect.map(() => rank++) : [];
  };
  return {
    values: new Map([...values, ...also]),
    merges,
    links: links.map((link) => ({ ...link, ranks: ranksOf(link) })),
    references,
    uniqueKeys,
  };
}

/** The error for a value that another entry has already. */
function explainDuplicate(error: unknown, { uniquePaths }: Encoded): unknown {
  const duplicate = duplicateOf(error);
  if (duplicate === undefined) return error;
  const path = duplicate.path === '_unique.k' ? uniquePaths.get(String(duplicate.value)) : [duplicate.path];
  return new AppError('validation', [taken(path ?? [])]);
}

/** Why an update found nothing: the entry is not there, or it does not have what the change takes for granted. */
async function explainUnmet(store: Store, type: ContentType, id: number, changes: Changes): Promise<AppError> {
  const unmet = await store.findUnmet(type, id, changes);
  if (unmet === undefined) return new AppError('notFound');
  if (unmet.kind === 'neighbour') return unknownNeighbour(unmet.id, unmet.position);
  const zone = type.attributes.get(unmet.attribute)?.kind === 'zone';
  return new AppError(zone ? 'foreignZoneComponent' : 'foreignComponent', unmet.attribute);
}
