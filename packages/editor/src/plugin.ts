import type { PluginContext, PluginFactory } from 'content-service/plugin';
import { createRoutes } from './routes.js';
import { PATH, serveEditor } from './serve.js';
import { checkPreviews, originsOf, parseSettings } from './settings.js';

/** The editor at `/admin`: a page that uses the public API, and the description of the content that it needs. */
export const createPlugin: PluginFactory = (settings, _findProvider, tolerate) => {
  const { previews, identity } = parseSettings(settings, tolerate);
  let context: PluginContext | undefined;
  return {
    name: 'admin',
    pages: [{ path: PATH, title: 'Editor', description }],
    mounts: ({ settings: { prefix } }) => [
      { path: PATH, handler: serveEditor({ api: prefix, ...identity }, originsOf(previews)) },
    ],
    start: async (started) => {
      checkPreviews(previews, started.registry);
      context = started;
    },
    routes: createRoutes(() => {
      if (context === undefined) throw new Error('The plugin admin has not started');
      return context;
    }, previews),
  };
};

const description =
  'find, write and publish content; until there is a user with the role editor, the log has a link that creates the first one';
