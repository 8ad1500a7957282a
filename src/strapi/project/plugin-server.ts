import lodash from 'lodash';
import type { Config } from '../../config/config.js';
import { createEnv } from '../../config/project/env.js';
import { formatPlace, locateSetting } from '../../config/project/locate-setting.js';
import { explainLoading } from '../../config/project/load-module.js';
import { reasonOf } from '../../errors/reason-of.js';
import { StartError } from '../../errors/start-error.js';
import type { Anything, Named } from '../strapi.js';
import type { ProjectCode } from './load-project.js';
import { serverFile, type FoundPlugin } from './find-plugins.js';

/** The complete `strapi-server` exports of a plugin by Strapi v4's contract, with its settings. */
export interface PluginServer {
  readonly name: string;
  register?: Anything;
  bootstrap?: Anything;
  destroy?: Anything;
  config: Named;
  contentTypes: Named;
  services: Named;
  controllers: Named;
  policies: Named;
  middlewares: Named;
  routes: Anything;
}

/** @throws StartError if its code cannot be loaded, or refuses its settings */
export function loadPluginServer(
  { name, folder, settings }: FoundPlugin,
  { load, folder: project }: ProjectCode,
  { variables, environment }: Pick<Config, 'variables' | 'environment'>,
): PluginServer {
  const file = serverFile(folder) ?? folder;
  try {
    const env = createEnv(variables);
    const loaded: Anything = load(file);
    const exported: Named = typeof loaded === 'function' ? loaded({ env }) : loaded;
    const { default: defaults, validator } = (exported['config'] ?? {}) as Named;
    const values: Named = typeof defaults === 'function' ? defaults({ env }) : (defaults ?? {});
    const config = lodash.defaultsDeep({}, settings, values) as Named;
    try {
      validator?.(config);
    } catch (error) {
      const setting = { file: 'config/plugins', keys: [name, 'config'] };
      const place = formatPlace(locateSetting([project], environment, setting));
      throw new StartError(`${place}: the plugin ${name} refuses its settings: ${reasonOf(error)}`, { cause: error });
    }
    return completeServer({ ...exported, name, config });
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The plugin ${name} cannot be loaded: ${explainLoading(error, project)}`, { cause: error });
  }
}

/** The defaults of a plugin's omitted parts. */
export const completeServer = (server: Partial<PluginServer> & { readonly name: string }): PluginServer => ({
  config: {},
  contentTypes: {},
  services: {},
  controllers: {},
  policies: {},
  middlewares: {},
  routes: [],
  ...server,
});
