/** What programs that embed the service use. */
export { createService, type Service } from './app.js';
export type { Config } from './config/config.js';
export { loadConfig } from './config/load-config.js';
export type { ContentType, Registry } from './content-types/types.js';
export type { Documents } from './documents/documents.js';
export type { Extension, ExtensionContext } from './plugins/extension.js';
export { openDatabase } from './mongo/open-database.js';
