import fs from 'node:fs';
import path from 'node:path';
import lodash from 'lodash';
import { isCode } from './has-code.js';

/** The name of a file of `config`, `src/policies` or `src/middlewares`: `isOwner.js` is `isOwner`. */
export const fileName = (file: string): string => path.basename(file).replace(/\.[^.]+$/, '');

/** The name of a file of an API, as in Strapi v4: `myThing.js` is `my-thing`. */
export const nameOfPart = (file: string): string => nameOfFolder(fileName(file));

/** The name of a folder of an API: `myThing` is `my-thing`. */
export function nameOfFolder(folder: string): string {
  const name = path.basename(folder);
  return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) ? name : lodash.kebabCase(name);
}

/** Paths of the code files of a folder, in the order of their names; none if it does not exist. */
export const filesIn = (folder: string): readonly string[] =>
  entriesOf(folder)
    .filter((entry) => entry.isFile() && isCode(entry.name))
    .map(({ name }) => path.join(folder, name));

/** Paths of the folders in a folder, in the order of their names. */
export const foldersIn = (folder: string): readonly string[] =>
  entriesOf(folder)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => path.join(folder, name));

/** Paths of all files below a folder, without packages, in the order of their names. */
export const filesBelow = (folder: string): readonly string[] =>
  entriesOf(folder).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(file);
    return entry.isFile() || fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true ? [file] : [];
  });

function entriesOf(folder: string): readonly fs.Dirent[] {
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder, { withFileTypes: true }).toSorted((entry, other) => (entry.name < other.name ? -1 : 1));
}
