import type { Config } from '../../config/config.js';
import type { Registry } from '../../content-types/model/types.js';
import { StartError } from '../../errors/start-error.js';
import { readsPrimary, type Database } from '../../mongo/connection/database.js';
import type { Purges } from '../../mongo/events/purges.js';
import type { StoreOptions } from '../../mongo/store.js';
import type { BuiltInPlugin } from '../../plugins/contract/built-in.js';
import type { TaggedCache } from '../../plugins/contract/caches.js';
import { checkResult } from '../../plugins/contract/members.js';
import type { TagHeader } from '../../rest/response/json-response.js';
import { serviceSettings } from '../service-settings.js';

/** What decides which entries the public sees: its permissions, and the locale of lists that name none. */
const decisive = ['plugin::users-permissions.permission', 'plugin::i18n.locale'];
/**
 * Each process reads these at most once a second, so responses of that time are purged again after these milliseconds.
 */
const SECOND_PURGE_MS = 3000;

/** The header if there is no cache that says which one it expects. */
const defaultHeader: TagHeader = { name: 'Cache-Tag', separator: ',' };
/**
 * Of a response. Next.js takes 128; with more, larger responses would cost more time and hardly be purged less often.
 */
const MAX_TAGS = 100;
/** Milliseconds that who purges everything waits for the caches. */
const PURGE_ALL_MS = 10_000;

/** A cache that is told of changes. */
export type PurgedCache = TaggedCache & Required<Pick<TaggedCache, 'purge'>>;

/** What caches still have to purge. */
export interface CachePurges {
  readonly caches: readonly PurgedCache[];
  readonly queue: Purges;
  /** The tag of every response. */
  readonly everything: string;
  /** Purges everything; false: not all caches have done it yet. */
  readonly purgeAll: () => Promise<boolean>;
}

/**
 * What the service does for caches in front of it; undefined without `CACHE_TAGS`.
 * @throws StartError if reads may come from a server that is behind, or the caches of a plugin are declared wrongly
 */
export async function openCaches(
  config: Config,
  { db, reads }: Pick<Database, 'db' | 'reads'>,
  { contentTypes }: Pick<Registry, 'contentTypes'>,
  plugins: readonly BuiltInPlugin[],
) {
  if (!config.http.cacheTags) return undefined;
  if (!readsPrimary(reads))
    throw new StartError('CACHE_TAGS requires reads from the primary: remove readPreference from MONGODB_URI');
  const [{ createCacheTags }, { openPurges }] = await Promise.all([
    import('../../query/cache-tags.js'),
    import('../../mongo/events/purges.js'),
  ]);
  const declared = cachesOf(plugins, config);
  const caches = declared.filter((cache): cache is PurgedCache => cache.purge !== undefined);
  const tags = createCacheTags(config.secrets.jwt, MAX_TAGS);
  const headers = declared.map(({ header: name, separator }) => ({ name, separator }));
  const common = decisive.filter((uid) => contentTypes.has(uid));
  const offered = {
    ofResponse: tags.ofResponse,
    /** The headers in which caches expect them. */
    headers: headers.length > 0 ? headers : [defaultHeader],
    common,
  };
  // Without a cache that is purged, changes are not told.
  if (caches.length === 0) return { ...offered, purges: undefined, onChanges: undefined };
  const { everything } = tags;
  const queue = openPurges(
    db,
    caches.map(({ name }) => name),
  );
  const purgeAll = async (): Promise<boolean> => queue.awaited.done(await queue.add([everything]), PURGE_ALL_MS);
  const onChanges: StoreOptions['onChanges'] = async (changes) => {
    const isCommon = changes.some(({ type }) => common.includes(type));
    await queue.add(isCommon ? [everything] : tags.ofChanges(changes));
    if (isCommon) await queue.add([everything], SECOND_PURGE_MS);
  };
  return { ...offered, purges: { caches, queue, everything, purgeAll } satisfies CachePurges, onChanges };
}

/** @throws StartError if two have one name */
function cachesOf(plugins: readonly BuiltInPlugin[], config: Config): readonly TaggedCache[] {
  const settings = serviceSettings(config);
  const caches = plugins.flatMap((plugin) => {
    const declared = plugin.caches?.(settings) ?? [];
    checkResult(`Plugin ${plugin.name}`, 'caches', declared);
    return declared;
  });
  const names = caches.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new StartError(`Two caches have the name "${twice}"`);
  return caches;
}
