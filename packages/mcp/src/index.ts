import type { PluginFactory } from 'content-service/plugin';
import type { AssistantOptions } from './connect.js';
import { createPlugin } from './plugin.js';

/** The plugin `mcp`. */
export default createPlugin satisfies PluginFactory;

/** Connects an assistant that starts programs: the command `content-service mcp`. */
export const connectAssistant = async (options: AssistantOptions): Promise<number> =>
  (await import('./connect.js')).connectAssistant(options);
