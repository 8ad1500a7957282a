import lodash from 'lodash';
import type { PluginFactory } from 'content-service/plugin';
import { proposal } from './definition.js';
import { METADATA, parseSettings, PATH } from './settings.js';

/**
 * The endpoint for assistants, by the Model Context Protocol over HTTP: they can do what their token can, by the API.
 */
export const createPlugin: PluginFactory = (settings) => {
  const parsed = parseSettings(settings);
  return {
    name: 'mcp',
    contentTypes: [proposal],
    mounts: (context) => {
      // Loaded by the first request: the packages of the protocol take a tenth of a second.
      const open = lodash.once(async () => (await import('./endpoint.js')).openEndpoint(context, parsed));
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
