import type { PluginFactory } from '../contract/plugin.js';
import { AppError } from '../../errors/app-error.js';
import type { Running } from './run.js';

/** Purges what writes change from the caches of `config/cdn.json`. Without `CACHE_TAGS` it loads and does nothing. */
export const createCdn: PluginFactory = () => {
  let current: Running | undefined;
  const running = (): Running => {
    if (current === undefined) throw new AppError('application', 'CACHE_TAGS=true or config/cdn.json is missing');
    return current;
  };
  return {
    name: 'cdn',
    start: async (context) => {
      const { purges } = context.storage;
      current = purges && (await (await import('./run.js')).run(context, purges));
    },
    stop: async () => current?.stop(),
    commands: [
      {
        usage: 'cdn test',
        description: 'send each cache of config/cdn.json the purge of a tag that no response has',
        run: async () => ({ rows: await running().test() }),
      },
      {
        usage: 'cdn purge',
        description: 'purge everything, e.g. after an import or a deploy',
        run: async () => ({ rows: [{ purged: await running().purge() }] }),
      },
    ],
  };
};
