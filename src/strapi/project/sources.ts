import fs from 'node:fs';
import path from 'node:path';
import { findModules } from '../../config/project/load-module.js';
import { withoutComments } from '../../config/project/without-comments.js';
import { filesBelow, foldersIn, isCode } from './find-files.js';
import { serverFile, type FoundPlugin } from './find-plugins.js';
import { importsIn } from './imports.js';
import type { ProjectCode } from './load-project.js';

/** A file of code. */
export interface Source {
  /** Its path in the project. */
  readonly file: string;
  readonly content: string;
}

/**
 * The code of a project that the server runs: below `src` and `config`, and the files beside them that it loads. What
 * only the panel loads is none of it, nor what nothing loads of plugins and extensions.
 * @param plugins those that run; default: all of the project's own
 */
export function sourcesOf(
  folder: string,
  plugins: readonly Pick<FoundPlugin, 'folder'>[] = foldersIn(path.join(folder, 'src', 'plugins')).map((own) => ({
    folder: own,
  })),
): readonly Source[] {
  const all = ['src', 'config'].flatMap((name) => filesBelow(path.join(folder, name)));
  const nameOf = (file: string): string => path.relative(folder, file).split(path.sep).join('/');
  const isOwn = isWithin(folder);
  const panel = walk(
    folder,
    all.filter((file) => ofPanel.test(nameOf(file)) && anyCode.test(file)),
    isOwn,
  );
  const loadedByPanel = new Set(panel.map(({ file }) => file));
  const ofPlugins = new Set(plugins.flatMap(rootsOf));
  const isRoot = (file: string): boolean =>
    isCode(path.basename(file)) &&
    !ofPanel.test(nameOf(file)) &&
    (ofServer.test(nameOf(file)) ||
      ofPlugins.has(file) ||
      (!hasRoots.test(nameOf(file)) && !loadedByPanel.has(path.relative(folder, file))));
  return walk(folder, all.filter(isRoot), isOwn).filter(({ file }) => !ofPanel.test(file.split(path.sep).join('/')));
}

/**
 * The server code of a project's enabled plugins that is not its own: of each package the files that its server loads.
 * Their paths are relative to the project.
 */
export const pluginSources = ({ folder, plugins }: Pick<ProjectCode, 'folder' | 'plugins'>): readonly Source[] =>
  plugins
    .filter((plugin) => !isWithin(folder)(path.join(plugin.folder, 'package.json')))
    .flatMap((plugin) => walk(folder, [serverFile(plugin.folder) ?? []].flat(), isWithin(plugin.folder)));

/** All code of a project and its plugins that the server runs. */
export const allSourcesOf = (code: Pick<ProjectCode, 'folder' | 'plugins'>): readonly Source[] => [
  ...sourcesOf(code.folder, code.plugins),
  ...pluginSources(code),
];

/** Files, and those that they load. @param isWanted which of those */
function walk(folder: string, roots: readonly string[], isWanted: (file: string) => boolean): readonly Source[] {
  const files = new Set(roots);
  const sources: Source[] = [];
  // A set is walked with what is added to it meanwhile.
  for (const file of files) {
    if (file.endsWith('.json')) continue;
    const source = { file: path.relative(folder, file), content: fs.readFileSync(file, 'utf8') };
    sources.push(source);
    for (const loaded of filesLoadedBy(source, folder)) if (isWanted(loaded)) files.add(loaded);
  }
  return sources;
}

/** Code of the project or of one of its plugins that runs in the admin panel. */
const ofPanel = /^src\/(?:admin\/|(?:plugins|extensions)\/(?:(?!server\/)[^/]+\/)+(?:admin\/|strapi-admin\.))/;

/** What the server loads by its place. */
const ofServer =
  /^(?:config|src\/(?:api|policies|middlewares))\/|^src\/index\.|^src\/extensions\/[^/]+\/strapi-server\./;

/** Folders of which the server loads one file each, and what that loads. */
const hasRoots = /^src\/(?:extensions|plugins)\//;

/** The entry of a plugin's server code, and the files beside it, which it may load by names that it makes. */
const rootsOf = ({ folder }: Pick<FoundPlugin, 'folder'>): readonly string[] => [
  ...[serverFile(folder) ?? []].flat(),
  ...filesBelow(path.join(folder, 'server')),
];

/** Pages of the panel are also written in JSX. */
const anyCode = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** `resolve: './middlewares/own'` in settings: a path in the project. */
const resolved = /\bresolve\s*:\s*['"`](\.[^'"`]*)['"`]/g;

const ofPluginSettings = /^config\/(?:env\/[^/]+\/)?plugins\.\w+$/;

/** The files that a source names by their paths. */
function filesLoadedBy({ file, content }: Source, folder: string): readonly string[] {
  const code = withoutComments(content);
  const own = importsIn(code).flatMap(({ request }) =>
    request.startsWith('.') ? [path.resolve(folder, path.dirname(file), request)] : [],
  );
  // Which plugins of the settings run is known: a copy of one of Strapi's does not.
  const settings = ofPluginSettings.test(file.split(path.sep).join('/')) ? '' : code;
  const named = [...settings.matchAll(resolved)].map(([, request = '']) => path.resolve(folder, request));
  return [...own, ...named].flatMap(filesAt);
}

/** The code that a path without an ending, or with that of the compiled file, can mean. */
const filesAt = (place: string): readonly string[] => [
  ...(isCode(path.basename(place)) && fs.statSync(place, { throwIfNoEntry: false })?.isFile() === true ? [place] : []),
  ...[place, place.replace(/\.js$/, ''), path.join(place, 'index'), path.join(place, 'strapi-server')].flatMap((base) =>
    findModules(base, ['.jsx', '.tsx']),
  ),
];

/** Whether a file is below a folder, without the packages there. */
const isWithin =
  (folder: string) =>
  (file: string): boolean =>
    file.startsWith(folder + path.sep) && !file.slice(folder.length).split(path.sep).includes('node_modules');
