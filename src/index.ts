/** The exports for programs that embed the service. */
export { createService, type Service } from './app/app.js';
export type { Config } from './config/config.js';
export { loadConfig } from './config/load-config.js';
export type { ContentType, Registry } from './content-types/model/types.js';
export type { Documents } from './documents/documents.js';
export { AppError } from './errors/app-error.js';
export { StartError } from './errors/start-error.js';
export type { Extension, ExtensionContext } from './plugins/contract/extension.js';
export type { Plugin, PluginContext, PluginFactory, Reply, Route, RouteRequest } from './plugins/contract/plugin.js';
export { openDatabase } from './mongo/connection/open-database.js';
