import fs from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';
import { withoutComments } from './find-uses.js';
import { withoutEffect } from './load-project.js';

/** A package that code imports and that is not installed, and where it does so first. */
export interface MissingImport {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

/** `require('x')`, `import('x')`, `import 'x'`, `import a from 'x'`, `export … from 'x'`, but not types. */
const imports =
  /\b(?:require|import)\s*\(\s*['"`]([^'"`]+)['"`]\s*\)|\b(?:import|export)\s+(?!type\b)(?:([\w$*\s{},]+?)\s+from\s*)?['"]([^'"]+)['"]/g;

/** Packages that the service has for project code. */
const provided = /^@strapi\/(?:strapi|utils|plugin-[\w-]+)(?:\/|$)/;

/** The packages that code of a project imports and that are not installed, each once. */
export function findMissingImports(
  folder: string,
  sources: readonly { readonly file: string; readonly content: string }[],
): readonly MissingImport[] {
  const missing = new Map<string, MissingImport>();
  for (const { file, content } of sources) {
    if (withoutEffect.test(file)) continue;
    const code = withoutComments(content);
    const { resolve } = createRequire(path.join(folder, file));
    for (const match of code.matchAll(imports)) {
      const [text, required, names = '', imported] = match;
      const name = packageName(required ?? imported ?? '');
      if (name === undefined || missing.has(name) || provided.test(name)) continue;
      if (/\.[cm]?ts$/.test(file) && imported !== undefined && !isUsed(names, code)) continue;
      if (resolve.paths(name)?.some((modules) => fs.existsSync(path.join(modules, name))) === true) continue;
      missing.set(name, { name, file, line: code.slice(0, match.index + text.length).split('\n').length });
    }
  }
  return [...missing.values()];
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
