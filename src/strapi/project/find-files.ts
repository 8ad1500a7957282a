import fs from 'node:fs';
import path from 'node:path';
import lodash from 'lodash';
import { isStrapiProject } from '../../config/project/is-strapi-project.js';

/** File names of code, and of files beside it that are not loaded. */
const code = /\.(?:[cm]?js|[cm]?ts|json)$/;
const notCode = /\.d\.[cm]?ts$|\.(?:test|spec)\.[cm]?[jt]s$|\.map$/;

/** Whether Strapi loads a file with this name as code. */
export const isCode = (name: string): boolean => code.test(name) && !notCode.test(name) && !name.startsWith('.');

/** Settings of a Strapi v4 project that change what clients get. */
const settings = ['config/api', 'config/middlewares'];

/** Whether a project has a file of code or JSON with this name, which has no ending. */
export const hasFile = (folder: string, name: string): boolean =>
  ['.js', '.cjs', '.mjs', '.ts', '.json'].some((ending) => fs.existsSync(path.join(folder, name + ending)));

/** Folders of a Strapi v4 project with code. */
const places = ['src/policies', 'src/middlewares', 'src/plugins', 'src/extensions', 'src/api'];

/** Whether a folder contains a Strapi v4 project with code. A project can consist of content types only. */
export function hasCode(folder: string): boolean {
  if (!isStrapiProject(folder)) return false;
  const indexes = fs.existsSync(path.join(folder, 'src')) ? fs.readdirSync(path.join(folder, 'src')) : [];
  if (indexes.some((name) => /^index\.[cm]?[jt]s$/.test(name))) return true;
  if (settings.some((name) => hasFile(folder, name))) return true;
  return places.some((folderPath) => {
    const root = path.join(folder, folderPath);
    const names = fs.existsSync(root) ? fs.readdirSync(root, { recursive: true, encoding: 'utf8' }) : [];
    // Beside definitions, and files for Git or people.
    return names.some((name) => !name.endsWith('.json') && isCode(path.basename(name)));
  });
}

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

/** Files with settings for Strapi only: if one cannot be loaded, the start continues. */
export const settingsForStrapi = /^config\/(?:env\/[^/]+\/)?(?:database|admin|logger)\.\w+$/;

/** All code files below a folder, without packages. */
export const codeIn = (folder: string): readonly string[] =>
  filesBelow(folder).filter((file) => isCode(path.basename(file)));
