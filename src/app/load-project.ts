import type { Config } from '../config/config.js';
import type { Registry } from '../content-types/model/types.js';
import type { Extension } from '../plugins/contract/extension.js';
import type { Plugin } from '../plugins/contract/plugin.js';
import { loadExtension } from './load-extension.js';
import { builtInPlugins, enabledPlugins, linkDefinitions, loadDefinitions } from './load-registry.js';
import { openCode, type ProjectCode } from './open-code.js';
import type { ServiceLog } from './operations/operate.js';
import { findUnknownPlugins } from './unknown-plugins.js';

/** What the files of a project define. */
export interface LoadedProject {
  /** The configuration, with the settings of the project's code. */
  readonly config: Config;
  readonly plugins: readonly Plugin[];
  readonly registry: Registry;
  readonly extension: Extension;
  /** The code of a Strapi v4 project; undefined without such code. */
  readonly code: ProjectCode | undefined;
}

/**
 * Loads the content types, plugins and code of a project, without a database.
 * @param extension replaces the one in the project folder
 * @throws StartError if something in them is invalid
 */
export async function loadProject(
  loaded: Config,
  log: ServiceLog,
  extension: Extension | undefined,
): Promise<LoadedProject> {
  const warn = (line: string): void => log.warn({}, line);
  const plugins = await enabledPlugins(loaded, warn);
  for (const line of loaded.warnings) warn(line);
  const definitions = await loadDefinitions(loaded, plugins, warn);
  const code = await openCode({ config: loaded, plugins, definitions, log });
  const project = code?.project;
  const config = project?.config ?? loaded;
  if (code === undefined) for (const line of findUnknownPlugins(config, new Set(builtInPlugins))) warn(line);
  await project?.register();
  return {
    config,
    plugins,
    registry: linkDefinitions(project?.definitions ?? definitions, plugins, project?.created.customFields, warn),
    extension: extension ?? (await loadExtension(config.folders.project)),
    code,
  };
}
