import fs from 'node:fs';
import path from 'node:path';
import { findModules } from '../../config/project/load-module.js';
import { withoutComments } from '../../config/project/without-comments.js';
import { codeIn, isCode } from './find-files.js';
import { importsIn } from './imports.js';

/** A file of code. */
export interface Source {
  /** Its path in the project. */
  readonly file: string;
  readonly content: string;
}

/** The code of a project outside of the panel: below `src` and `config`, and the files beside them that it loads. */
export function sourcesOf(folder: string): readonly Source[] {
  const files = new Set([...codeIn(path.join(folder, 'src')), ...codeIn(path.join(folder, 'config'))]);
  const sources: Source[] = [];
  // A set is walked with what is added to it meanwhile.
  for (const file of files) {
    const name = path.relative(folder, file);
    if (ofPanel.test(name.split(path.sep).join('/')) || file.endsWith('.json')) continue;
    const source = { file: name, content: fs.readFileSync(file, 'utf8') };
    sources.push(source);
    for (const loaded of filesLoadedBy(source, folder)) files.add(loaded);
  }
  return sources;
}

/** Code of the project or of one of its plugins that runs in the admin panel. */
const ofPanel = /^src\/(?:admin\/|(?:plugins|extensions)\/[^/]+\/(?:admin\/|strapi-admin\.))/;

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
    findModules(base),
  ),
];

const isWithin = (folder: string, file: string): boolean =>
  file.startsWith(folder + path.sep) && !file.split(path.sep).includes('node_modules');
