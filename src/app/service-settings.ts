import type { Config } from '../config/config.js';
import type { BuiltInSettings } from '../plugins/contract/built-in.js';

/** The settings of the service that plugins see. */
export const serviceSettings = (config: Config): BuiltInSettings => ({
  environment: config.environment,
  drafts: config.drafts,
  publicUrl: config.server.publicUrl,
  prefix: config.rest.prefix,
  codePrefix: config.rest.codePrefix,
  secrets: config.secrets,
  folders: config.folders,
  entryMeta: config.rest.entryMeta,
  events: config.events,
  variables: config.variables,
});
