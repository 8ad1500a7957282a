import type { Config } from '../config.js';

/** The settings that project code can read, by Strapi v4's names: `environment`, `server.port`, `plugin.<name>.…`. */
export const settingsOf = ({ environment, server, rest, plugins }: Config): Readonly<Record<string, unknown>> => ({
  environment,
  server,
  api: { rest },
  plugin: Object.fromEntries(Object.entries(plugins).map(([name, { config }]) => [name, config])),
});
