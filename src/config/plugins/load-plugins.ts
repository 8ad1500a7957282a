import fs from 'node:fs';
import path from 'node:path';
import type Lodash from 'lodash';
import { reasonOf } from '../../errors/reason-of.js';
import { StartError } from '../../errors/start-error.js';
import { lazyRequire } from '../lazy-require.js';
import { readJson } from '../read-json.js';
import { isRecord } from '../record.js';
import { absentModule } from '../project/absent-module.js';
import { provideBesideStrapi } from '../project/beside-strapi.js';
import { createEnv } from '../project/env.js';
import { explainLoading, loadModule } from '../project/load-module.js';
import { packageFolder } from '../project/plugin-packages.js';
import { isStrapiProject } from '../project/is-strapi-project.js';
import { formatPlace, locateSetting, settingFiles } from '../project/locate-setting.js';
import { withinFolder } from '../project/within-folder.js';
import { parsePlugins, type PluginSettings } from './parse-plugins.js';
import type { Environment } from '../parse-variables.js';

const lodash = lazyRequire<typeof Lodash>('lodash');

/**
 * The settings of the plugins: from the project's `config/plugins.js`, which may also be TypeScript, another kind of
 * module, or JSON. A function there is called with `{ env }`, as in Strapi v4. The settings in
 * `config/env/<environment>/plugins.js` are merged into it.
 * @param contentTypes the folder of the content types: that of a Strapi v4 project has such a file too. If both folders
 * name a plugin, the project folder wins
 * @throws StartError when a file cannot be read, or with a line for each error in it
 */
export async function loadPlugins(
  projectFolder: string,
  variables: Environment,
  { contentTypes = projectFolder, environment = '' } = {},
): Promise<Readonly<Record<string, PluginSettings>>> {
  const settings: Record<string, PluginSettings> = {};
  const folders = [...new Set([contentTypes, projectFolder])].filter(
    (folder) => settingFiles(folder, environment, FILE).length > 0,
  );
  for (const folder of folders) {
    const files = settingFiles(folder, environment, FILE).toReversed();
    const lenient = isStrapiProject(folder);
    const release = lenient ? provideBesideStrapi() : undefined;
    const contents = await withinFolder(folder, () =>
      Promise.all(files.map((file) => readSettings(file, folder, variables))),
    ).finally(release);
    const position = (keys: readonly string[]) =>
      formatPlace(locateSetting([folder], environment, { file: FILE, keys }));
    // What is not an object would vanish in a merge.
    const single = contents.length === 1 ? 0 : contents.findIndex((content) => !isRecord(content));
    const name = path.relative(folder, files[Math.max(single, 0)] ?? FILE);
    const content = single < 0 ? lodash().merge({}, ...contents) : contents[single];
    Object.assign(settings, parsePlugins(content, name, { lenient, position }));
  }
  return settings;
}

const FILE = 'config/plugins';

const UTILS = '@strapi/utils';

export type Env = ReturnType<typeof createEnv>;

/**
 * The content of a file with settings, which is read before there is more of `@strapi/utils` than `env`.
 * @throws StartError if it cannot be read
 * @param env what a function in it gets
 */
export async function readSettings(
  file: string,
  folder: string,
  variables: Environment,
  env: Env = createEnv(variables),
): Promise<unknown> {
  const isJson = file.endsWith('.json');
  try {
    if (isJson) return readJson(file);
    const isInstalled = fs.existsSync(packageFolder(folder, UTILS));
    const content = await loadModule(file, isInstalled ? {} : { [UTILS]: absentModule(UTILS, { env }) });
    return typeof content === 'function' ? await content({ env }) : content;
  } catch (error) {
    const reason = isJson ? reasonOf(error) : explainLoading(error, folder);
    throw new StartError(`${path.relative(folder, file)} cannot be read: ${reason}`, { cause: error });
  }
}
