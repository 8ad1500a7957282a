import type { PluginsFile } from './parse-plugins.js';

/** This repository's own plugins file: what each plugin is told. A project has its own in config/plugins.js. */
export const plugins: PluginsFile = {};
