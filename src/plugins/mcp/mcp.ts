import type { PluginContext, PluginFactory } from '../contract/plugin.js';
import { createStarted } from '../contract/started.js';
import { proposal } from './definition.js';
import type { Endpoint } from './endpoint.js';
import { METADATA, parseSettings, PATH } from './settings.js';

/** The endpoint for assistants, by the Model Context Protocol over HTTP: they can do what their token can, by the API. */
export const createMcp: PluginFactory = (settings) => {
  const parsed = parseSettings(settings);
  const running = createStarted<PluginContext>('mcp');
  return {
    name: 'mcp',
    contentTypes: [proposal],
    start: async (context) => running.set(context),
    mounts: () => {
      let endpoint: Promise<Endpoint> | undefined;
      // Loaded by the first request: the packages of the protocol take a tenth of a second.
      const open = (): Promise<Endpoint> => {
        endpoint ??= import('./endpoint.js').then(({ openEndpoint }) => openEndpoint(running.get(), parsed));
        return endpoint;
      };
      return [
        {
          path: METADATA,
          handler: async (request, response, next) => (await open()).describe(request, response, next),
        },
        { path: PATH, handler: async (request, response, next) => (await open()).handle(request, response, next) },
      ];
    },
  };
};
