import type { Config } from '../config.js';

/** Code adds its routes below this prefix. */
const ofCode = ({ codePrefix, isOffered: _isOffered, ...rest }: Config['rest']) => ({ ...rest, prefix: codePrefix });

/** The settings that project code can read, by Strapi v4's names: `environment`, `server.port`, `plugin.<name>.…`. */
export const settingsOf = ({ environment, server, rest, plugins }: Config): Readonly<Record<string, unknown>> => ({
  environment,
  server,
  api: { rest: ofCode(rest) },
  plugin: Object.fromEntries(Object.entries(plugins).map(([name, { config }]) => [name, config])),
});
