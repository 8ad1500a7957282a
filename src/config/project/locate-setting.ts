import fs from 'node:fs';
import path from 'node:path';
import { lineOfKey } from './line-of-key.js';
import { isStrapiProject } from './is-strapi-project.js';
import { findModules, onlyOf } from './load-module.js';
import { chosenOf, describeChoice } from './same-name.js';

/** A setting of a project. */
export interface SettingPath {
  /** The file without its ending, e.g. `config/plugins`. */
  readonly file: string;
  readonly keys: readonly string[];
  /** A string in the object that has the keys, such as the name of a middleware. */
  readonly within?: string;
}

/** The place of a setting: its file, relative to the first folder, and its line. */
export interface SettingPlace {
  readonly file: string;
  readonly line?: number;
}

/**
 * Finds a setting in its file, or in that of the environment. If some keys are missing, because code computes them, it
 * is the line of the closest enclosing key; without any, only the file.
 * @param folders with such files
 */
export function locateSetting(
  folders: readonly string[],
  environment: string,
  { file, keys, within }: SettingPath,
): SettingPlace {
  const [first = '.'] = folders;
  const matches = folders
    .flatMap((folder) => settingFiles(folder, environment, file))
    .flatMap((name) => {
      const match = lineOfKey(fs.readFileSync(name, 'utf8'), keys, within);
      return match === undefined ? [] : [{ file: path.relative(first, name), ...match }];
    });
  const deepest = Math.max(...matches.map(({ depth }) => depth));
  const best = matches.find(({ depth }) => depth === deepest);
  return best === undefined ? { file } : { file: best.file, line: best.line };
}

/**
 * The files of a project with settings such as `config/plugins`: that of the environment, whose settings count, before
 * the others.
 */
export const settingFiles = (folder: string, environment: string, file: string): readonly string[] =>
  [path.join('config', 'env', environment, path.basename(file)), file].flatMap(
    (name) => settingFile(path.join(folder, name), folder) ?? [],
  );

/** @throws StartError if there are several in a project that is not of Strapi */
function settingFile(base: string, folder: string): string | undefined {
  const files = findModules(base, ['.json']);
  return isStrapiProject(folder) ? chosenOf(files, folder) : onlyOf(files);
}

/** A line for each of these settings that has two files in a Strapi project. */
export const describeSettingFiles = (folder: string, environment: string, file: string): readonly string[] =>
  [file, path.join('config', 'env', environment, path.basename(file))].flatMap(
    (name) => describeChoice(findModules(path.join(folder, name), ['.json']), folder) ?? [],
  );

/** `config/plugins.js:3`. */
export const formatPlace = ({ file, line }: SettingPlace): string => (line === undefined ? file : `${file}:${line}`);
