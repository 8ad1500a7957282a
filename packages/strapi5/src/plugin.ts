import type { PluginFactory } from 'content-service/plugin';
import { createContentApi } from './content-api.js';
import { parseSettings } from './settings.js';

/** Strapi 5's content API, below a path of its own. */
export const createPlugin: PluginFactory = (settings) => {
  const parsed = parseSettings(settings);
  return {
    name: 'strapi5',
    documentIds: true,
    // Strapi 5 has it on files: the point of a picture that stays visible when it is cut.
    emptyAttributes: { 'plugin::upload.file': { focalPoint: 'json' } },
    workingCopies: true,
    contentApis: (context) => [createContentApi(context, parsed)],
  };
};
