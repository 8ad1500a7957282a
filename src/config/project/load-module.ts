import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { reasonOf } from '../../errors/reason-of.js';
import { StartError } from '../../errors/start-error.js';

/** The endings of files with an owner's code. */
const endings = ['.js', '.cjs', '.mjs', '.ts', '.cts', '.mts'] as const;

/**
 * The one file with a name, whatever its ending; undefined when there is none.
 * @param base its path without the ending
 * @param moreEndings further endings that the caller reads, e.g. `.json`
 * @throws StartError when there are several, as it is not clear which one counts
 */
export function findModule(base: string, moreEndings: readonly string[] = []): string | undefined {
  const found = [...endings, ...moreEndings].map((ending) => base + ending).filter((file) => fs.existsSync(file));
  if (found.length < 2) return found[0];
  throw new StartError(`${found.join(' and ')} are both there; keep one of them`);
}

/**
 * What a file with an owner's code exports: CommonJS, an ES module or TypeScript, whatever the `type` of its package says. A
 * default export that is an object, and exports with names, are taken together; any other default export stands alone.
 *
 * jiti does what Node cannot: it reads TypeScript, and it gives one answer for all forms in which a module may be written.
 * @throws what the module throws while it is evaluated, or what its syntax is refused with
 */
export async function loadModule(file: string): Promise<unknown> {
  const { createJiti } = await import('jiti');
  const jiti = createJiti(file, { fsCache: false, interopDefault: false });
  return exportsOf(await jiti.import(file));
}

/** Loads files one after the other, as `require` does. @throws what a file throws while it is evaluated */
export type Load = (file: string) => unknown;

/**
 * A loader for files that take each other in by `require`, as those of a Strapi v4 project: everything becomes CommonJS.
 * @param folder where names of packages are looked up
 * @param modules what some names stand for, whatever is installed by them
 */
export async function openLoader(folder: string, modules: Readonly<Record<string, unknown>>): Promise<Load> {
  const { createJiti } = await import('jiti');
  const base = path.join(folder, 'package.json');
  forgetModules(folder);
  const jiti = createJiti(base, { fsCache: false, virtualModules: modules });
  return (file) => exportsOf(jiti(file));
}

/** Each loader has modules of its own: what they keep is not shared by services of one process. */
function forgetModules(folder: string): void {
  const { cache } = createRequire(import.meta.url);
  const belongsToFolder = (file: string): boolean =>
    file.startsWith(folder + path.sep) && !file.includes(`${path.sep}node_modules${path.sep}`);
  for (const file of Object.keys(cache).filter(belongsToFolder)) delete cache[file];
}

/** Names that the systems of modules add themselves. */
const added = new Set(['default', '__esModule', 'module.exports']);

function exportsOf(module: unknown): unknown {
  // jiti gives functions a default that they do not have: themselves.
  if (typeof module === 'function') return (module as { readonly default?: unknown }).default ?? module;
  if (!isRecord(module)) return module;
  const { default: main } = module;
  const named = Object.entries(module).filter(([name]) => !added.has(name));
  // A compiled ES module, which Node takes for CommonJS, has its exports one level further down.
  if (isRecord(main) && main['__esModule'] === true) return exportsOf(main);
  if (main === undefined) return 'default' in module && named.length === 0 ? undefined : Object.fromEntries(named);
  if (!isRecord(main) || named.every(([name, value]) => main[name] === value)) return main;
  return { ...main, ...Object.fromEntries(named) };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Says why a file cannot be loaded, with the line of the owner's code where it happened. */
export function explainLoading(error: unknown, folder: string): string {
  const reason = reasonOf(error).split('\n', 1)[0] ?? '';
  const location = sourceLocation(error, folder);
  return location === undefined || reason.includes(location) ? reason : `${reason} (${location})`;
}

/** The first line of a stack that lies in a folder, outside of packages: `src/index.js:3`. */
export function sourceLocation(error: unknown, folder: string): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  for (const [, file = '', line] of stack.matchAll(/(?:file:\/\/)?(\/[^\s():]+|[A-Za-z]:\\[^\s():]+):(\d+)/g)) {
    const name = path.relative(folder, file);
    if (!name.startsWith('..') && !path.isAbsolute(name) && !name.includes('node_modules')) return `${name}:${line}`;
  }
  return undefined;
}
