import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/config.js';
import { findModule } from '../config/project/load-module.js';
import { suggestion } from '../content-types/model/nearest-name.js';

/**
 * A line for each name in the plugins file that is the name of no plugin, so that its settings have no effect: where it stands,
 * and which one was probably meant.
 * @param names of all plugins that there are
 */
export function findUnknownPlugins(
  { plugins, folders }: Pick<Config, 'plugins' | 'folders'>,
  names: ReadonlySet<string>,
): readonly string[] {
  const unknown = Object.keys(plugins).filter((name) => !names.has(name) && plugins[name]?.resolve === undefined);
  return unknown.map(
    (name) => `${placeOf(name, folders)}: unknown plugin "${name}" has no effect${suggestion(name, names)}`,
  );
}

/** The file and the line where a name stands first, as a whole word. */
function placeOf(name: string, { project, contentTypes }: Config['folders']): string {
  for (const folder of new Set([project, contentTypes])) {
    const file = findModule(path.join(folder, 'config', 'plugins'), ['.json']);
    const line =
      file === undefined
        ? -1
        : fs
            .readFileSync(file, 'utf8')
            .split('\n')
            .findIndex((one) => one.match(/[\w-]+/g)?.includes(name));
    if (file !== undefined && line >= 0) return `${path.relative(project, file)}:${line + 1}`;
  }
  return 'config/plugins';
}
