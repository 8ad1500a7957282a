import fs from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';
import { withoutComments } from '../../config/project/without-comments.js';
import { settingsForStrapi } from './find-files.js';
import { importsIn } from './imports.js';
import type { Source } from './sources.js';

/** A package that code imports and that is not installed, and where it does so first. */
interface MissingImport {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

/**
 * The packages that code of a project imports and that are not installed, each once. The code is loaded: what it made
 * of names counts.
 * @param isProvided whether the service has something in place of a module
 */
export function findMissingImports(
  folder: string,
  sources: readonly Source[],
  isProvided: (request: string) => boolean,
): readonly MissingImport[] {
  const missing = new Map<string, MissingImport>();
  for (const { file, content } of sources) {
    if (settingsForStrapi.test(file)) continue;
    const code = withoutComments(content);
    const { resolve } = createRequire(path.join(folder, file));
    for (const { request, names, end } of importsIn(code)) {
      const name = packageName(request);
      if (name === undefined || missing.has(name) || isProvided(request)) continue;
      if (/\.[cm]?ts$/.test(file) && names !== undefined && !isUsed(names, code)) continue;
      if (resolve.paths(name)?.some((modules) => fs.existsSync(path.join(modules, name))) === true) continue;
      if (isResolved(request, resolve)) continue;
      missing.set(name, { name, file, line: code.slice(0, end).split('\n').length });
    }
  }
  return [...missing.values()];
}

/** Whether Node finds a module, as it does those of an alias that code has registered. */
export function isResolved(request: string, resolve: NodeJS.RequireResolve): boolean {
  try {
    return resolve(request) !== '';
  } catch {
    return false;
  }
}

/** The package of `lodash/fp`; undefined for files and modules of Node. */
function packageName(request: string): string | undefined {
  if (!/^(?:@[\w.-]+\/)?[a-z][\w.-]*(?:\/|$)/i.test(request) || isBuiltin(request)) return undefined;
  return request.split('/', request.startsWith('@') ? 2 : 1).join('/');
}

/** Whether a name that TypeScript imports is used as a value: it erases others. */
const isUsed = (names: string, code: string): boolean =>
  names === '' ||
  [...names.matchAll(/(?:[\w$]+\s+as\s+)?([\w$]+)(?=\s*(?:,|\}|$))/g)].some(([, name = '']) =>
    new RegExp(`(?:\\bnew\\s+|\\bextends\\s+|[=(,]\\s*)${name}\\b(?!\\s*[:}\\]])|\\b${name}\\s*(?:\\(|\\.)`).test(code),
  );
