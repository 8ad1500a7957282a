import lodash from 'lodash';
import type { Config } from '../../config/config.js';
import { createEnv } from '../../config/project/env.js';
import {
  formatPlace,
  locateSetting,
  type SettingPath,
  type SettingPlace,
} from '../../config/project/locate-setting.js';
import { explainLoading } from '../../config/project/load-module.js';
import { reasonOf } from '../../errors/reason-of.js';
import { StartError } from '../../errors/start-error.js';
import type { Anything, Named } from '../strapi.js';
import type { ProjectCode } from './code.js';
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
  const fail = (error: unknown): never => {
    throw new StartError(`The plugin ${name} cannot be loaded: ${explainLoading(error, project)}`, { cause: error });
  };
  try {
    const env = createEnv(variables);
    const loaded: Anything = load(file);
    const exported: Named = typeof loaded === 'function' ? loaded({ env }) : loaded;
    const { default: defaults, validator } = (exported['config'] ?? {}) as Named;
    const values: Named = typeof defaults === 'function' ? defaults({ env }) : (defaults ?? {});
    const config = lodash.defaultsDeep({}, settings, values) as Named;
    checkSettings(name, () => validator?.(config), locateSetting([project], environment, placeOf(name)));
    return completeServer({ ...exported, name, config });
  } catch (error) {
    if (error instanceof StartError) throw error;
    return fail(error);
  }
}

const placeOf = (name: string): SettingPath => ({ file: 'config/plugins', keys: [name, 'config'] });

/** @throws StartError if the validator of a plugin refuses its settings, with their file and line */
function checkSettings(name: string, validate: () => unknown, position: SettingPlace): void {
  try {
    validate();
  } catch (error) {
    const message = `${formatPlace(position)}: the plugin ${name} refuses its settings: ${reasonOf(error)}`;
    throw new StartError(message, { cause: error });
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
