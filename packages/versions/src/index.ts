import type { PluginFactory } from 'content-service/plugin';
import { createPlugin } from './plugin.js';

/** The plugin `versions`. */
export default createPlugin satisfies PluginFactory;
