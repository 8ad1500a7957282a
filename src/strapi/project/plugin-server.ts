import lodash from 'lodash';
import { createEnv } from '../../config/project/env.js';
import { explainLoading } from '../../config/project/load-module.js';
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
  variables: Readonly<Record<string, string | undefined>>,
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
    validator?.(config);
    return completeServer({ ...exported, name, config });
  } catch (error) {
    return fail(error);
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
