import type { ContentApi, PluginContext } from 'content-service/plugin';
import type { Settings } from './settings.js';

/** Strapi 5's REST API. */
export function createContentApi({ settings: { prefix } }: PluginContext, { path }: Settings): ContentApi {
  return {
    prefix: path + prefix,
    actions: {},
  };
}
