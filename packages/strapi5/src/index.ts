import type { PluginFactory } from 'content-service/plugin';
import { createPlugin } from './plugin.js';

/** The plugin `strapi5`. */
export default createPlugin satisfies PluginFactory;
