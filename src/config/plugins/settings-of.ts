import type { Config } from '../config.js';

/** What an owner's code may ask for, under the names of Strapi v4: `environment`, `server.port`, `plugin.<name>.…`. */
export const settingsOf = ({ environment, server, rest, plugins }: Config): Readonly<Record<string, unknown>> => ({
  environment,
  server,
  api: { rest },
  plugin: Object.fromEntries(Object.entries(plugins).map(([name, { config }]) => [name, config])),
});
