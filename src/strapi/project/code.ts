import type { Anything, Named } from '../strapi.js';

export interface CodeFile {
  /** Its path in the project, e.g. `src/api/course/controllers/course.js`. */
  readonly file: string;
  /** Its exports. */
  readonly content: Anything;
}

/** The functions that run at startup and shutdown. */
interface Phases {
  readonly register?: Anything;
  readonly bootstrap?: Anything;
  readonly destroy?: Anything;
}

/** The code of one API or plugin, by the names of its files. */
export interface ModuleCode {
  readonly routes: Named;
  readonly controllers: Named;
  readonly services: Named;
  readonly policies: Named;
  readonly middlewares: Named;
  readonly config: Named;
  /** Its `index`: `register`, `bootstrap` and `destroy`. */
  readonly index: Phases;
  /** Lifecycles by the names of content types. */
  readonly lifecycles: Named;
}

/** The code of a Strapi v4 project. */
export interface ProjectCode {
  readonly folder: string;
  readonly apis: ReadonlyMap<string, ModuleCode>;
  readonly policies: Named;
  readonly middlewares: Named;
  /** `src/index`. */
  readonly index: Phases;
  /** `src/extensions/<plugin>/strapi-server`. */
  readonly extensions: ReadonlyMap<string, CodeFile>;
  /** `config/*`, that of the environment over it; without `plugins`. */
  readonly settings: Named;
  /** Every file that was loaded, in the order of their paths. */
  readonly files: readonly string[];
  /** Files that could not be loaded and have no effect. */
  readonly notes: readonly string[];
  /** Loads a further file or package, for `resolve` in settings. */
  readonly load: (request: string) => Anything;
}
