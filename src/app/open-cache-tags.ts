import type { Config } from '../config/config.js';
import type { Registry } from '../content-types/model/types.js';
import { StartError } from '../errors/start-error.js';
import { readsPrimary, type Database } from '../mongo/connection/database.js';
import { replaceKilled } from '../mongo/coordination/serving.js';
import type { StoreOptions } from '../mongo/store.js';
import { isReached } from '../plugins/contract/http/receiver.js';
import type { StorageServices } from '../plugins/contract/plugin-context.js';
import type { TagHeader } from '../rest/response/json-response.js';

/** What decides which entries the public sees: its permissions, and the locale of lists that name none. */
const decisive = ['plugin::users-permissions.permission', 'plugin::i18n.locale'];
/** Each process reads these at most once a second, so responses of that time are purged again after these milliseconds. */
const SECOND_PURGE_MS = 3000;

/** The header if no cache is declared. */
const defaultHeader: TagHeader = { name: 'Cache-Tag', separator: ',' };
/** Of a response. Next.js takes 128; with more, larger responses would cost more time and hardly be purged less often. */
const MAX_TAGS = 100;

/**
 * What the service does for caches in front of it; undefined without `CACHE_TAGS`.
 * @throws StartError if reads may come from a server that is behind, or `config/cdn.json` is invalid
 */
export async function openCacheTags(
  config: Pick<Config, 'http' | 'secrets' | 'folders' | 'variables' | 'environment'>,
  { db, reads }: Pick<Database, 'db' | 'reads'>,
  { contentTypes }: Pick<Registry, 'contentTypes'>,
) {
  const { http, secrets, folders, environment } = config;
  if (!http.cacheTags) return undefined;
  if (!readsPrimary(reads))
    throw new StartError('CACHE_TAGS requires reads from the primary: remove readPreference from MONGODB_URI');
  const [{ createCacheTags }, { readCdn }, { adapters }, { openPurges }] = await Promise.all([
    import('../query/cache-tags.js'),
    import('../plugins/cdn/parse-cdn.js'),
    import('../plugins/cdn/adapters.js'),
    import('../mongo/events/purges.js'),
  ]);
  const declared = readCdn([folders.project, folders.contentTypes], config);
  const caches = declared.filter(({ url }) => isReached(url, environment));
  const tags = createCacheTags(secrets.jwt, MAX_TAGS);
  const headers = declared.map(({ type, header: name }) => ({ name, separator: adapters[type].separator }));
  const common = decisive.filter((uid) => contentTypes.has(uid));
  const offered = {
    ofResponse: tags.ofResponse,
    /** The headers in which caches expect them. */
    headers: headers.length > 0 ? headers : [defaultHeader],
    common,
  };
  // Without a cache that is purged, changes are not told.
  if (caches.length === 0) return { ...offered, purges: undefined, onChanges: undefined };
  const queue = openPurges(
    db,
    caches.map(({ name }) => name),
  );
  const purges: StorageServices['purges'] = {
    caches,
    queue,
    replaceKilled: (work) => replaceKilled(db, work),
    everything: tags.everything,
  };
  const onChanges: StoreOptions['onChanges'] = async (changes) => {
    const isCommon = changes.some(({ type }) => common.includes(type));
    await queue.add(isCommon ? [tags.everything] : tags.ofChanges(changes));
    if (isCommon) await queue.add([tags.everything], SECOND_PURGE_MS);
  };
  return { ...offered, purges, onChanges };
}
