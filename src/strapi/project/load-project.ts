import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import lodash from 'lodash';
import type { Config } from '../../config/config.js';
import { createEnv } from '../../config/project/env.js';
import { explainLoading, findModule, openLoader, type Load } from '../../config/project/load-module.js';
import { groupBy } from '../../config/group-by.js';
import { chosenOf, describeChoice } from '../../config/project/same-name.js';
import { StartError } from '../../errors/start-error.js';
import type { Anything, Named } from '../strapi.js';
import { findPlugins, type FoundPlugin } from './find-plugins.js';
import { filesIn, foldersIn, fileName, nameOfFolder, nameOfPart, settingsForStrapi } from './find-files.js';

export interface CodeFile {
  /** Its path in the project, e.g. `src/api/course/controllers/course.js`. */
  readonly file: string;
  /** Its exports. */
  readonly content: Anything;
}

/** The functions that run at startup and shutdown. */
export interface Phases {
  readonly register?: Anything;
  readonly bootstrap?: Anything;
  readonly destroy?: Anything;
}

/** The phases that a file exports. */
export const phasesIn = (index: CodeFile | undefined): Phases => (index?.content ?? {}) as Phases;

/** The code of a Strapi v4 project. */
export interface ProjectCode {
  readonly folder: string;
  /** By their names. */
  readonly apis: ReadonlyMap<string, ModuleCode>;
  readonly policies: Named;
  readonly middlewares: Named;
  /** `src/index`, if there is one. */
  readonly index: CodeFile | undefined;
  /** `src/extensions/<plugin>/strapi-server`. */
  readonly extensions: ReadonlyMap<string, CodeFile>;
  /** The enabled plugins with server code. */
  readonly plugins: readonly FoundPlugin[];
  /** `config/*`, that of the environment over it; without `plugins`. */
  readonly settings: Named;
  /** Every file that was loaded, in this order. */
  readonly files: readonly string[];
  /** Files that have no effect: they cannot be loaded, or another of the same name is. */
  readonly notes: readonly string[];
  /** Loads a further file or package, for `resolve` in settings. */
  readonly load: (request: string) => Anything;
}

/**
 * Loads the code of a Strapi v4 project from Strapi's folders. Only its files are evaluated;
 * only the functions in `config/` are called.
 * @param modules the replacements of packages, by name
 * @param failures receives a line for each file that cannot be loaded, in place of an error
 * @throws StartError with a line for each file that cannot be loaded: file, line and cause
 */
export function loadProjectCode(
  { folders, environment, variables, plugins }: Config,
  modules: Readonly<Record<string, unknown>>,
  failures?: string[],
): ProjectCode {
  const folder = folders.contentTypes;
  const cacheFolder = fs.existsSync(folders.data) ? path.join(folders.data, 'compiled') : undefined;
  const load = openLoader(folder, modules, cacheFolder);
  const at = (...names: string[]): string => path.join(folder, ...names);
  const files = openFiles(folder, load);
  const env = createEnv(variables);
  const settingsIn = (...names: string[]): Named =>
    lodash.mapValues(files.all(at(...names), fileName), ({ content, file }) =>
      files.attempt(file, (): unknown => (typeof content === 'function' ? content({ env }) : content)),
    );

  const settings = lodash.merge(settingsIn('config'), settingsIn('config', 'env', environment));
  delete settings['plugins'];
  // In the order of Strapi v4: `src/index` can register what the other files need, e.g. aliases of modules.
  const index = files.one(at('src'), 'index');
  const extensions = foldersIn(at('src', 'extensions')).flatMap((extension): [string, CodeFile][] => {
    const server = files.one(extension, 'strapi-server');
    return server === undefined ? [] : [[path.basename(extension), server]];
  });
  const apis = foldersIn(at('src', 'api')).map((api) => [nameOfFolder(api), loadModuleCode(api, files)] as const);
  const middlewares = contents(files.all(at('src', 'middlewares'), fileName));
  const code: ProjectCode = {
    folder,
    apis: new Map(apis),
    policies: contents(files.all(at('src', 'policies'), fileName)),
    middlewares,
    index,
    extensions: new Map(extensions),
    plugins: findPlugins(folder, plugins),
    settings,
    files: files.loaded,
    notes: files.notes,
    load: (request) => load(resolveIn(folder, request)),
  };
  if (failures === undefined && files.failures.length > 0) throw new StartError(files.failures.join('\n'));
  failures?.push(...files.failures);
  return code;
}

const contents = (files: Named<CodeFile>): Named => lodash.mapValues(files, 'content');

/** As in Strapi v4, a path that starts with a dot, or names no package, is relative to the project folder. */
function resolveIn(folder: string, request: string): string {
  const own = path.resolve(folder, request);
  if (request.startsWith('.')) return own;
  const isThere = fs.existsSync(own) || findModule(own) !== undefined;
  return isThere && !isPackage(folder, request) ? own : request;
}

function isPackage(folder: string, request: string): boolean {
  try {
    createRequire(path.join(folder, 'package.json')).resolve(request);
    return true;
  } catch {
    return false;
  }
}

function openFiles(folder: string, load: Load) {
  const loaded: string[] = [];
  const failures: string[] = [];
  const notes: string[] = [];
  /** The result of work; an error in it is recorded as a failure of the file. */
  const attempt = <T>(file: string, work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      const failure = `${file} cannot be loaded: ${explainLoading(error, folder)}`;
      if (settingsForStrapi.test(file)) notes.push(`${failure}; it has no effect`);
      else failures.push(failure);
      return undefined;
    }
  };
  const read = (code: string): CodeFile => {
    const file = path.relative(folder, code);
    loaded.push(file);
    return { file, content: attempt(file, () => load(code)) };
  };
  /** Of files with one name, the one that Strapi loads. */
  const choose = (sameName: readonly string[]): readonly string[] => {
    const chosen = chosenOf(sameName, folder);
    notes.push(...[describeChoice(sameName, folder) ?? []].flat());
    return chosen === undefined ? [] : [chosen];
  };
  const one = (folderPath: string, name: string): CodeFile | undefined => {
    const sameName = filesIn(folderPath).filter((file) => fileName(file) === name && !file.endsWith('.json'));
    return choose(sameName).map(read)[0];
  };
  return {
    loaded,
    failures,
    notes,
    attempt,
    /** The files of a folder, by the names of their contents. */
    all: (folderPath: string, name: (file: string) => string): Named<CodeFile> =>
      Object.fromEntries(
        [...groupBy(filesIn(folderPath), name).values()].flatMap(choose).map((file) => [name(file), read(file)]),
      ),
    one,
  };
}

type Files = ReturnType<typeof openFiles>;

/** The code of one API or plugin, by the names of its files. */
export type ModuleCode = Readonly<ReturnType<typeof loadModuleCode>>;

function loadModuleCode(folder: string, files: Files) {
  const all = (name: string): Named => contents(files.all(path.join(folder, name), nameOfPart));
  const lifecycles = foldersIn(path.join(folder, 'content-types')).flatMap((type) => {
    const code = files.one(type, 'lifecycles');
    return code === undefined ? [] : [[nameOfFolder(type), code.content] as const];
  });
  return {
    routes: all('routes'),
    controllers: all('controllers'),
    services: all('services'),
    policies: all('policies'),
    middlewares: all('middlewares'),
    config: all('config'),
    index: files.one(folder, 'index'),
    /** By the names of content types. */
    lifecycles: Object.fromEntries(lifecycles),
  };
}
