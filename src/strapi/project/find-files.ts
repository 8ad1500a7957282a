import fs from 'node:fs';
import path from 'node:path';
import lodash from 'lodash';
import { isCode } from './has-code.js';

/** `isOwner.js` is `isOwner`: what a file of `config`, `src/policies` or `src/middlewares` is called. */
export const nameOf = (file: string): string => path.basename(file).replace(/\.[^.]+$/, '');

/** `myThing.js` is `my-thing`: what a file of an API is called, as in Strapi v4. */
export const nameOfPart = (file: string): string => nameOfFolder(nameOf(file));

/** The same of a folder. */
export function nameOfFolder(folder: string): string {
  const name = path.basename(folder);
  return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) ? name : lodash.kebabCase(name);
}

/** Paths of the files of a folder that hold code, in the order of their names; none when it is not there. */
export const filesIn = (folder: string): readonly string[] =>
  entriesOf(folder)
    .filter((entry) => entry.isFile() && isCode(entry.name))
    .map(({ name }) => path.join(folder, name));

/** Paths of the folders in a folder, in the order of their names. */
export const foldersIn = (folder: string): readonly string[] =>
  entriesOf(folder)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => path.join(folder, name));

function entriesOf(folder: string): readonly fs.Dirent[] {
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder, { withFileTypes: true }).toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
