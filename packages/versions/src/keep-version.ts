import {
  plainEntry,
  readState,
  system,
  type ContentType,
  type Entry,
  type PluginContext,
  type State,
} from 'content-service/plugin';
import { version } from './definition.js';
import { isSameData, isSameValue } from './same-values.js';
import type { Settings } from './settings.js';

/** The length of a version as JSON: larger entries get none. */
export const MAX_BYTES = 1_000_000;

/**
 * Saves of a working copy by one user in this time are one version, and those by no user, such as a program with a
 * token.
 */
const SITTING_MS = 600_000;

/** The order of versions: writes that end at the same time may store theirs in another one. */
export const NEWEST_FIRST = ['at:desc', 'id:desc'];

/** The condition for the versions of an entry. */
export const versionsOf = ({ uid }: ContentType, id: number) => ({ of: uid, entry: id });

/** How many versions are kept, and how long. */
type Bounds = Pick<Settings, 'keep' | 'days' | 'megabytes'>;

/**
 * Stores what an entry is now, unless its newest version is the same, and removes the versions that are too many; all
 * of them if there is no such entry. Two writes that end at the same time may each store the state after both. @throws
 * AppError unavailable
 */
export async function keepVersion(
  context: PluginContext,
  bounds: Bounds,
  type: ContentType,
  id: number,
  of: 'entry' | 'copy' = 'entry',
): Promise<void> {
  const { documents } = context;
  const state = await readState(context, type, id, of);
  if (state === undefined) {
    // Its versions are there again when it is restored.
    if (of === 'entry' && !(await documents.isInTrash(type, id))) await removeVersions(context, type, id);
    return;
  }
  const [newest] = await findNewest(context, type, id, 1);
  const former = of === 'entry' && newest?.['changes'] == null ? newest : await findNewestOf(context, type, id, of);
  if (former !== undefined && isSame(former, state, type)) return;
  const size = Buffer.byteLength(JSON.stringify(state.data));
  if (size > MAX_BYTES) return;
  const now = new Date().toISOString();
  // Another entry has changed this one: its own last writer and time are those of a version before, and the newest one
  // may be by another, too.
  const isByOther = former !== undefined && String(former['at']) >= state.at;
  const own = isByOther ? { ...state, at: now, writer: null } : state;
  const since = of === 'copy' && former !== undefined && isSameSitting(former, newest, own) ? former['since'] : own.at;
  const values = { ...versionsOf(type, id), ...own, size, ...(of === 'copy' && { since }) };
  const request = { caller: system, presenter: plainEntry, selection: nothing, event: 'none' } as const;
  // The values are valid where they come from, and nest deeper here: checked again, they could be refused.
  await documents.create(typeOfVersions(context), values, request, { raw: true });
  const replaced = of === 'copy' && former !== undefined && since === former['since'] ? [former.id] : [];
  // Who deleted the entry after it was read has removed only the versions before this one.
  const isThere = (await documents.visibleIds(type, [id], system)).length > 0;
  if (isThere) await trimVersions(context, bounds, type, id, replaced);
  else if (!(await documents.isInTrash(type, id))) await removeVersions(context, type, id);
}

const nothing = { fields: [], populate: [] };

/** A copy that follows its entry is the same, as long as it changes the same. */
function isSame(former: Entry, state: State, type: ContentType): boolean {
  const data = former['data'] as State['data'];
  if (state.changes === null) return former['published'] === state.published && isSameData(data, state.data, type);
  const changes = former['changes'] as State['changes'];
  return (
    changes?.join() === state.changes.join() &&
    state.changes.every((name) => isSameValue(data[name], state.data[name], type.attributes.get(name)))
  );
}

/** Whether the user who saves a copy has saved the newest version as well, not long ago. */
const isSameSitting = (former: Entry, newest: Entry | undefined, { writer, at }: State): boolean =>
  former.id === newest?.id &&
  (former['writer'] ?? null) === writer &&
  Date.parse(at) - Date.parse(String(former['since'])) <= SITTING_MS;

/**
 * Stores what an entry is before a change, if its newest version is older: it was written before there were versions,
 * or without this plugin. If that fails, the change goes on.
 */
export async function keepFormer(context: PluginContext, bounds: Bounds, type: ContentType, id: number): Promise<void> {
  const { entries, log } = context;
  try {
    const [newest] = await findNewest(context, type, id, 1, ['at']);
    const [entry] = await entries.findMany(type.uid, {
      filters: { id },
      fields: ['updatedAt'],
      pagination: { limit: 1 },
    });
    if (newest === undefined || String(newest['at']) < String(entry?.['updatedAt']))
      await keepVersion(context, bounds, type, id);
  } catch (error) {
    log.error({ err: error, uid: type.uid, id }, 'What an entry was before a write could not be stored as its version');
  }
}

const typeOfVersions = ({ registry }: PluginContext): ContentType =>
  registry.contentTypes.get(version.uid) as ContentType;

const findNewest = (
  { entries }: PluginContext,
  type: ContentType,
  id: number,
  limit: number,
  fields?: readonly string[],
): Promise<readonly Entry[]> =>
  entries.findMany(version.uid, {
    filters: versionsOf(type, id),
    sort: NEWEST_FIRST,
    pagination: { limit },
    ...(fields && { fields }),
  });

/** The newest version of an entry itself, or of its working copies. */
export const findNewestOf = (
  { entries }: PluginContext,
  type: ContentType,
  id: number,
  of: 'entry' | 'copy',
): Promise<Entry | undefined> =>
  entries.findFirst(version.uid, {
    filters: { ...versionsOf(type, id), changes: of === 'copy' ? { $notNull: true } : { $null: true } },
    sort: NEWEST_FIRST,
  });

/** A version without its values. */
type Kept = Entry & { readonly at: string; readonly size: number | null };

const MILLISECONDS_PER_DAY = 86_400_000;
const BYTES_PER_MEGABYTE = 1_000_000;

/**
 * Removes versions beyond the bounds, the oldest first. What was published last, what the entry is now and its last
 * working copy stay in any case: a copy that is discarded can be restored, and many saves push out nothing that readers
 * have seen.
 * @param replaced versions that are removed as well
 */
export async function trimVersions(
  context: PluginContext,
  { keep, days, megabytes }: Bounds,
  type: ContentType,
  id: number,
  replaced: readonly number[] = [],
): Promise<void> {
  const fields = ['at', 'size', 'published', 'changes'];
  const all = (await findNewest(context, type, id, -1, fields)) as readonly Kept[];
  const isCopy = ({ changes }: Kept): boolean => changes != null;
  const needed = new Set([
    all.find((one) => !isCopy(one)),
    all.find(({ published }) => published !== null),
    all.find(isCopy),
  ]);
  const oldest = days === undefined ? '' : new Date(Date.now() - days * MILLISECONDS_PER_DAY).toISOString();
  let [count, bytes] = [0, 0];
  const surplus = all.filter((one, index) => {
    if (replaced.includes(one.id)) return true;
    count += 1;
    bytes += one.size ?? 0;
    const isPast = index > 0 && String(all[index - 1]?.at) < oldest;
    return !needed.has(one) && (count > keep || bytes > megabytes * BYTES_PER_MEGABYTE || isPast);
  });
  await remove(
    context,
    surplus.map((one) => one.id),
  );
}

/** Removes all versions of an entry. */
async function removeVersions(context: PluginContext, type: ContentType, id: number): Promise<void> {
  const all = await findNewest(context, type, id, -1, ['id']);
  await remove(
    context,
    all.map((one) => one.id),
  );
}

async function remove(context: PluginContext, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await context.entries.deleteMany(version.uid, { filters: { id: { $in: ids } } });
}
