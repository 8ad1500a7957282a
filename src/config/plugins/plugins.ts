import type { PluginsFile } from './parse-plugins.js';

/** This repository's plugins file. A project has its own in config/plugins.js. */
export const plugins: PluginsFile = {};
