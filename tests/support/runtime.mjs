import asyncHooks from 'node:async_hooks';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import JestRuntime from 'jest-runtime';

/**
 * Jest's runtime, made to run hundreds of test files in one process, in its context. Each test file still has modules of its own.
 *
 * - Packages are loaded by Node, once per process, and stay optimized. Nobody mocks them.
 * - A module is compiled once per process instead of once per test file: V8 keeps what it compiled of a script.
 * - A file of the project is read and transformed, and its requirements are resolved, once per process. Nobody mocks a module.
 * - The stores of a test file end with it. Node 20 passes each store that was ever used (Jest opens one per file) on to
 *   every promise, and holds the modules of the file for it.
 */
export default class Runtime extends JestRuntime {
  /** @type {asyncHooks.AsyncLocalStorage<unknown>[]} */
  #stores = [];

  /** @param {ConstructorParameters<typeof JestRuntime>} options */
  constructor(...options) {
    super(...options);
    const { cjsLoader, coreModule, executor, transformCache, _config, _resolution } = this;
    const inProject = (/** @type {string} */ filename) => filename.startsWith(_config.rootDir + path.sep);
    const transform = transformCache.transform.bind(transformCache);
    transformCache.transform = (filename, transformOptions) => {
      if (!inProject(filename)) return transform(filename, transformOptions);
      let result = results.get(filename);
      if (result === undefined) {
        const code = transform(filename, transformOptions);
        // Modules of Jest are not transformed.
        result = transformCache.transforms.get(filename) ?? { code, sourceMapPath: null };
        results.set(filename, result);
      }
      transformCache.transforms.set(filename, result);
      // Stacks of errors have lines of the source.
      if (result.sourceMapPath) transformCache.sourceMaps.set(filename, result.sourceMapPath);
      return result.code;
    };
    const resolve = _resolution.resolveCjs.bind(_resolution);
    _resolution.resolveCjs = (from, to) => {
      if (!inProject(from)) return resolve(from, to);
      const key = `${from}\0${to}`;
      const resolved = resolutions.get(key) ?? resolve(from, to);
      resolutions.set(key, resolved);
      return resolved;
    };
    _resolution.getCjsMockModule = () => null;
    executor.compile = (source, filename) =>
      scriptOf(source, filename, executor.injectedModuleParameters).runInThisContext();
    const requireModule = cjsLoader.requireModule.bind(cjsLoader);
    cjsLoader.requireModule = (from, name, moduleOptions, isRequireActual) =>
      moduleOptions?.isInternalModule || !isPackage(from, name)
        ? requireModule(from, name, moduleOptions, isRequireActual)
        : createRequire(from)(name);
    const stores = this.#stores;
    class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
      /** @param {ConstructorParameters<typeof asyncHooks.AsyncLocalStorage>} parameters */
      constructor(...parameters) {
        super(...parameters);
        stores.push(this);
      }
    }
    const requireCore = coreModule.require.bind(coreModule);
    coreModule.require = (name) =>
      asyncHooksName.test(name) ? { ...asyncHooks, AsyncLocalStorage } : requireCore(name);
  }

  teardown() {
    for (const store of this.#stores) store.disable();
    super.teardown();
  }
}

/** Jest loads these packages, because its configuration replaces modules that they import. */
const mapped = /^ra-strapi-/;

/** Whether a module of the project imports a package, or a module of Node. @type {(from: string, name: string | undefined) => boolean} */
const isPackage = (from, name) =>
  name !== undefined && !/^[./]/.test(name) && !asyncHooksName.test(name) && !mapped.test(name) && !isInstalled(from);

/** @type {(file: string) => boolean} */
const isInstalled = (file) => file.includes(`${path.sep}node_modules${path.sep}`);

const asyncHooksName = /^(?:node:)?async_hooks$/;

/** @type {Map<string, { code: string, sourceMapPath: string | null }>} of transforming, by file of the project */
const results = new Map();
/** @type {Map<string, string>} which file a file of the project requires, by both names */
const resolutions = new Map();

/** @type {Map<string, { source: string, script: Script }>} */
const scripts = new Map();

/** The script of a module as a function of its parameters. A test file can write a module and load it again. */
function scriptOf(source, filename, parameters) {
  const compiled = scripts.get(filename);
  if (compiled?.source === source) return compiled.script;
  const script = new Script(`(function (${parameters.join(', ')}) {${source}\n})`, { filename });
  scripts.set(filename, { source, script });
  return script;
}
