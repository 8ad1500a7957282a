import fs from 'node:fs';
import path from 'node:path';
import { findModules } from '../../config/project/load-module.js';
import { withoutComments } from '../../config/project/without-comments.js';
import { filesBelow, isCode } from './find-files.js';
import { importsIn } from './imports.js';

/** A file of code. */
export interface Source {
  /** Its path in the project. */
  readonly file: string;
  readonly content: string;
}

/**
 * The code of a project that the server runs: below `src` and `config`, and the files beside them that it loads. What
 * only the panel loads is none of it.
 */
export function sourcesOf(folder: string): readonly Source[] {
  const all = ['src', 'config'].flatMap((name) => filesBelow(path.join(folder, name)));
  const nameOf = (file: string): string => path.relative(folder, file).split(path.sep).join('/');
  const panel = walk(
    folder,
    all.filter((file) => ofPanel.test(nameOf(file)) && anyCode.test(file)),
  );
  const loadedByPanel = new Set(panel.map(({ file }) => file));
  const isRoot = (file: string): boolean =>
    isCode(path.basename(file)) &&
    !ofPanel.test(nameOf(file)) &&
    (ofServer.test(nameOf(file)) || !loadedByPanel.has(path.relative(folder, file)));
  return walk(folder, all.filter(isRoot)).filter(({ file }) => !ofPanel.test(file.split(path.sep).join('/')));
}

/** Files, and those of the project that they load. */
function walk(folder: string, roots: readonly string[]): readonly Source[] {
  const files = new Set(roots);
  const sources: Source[] = [];
  // A set is walked with what is added to it meanwhile.
  for (const file of files) {
    if (file.endsWith('.json')) continue;
    const source = { file: path.relative(folder, file), content: fs.readFileSync(file, 'utf8') };
    sources.push(source);
    for (const loaded of filesLoadedBy(source, folder)) files.add(loaded);
  }
  return sources;
}

/** Code of the project or of one of its plugins that runs in the admin panel. */
const ofPanel = /^src\/(?:admin\/|(?:plugins|extensions)\/(?:(?!server\/)[^/]+\/)+(?:admin\/|strapi-admin\.))/;

/** What the server loads by its place. */
const ofServer = /^(?:config|src\/(?:api|policies|middlewares|extensions|plugins))\/|^src\/index\./;

/** Pages of the panel are also written in JSX. */
const anyCode = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** `resolve: './middlewares/own'` in settings: a path in the project. */
const resolved = /\bresolve\s*:\s*['"`](\.[^'"`]*)['"`]/g;

/** The files of a project that a source names by their paths. */
function filesLoadedBy({ file, content }: Source, folder: string): readonly string[] {
  const code = withoutComments(content);
  const own = importsIn(code).flatMap(({ request }) =>
    request.startsWith('.') ? [path.resolve(folder, path.dirname(file), request)] : [],
  );
  const named = [...code.matchAll(resolved)].map(([, request = '']) => path.resolve(folder, request));
  return [...own, ...named].flatMap(filesAt).filter((loaded) => isWithin(folder, loaded));
}

/** The code that a path without an ending, or with that of the compiled file, can mean. */
const filesAt = (place: string): readonly string[] => [
  ...(isCode(path.basename(place)) && fs.statSync(place, { throwIfNoEntry: false })?.isFile() === true ? [place] : []),
  ...[place, place.replace(/\.js$/, ''), path.join(place, 'index'), path.join(place, 'strapi-server')].flatMap((base) =>
    findModules(base, ['.jsx', '.tsx']),
  ),
];

const isWithin = (folder: string, file: string): boolean =>
  file.startsWith(folder + path.sep) && !file.split(path.sep).includes('node_modules');
