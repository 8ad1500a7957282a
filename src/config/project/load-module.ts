import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { createJiti, Jiti } from 'jiti';
import { reasonOf } from '../../errors/reason-of.js';
import { StartError } from '../../errors/start-error.js';
import { isRecord } from '../record.js';
import { packageSpec } from './package-spec.js';

/** The file name extensions of project code. */
const endings = ['.js', '.cjs', '.mjs', '.ts', '.cts', '.mts'] as const;

/**
 * The file with this name and any of the extensions; undefined if there is none.
 * @param base its path without the extension
 * @throws StartError if there are several
 */
export const findModule = (base: string): string | undefined => onlyOf(findModules(base));

/** The file, if there is one. @throws StartError if there are several */
export function onlyOf(files: readonly string[]): string | undefined {
  if (files.length < 2) return files[0];
  throw new StartError(`${files.join(' and ')} both exist; keep one of them`);
}

/** The files with a name, each with another of the extensions. @param moreEndings additional ones, e.g. `.json` */
export const findModules = (base: string, moreEndings: readonly string[] = []): readonly string[] =>
  [...endings, ...moreEndings].map((ending) => base + ending).filter((file) => fs.existsSync(file));

/**
 * The exports of a project's file: CommonJS, an ES module or TypeScript, for any `type` of its package. A default
 * export that is an object is merged with the named exports; any other default export is returned alone.
 *
 * jiti loads TypeScript, which Node cannot, and treats all kinds of modules alike.
 * @param modules that stand for packages which are not installed, by name
 * @throws the error of the module's evaluation, or a syntax error; its cause is Node's own error, if Node was tried
 * first
 */
export async function loadModule(file: string, modules: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
  const nativeErrors: unknown[] = [];
  const jiti = loadJiti((error) => nativeErrors.push(error))(file, {
    fsCache: false,
    virtualModules: { ...modules },
    interopDefault: false,
  });
  try {
    return exportsOf(await jiti.import(file));
  } catch (error) {
    const [cause] = nativeErrors;
    if (error instanceof Error && cause !== error) error.cause ??= cause;
    throw error;
  }
}

/**
 * `createJiti` with a native import by URL. jiti imports files by their path, in which `#`, `?` and `%` do not stand
 * for themselves; only its inner function takes another import.
 */
function loadJiti(onNativeError: (error: unknown) => void): typeof createJiti {
  const require = createRequire(import.meta.url);
  const folder = path.join(path.dirname(require.resolve('jiti/package.json')), 'dist');
  const create = require(path.join(folder, 'jiti.cjs')) as (...args: readonly unknown[]) => Jiti;
  // As TypeScript has it, the default import of a package that is no compiled ES module is the package itself.
  const transform = (options: object): unknown =>
    (require(path.join(folder, 'babel.cjs')) as (options: object) => unknown)({ ...options, interopDefault: true });
  const nativeImport = (id: string): Promise<unknown> =>
    import(path.isAbsolute(id) ? pathToFileURL(id).href : id).catch((error: unknown) => {
      onNativeError(error);
      throw error;
    });
  const onError = (error: unknown): never => {
    throw error;
  };
  const createNativeRequire = (base: string): NodeJS.Require => {
    const nativeRequire = createRequire(base);
    const observed = (id: string): unknown => {
      try {
        return nativeRequire(id) as unknown;
      } catch (error) {
        if (path.isAbsolute(id)) onNativeError(error);
        throw error;
      }
    };
    return Object.assign(observed, nativeRequire);
  };
  return (id, options) =>
    create(id, { transform, ...options }, { onError, nativeImport, createRequire: createNativeRequire });
}

/** Loads files synchronously, like `require`. @throws the error of a file's evaluation */
export type Load = (file: string) => unknown;

/**
 * A loader for files that `require` each other, like those of a Strapi v4 project: everything becomes CommonJS.
 * @param folder from which packages are resolved
 * @param modules that replace installed packages, by name
 * @param cacheFolder stores compiled TypeScript by the hash of its source: compiling it takes a third of a second
 */
export function openLoader(
  folder: string,
  modules: Readonly<Record<string, unknown>>,
  cacheFolder: string | undefined,
): Load {
  const base = path.join(folder, 'package.json');
  forgetModules(folder);
  const nativeErrors: unknown[] = [];
  const jiti = loadJiti((error) => nativeErrors.push(error))(base, {
    fsCache: cacheFolder ?? false,
    virtualModules: modules,
    // `require` gives what a module exports.
    interopDefault: false,
  });
  return (file) => {
    nativeErrors.length = 0;
    try {
      return exportsOf(jiti(file));
    } catch (error) {
      // jiti compiles and evaluates a file again that Node could not load: what the code threw first is the cause.
      throw nativeErrors.find((nativeError) => !isAboutFormat(nativeError)) ?? error;
    }
  };
}

/** Whether Node refuses the format of a file, or a file without its ending, which jiti can load. */
function isAboutFormat(error: unknown): boolean {
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string };
  return (
    error instanceof SyntaxError ||
    code.startsWith('ERR_') ||
    message.includes('in ES module scope') ||
    (code === 'MODULE_NOT_FOUND' && missingPackage(error) === undefined)
  );
}

/** Each loader has its own modules, so services of one process do not share their state. */
function forgetModules(folder: string): void {
  const { cache } = createRequire(import.meta.url);
  const belongsToFolder = (file: string): boolean =>
    file.startsWith(folder + path.sep) && !file.includes(`${path.sep}node_modules${path.sep}`);
  for (const file of Object.keys(cache).filter(belongsToFolder)) delete cache[file];
}

/** Names that module systems add. */
const added = new Set(['default', '__esModule', 'module.exports']);

function exportsOf(module: unknown): unknown {
  // jiti adds a default to functions: themselves.
  if (typeof module === 'function') return (module as { readonly default?: unknown }).default ?? module;
  if (!isRecord(module)) return module;
  const { default: main } = module;
  const named = Object.entries(module).filter(([name]) => !added.has(name));
  // A compiled ES module that Node treats as CommonJS has its exports one level deeper.
  if (isRecord(main) && main['__esModule'] === true) return exportsOf(main);
  if (main === undefined) return 'default' in module && named.length === 0 ? undefined : Object.fromEntries(named);
  if (!isRecord(main) || named.every(([name, value]) => main[name] === value)) return main;
  return { ...main, ...Object.fromEntries(named) };
}

/** Explains why a file cannot be loaded, with the line in the project's code. */
export function explainLoading(error: unknown, folder: string): string {
  const missing = missingPackage(error);
  const reason =
    missing === undefined ? (reasonOf(error).trim().split('\n', 1)[0] ?? '') : describeMissing(missing.name, folder);
  const location = sourceLocation(error, folder) ?? (missing && path.relative(folder, missing.requiredBy));
  const { cause } = error as { readonly cause?: unknown };
  // The error is in a package, which Node itself could not load for a reason of its own.
  if (location === undefined && cause !== undefined) return `${reason}; Node: ${reasonOf(cause)}`;
  return location === undefined || reason.includes(location) ? reason : `${reason} (${location})`;
}

const describeMissing = (name: string, folder: string): string =>
  `the package "${name}" is not installed: run npm install ${packageSpec(name, folder)} in the project`;

/** The package that a file requires and that is not installed; undefined for another error. */
export function missingPackage(error: unknown): { readonly name: string; readonly requiredBy: string } | undefined {
  const { code, message = '', requireStack = [] } = error as Partial<RequireError>;
  const [, request] = /^Cannot find module '([^'./][^']*)'/.exec(message) ?? [];
  const [requiredBy] = requireStack;
  if (code !== 'MODULE_NOT_FOUND' || request === undefined || path.isAbsolute(request)) return undefined;
  if (requiredBy === undefined) return undefined;
  return { name: request.split('/', request.startsWith('@') ? 2 : 1).join('/'), requiredBy };
}

/** As Node's `require` throws it. */
interface RequireError {
  readonly code: string;
  readonly message: string;
  readonly requireStack: readonly string[];
}

/** The first line of a stack that lies in a folder, outside of packages: `src/index.js:3`. */
export function sourceLocation(error: unknown, folder: string): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const [paths, urls] = [folder + path.sep, `${pathToFileURL(folder).href}/`];
  for (const line of stack.split('\n')) {
    const isUrl = line.includes(urls);
    const base = isUrl ? urls : paths;
    const at = line.indexOf(base);
    const [, name = '', number] = /^([^:()]+):(\d+)/.exec(line.slice(at + base.length)) ?? [];
    if (at >= 0 && number !== undefined && !name.includes('node_modules')) {
      return `${isUrl ? decodeURIComponent(name) : name}:${number}`;
    }
  }
  return undefined;
}
