import { randomBytes } from 'node:crypto';
import { AppError, type PluginContext, type PluginFactory } from 'content-service/plugin';
import { adapters, type Cache } from './adapters.js';
import { purge } from './purge.js';
import { readCaches } from './read-caches.js';

const TEST_TIMEOUT_MS = 10_000;

/** The caches of `config/cdn.json`. */
export const createPlugin: PluginFactory = () => {
  let purged: readonly Cache[] = [];
  let purgeAll: PluginContext['http']['purgeAll'];
  return {
    name: 'cdn',
    caches: (settings) => {
      const caches = readCaches(settings);
      purged = caches.filter(({ isReached }) => isReached);
      return caches.map((cache) => {
        const { separator, maxTags } = adapters[cache.type];
        const { name, header } = cache;
        return {
          name,
          header,
          separator,
          maxTags,
          ...(cache.isReached && {
            purge: async (tags, signal) => void (await purge(cache, tags, signal)),
          }),
        };
      });
    },
    start: async ({ http }) => {
      purgeAll = http.purgeAll;
    },
    commands: [
      {
        usage: 'cdn test',
        description: 'send each cache of config/cdn.json the purge of a tag that no response has',
        run: async () => {
          if (purged.length === 0) throw nothingToPurge();
          return { rows: await Promise.all(purged.map(test)) };
        },
      },
      {
        usage: 'cdn purge',
        description: 'purge everything, e.g. after an import or a deploy',
        run: async () => {
          if (purgeAll === undefined) throw nothingToPurge();
          return { rows: [{ purged: await purgeAll() }] };
        },
      },
    ],
  };
};

const nothingToPurge = (): AppError => new AppError('application', 'CACHE_TAGS=true or config/cdn.json is missing');

/** @throws AppError application if the cache refuses the purge */
async function test(cache: Cache) {
  const { name, type } = cache;
  const tag = randomBytes(9).toString('base64url');
  const start = performance.now();
  try {
    const status = await purge(cache, [tag], AbortSignal.timeout(TEST_TIMEOUT_MS));
    return { name, type, status, milliseconds: Math.round(performance.now() - start) };
  } catch (error) {
    throw new AppError('application', `${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
