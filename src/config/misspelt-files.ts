import fs from 'node:fs';
import path from 'node:path';
import { distance } from '../errors/nearest-name.js';
import { isStrapiProject } from './project/is-strapi-project.js';
import { variables } from './variables.js';

const code = ['.js', '.cjs', '.mjs', '.ts', '.cts', '.mts'];
const codeOrJson = [...code, '.json'];

/** The files of `config` that the service reads, with their endings. */
const own: Readonly<Record<string, readonly string[]>> = {
  cdn: ['.json'],
  database: codeOrJson,
  plugins: codeOrJson,
  webhooks: ['.json'],
};
/** Those of Strapi, which `config` of its projects has besides; others are for the code of a project. */
const ofStrapi: Readonly<Record<string, readonly string[]>> = {
  admin: codeOrJson,
  api: codeOrJson,
  functions: codeOrJson,
  middlewares: codeOrJson,
  server: codeOrJson,
};
/** Of these the ones whose names code of a project has no other use for. */
const isOfStrapiAlone = (file: string): boolean => ['middlewares', 'server'].includes(path.parse(file).name);
/** The folders of a project. */
const folders = ['config', 'extensions'];

/**
 * More letters than these make it another name. With one letter changed, `app` is not `api`; with one more, `cdns` is
 * `cdn`.
 */
const limitOf = (name: string, known: string): number =>
  known.length < 4 ? Number(name.length > known.length) : Math.min(2, Math.floor(known.length / 4));

/**
 * A line for each file or folder of a project that has nearly the name of one that the service reads, and is not read,
 * and for each line of `.env` that names a setting and gives it no value.
 */
export function misspeltFiles({ project, contentTypes }: { project: string; contentTypes: string }): readonly string[] {
  const isStrapi = isStrapiProject(contentTypes);
  const roots = [...new Set(isStrapi ? [project, contentTypes] : [project])];
  return roots.flatMap((root) => [
    ...unreadLines(path.join(root, '.env')),
    ...namesIn(root).flatMap((name) => {
      const meant = folders.find((one) => isNearly(name, one));
      const isFolder = meant !== undefined && fs.statSync(path.join(root, name)).isDirectory();
      return isFolder && !fs.existsSync(path.join(root, meant)) ? [line(name, meant)] : [];
    }),
    ...namesIn(path.join(root, 'config')).flatMap((file) => {
      const meant = meantBy(file, isStrapi ? { ...own, ...ofStrapi } : own);
      if (meant !== undefined) return [line(`config/${file}`, `config/${meant}`)];
      return isStrapi || !isOfStrapiAlone(file) ? [] : [`config/${file} is read in a project of Strapi only`];
    }),
  ]);
}

const withoutEqualsSign = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]+)(?:\s+[^\s=:#].*)?\s*$/;

/** Lines such as `PORT 80`, which are none for the reader of the file. */
function unreadLines(file: string): readonly string[] {
  if (!fs.existsSync(file)) return [];
  const lines = fs.readFileSync(file, 'utf8').split(/\r?\n/);
  return lines.flatMap((text, index) => {
    const [, name = ''] = withoutEqualsSign.exec(text) ?? [];
    return Object.hasOwn(variables, name) ? [`.env:${index + 1} is not read; did you mean ${name}=…?`] : [];
  });
}

const line = (name: string, meant: string): string => `${name} is not read; did you mean ${meant}?`;

/** The file that a name nearly is; undefined if it is one that is read, or another one. */
function meantBy(file: string, known: Readonly<Record<string, readonly string[]>>): string | undefined {
  const { name, ext } = path.parse(file);
  if (!codeOrJson.includes(ext)) return undefined;
  const meant = Object.hasOwn(known, name) ? name : Object.keys(known).find((one) => isNearly(name, one));
  const endings = meant === undefined ? undefined : known[meant];
  if (endings === undefined || (meant === name && endings.includes(ext))) return undefined;
  return `${meant}${endings.includes(ext) ? ext : endings[0]}`;
}

const isNearly = (name: string, known: string): boolean =>
  name !== known && distance(name.toLowerCase(), known) <= limitOf(name, known);

const namesIn = (folder: string): readonly string[] => (fs.existsSync(folder) ? fs.readdirSync(folder).toSorted() : []);
