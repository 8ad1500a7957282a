import type { EntryChange, PluginContext, PluginFactory } from 'content-service/plugin';
import { version } from './definition.js';
import { keepFormer, keepVersion } from './keep-version.js';
import { routesOf } from './routes.js';
import { checkTypes, hasVersions, parseSettings } from './settings.js';

/** Keeps what entries and their working copies were after each write, for those who may change them. */
export const createPlugin: PluginFactory = (config) => {
  const settings = parseSettings(config);
  let context: PluginContext | undefined;
  const running = (): PluginContext => {
    if (context === undefined) throw new Error('The plugin versions has not started');
    return context;
  };
  /** The entry may have been written again, or removed: what it is now decides. */
  const keep = async ({ type: uid, id, isCopy }: EntryChange): Promise<void> => {
    const type = running().registry.contentTypes.get(uid);
    if (type === undefined || id === undefined || !hasVersions(settings, type)) return;
    await keepVersion(running(), settings, type, id, isCopy === true ? 'copy' : 'entry');
  };
  return {
    name: 'versions',
    contentTypes: [version],
    start: async (started) => {
      checkTypes(settings, started.registry);
      context = started;
    },
    hooks: {
      prepare: async (data, { type, id, isDryRun }) => {
        if (id !== undefined && !isDryRun && hasVersions(settings, type))
          await keepFormer(running(), settings, type, id);
        return data;
      },
    },
    onChanges: async (changes) => {
      // Of several changes of an entry together one version is kept.
      const written = new Map(changes.map((change) => [`${change.type} ${change.id} ${change.isCopy}`, change]));
      await Promise.all([...written.values()].map(keep));
    },
    routes: ({ contentTypes }) =>
      [...contentTypes.values()]
        .filter((type) => hasVersions(settings, type))
        .flatMap((type) => routesOf(running, type)),
  };
};
