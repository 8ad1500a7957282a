/**
 * The `strapi` object for the code of a Strapi v4 project, and its parts. See docs/internals/strapi-code.md for
 * the modules that build each part, and their order.
 */
import type { CodeForm } from '../plugins/contract/code-form.js';
import type { BuiltInContext } from '../plugins/contract/built-in.js';
import type { AnsweredAction } from '../plugins/contract/answerer.js';
import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from 'koa';
import type { Registry } from '../content-types/model/types.js';
import type { Documents } from '../documents/documents.js';
import type { Listeners } from '../documents/events/audiences.js';
import type { ProjectHooks } from '../documents/hooks.js';
import type { IdempotencyKeys } from '../mongo/coordination/idempotency-keys.js';
import type { Store } from '../mongo/store.js';
import type { Values } from '../mongo/values.js';
import type { EntityService as TypedEntityService } from '../plugins/contract/application.js';
import type { BodyReader } from '../plugins/contract/plugin.js';

// oxlint-disable-next-line typescript/no-explicit-any -- the type is defined by project code
export type Anything = any;

/** By names chosen by the project. */
export type Named<T = Anything> = Record<string, T>;

/** A content type or component in Strapi's form: its `schema.json`, with Strapi's additions. */
export interface Model {
  readonly uid: string;
  readonly modelName: string;
  readonly kind?: 'collectionType' | 'singleType';
  readonly collectionName: string;
  readonly info: Named;
  readonly options: Named;
  readonly pluginOptions?: Named;
  attributes: Named<Named>;
  /** Those that only code of the project reads. */
  readonly [more: string]: unknown;
}

/** The content types and components by uid. `register` can change them; then they are linked. */
export interface Models {
  readonly contentTypes: Named<Model>;
  readonly components: Named<Model>;
}

/** The running service for the parts of `strapi`, available from `bootstrap` on. */
export interface Runtime {
  readonly registry: Registry;
  readonly documents: Documents;
  readonly store: Store;
  /** The values of `strapi.store`. */
  readonly values: Values;
  /** For bodies that are neither JSON nor a plain form. */
  readonly bodyReaders: readonly BodyReader[];
  readonly idempotencyKeys: IdempotencyKeys;
  /** Whose names code uses in queries. */
  readonly audience: 'code' | 'documentCode';
  /** What code gets of Strapi 5's form; undefined: it is that of Strapi v4. */
  readonly codeForm: (() => CodeForm | undefined) | undefined;
  /** The context of plugins: entries, passwords, limits, claims, settings, … */
  readonly plugins: BuiltInContext;
}

/** The inputs of a part of `strapi`. */
export interface StrapiContext {
  readonly models: Models;
  readonly log: StrapiLog;
  readonly config: StrapiConfig;
  /** @param wants the requested part, for messages @throws Error while the service is not available yet */
  runtime(wants: string): Runtime;
  /** The complete object, for parts that call others. */
  readonly strapi: Strapi;
  /** The package `@strapi/utils`. */
  readonly utils: Named;
}

/** Settings by path, `server.port`, from `config/` and of plugins (`plugin.<name>.…`). */
export interface StrapiConfig {
  get(path?: string | readonly string[], fallback?: unknown): Anything;
  set(path: string | readonly string[], value: unknown): unknown;
  has(path: string | readonly string[]): boolean;
  readonly [section: string]: unknown;
}

type Level = 'debug' | 'info' | 'warn' | 'error' | 'http' | 'verbose' | 'silly';
export type StrapiLog = Readonly<Record<Level, (...parts: unknown[]) => void>>;

/** `strapi.entityService`: the methods that the service calls too, with what code may pass and return. */
export type EntityService = Readonly<Record<keyof TypedEntityService, (...args: Anything[]) => Promise<Anything>>>;

/** `strapi.db`. */
export interface StrapiDatabase {
  query(uid: string): Named<(...args: Anything[]) => Promise<Anything>>;
  transaction(work?: (transaction: Anything) => unknown): Promise<Anything>;
  readonly lifecycles: Lifecycles;
  readonly [more: string]: unknown;
}

/** The actions `Create`, `FindMany`, …, each with an event before and after. */
export type EventName =
  'Create' | 'CreateMany' | 'Update' | 'UpdateMany' | 'Delete' | 'DeleteMany' | 'FindOne' | 'FindMany' | 'Count';

/** `strapi.db.lifecycles`, available from the beginning: code subscribes to events before there is a database. */
export interface Lifecycles {
  /** @returns a function that ends it */
  subscribe(subscriber: Anything): () => void;
  /** Whether events of this action on a content type are observed. */
  isObserved(uid: string, action: AnsweredAction): boolean;
  /**
   * Runs an action between its events. Subscribers can change `params` before and the result after it, but, as in
   * Strapi v4, not put another in its place. If the action finds nothing to do it returns undefined: then there is no
   * event after it, and the result is null.
   */
  around<T>(uid: string, name: EventName, params: Named, work: (params: Named) => Promise<T>): Promise<T>;
  /** The hooks by which the documents service reports writes. */
  readonly hooks: ProjectHooks;
  readonly [more: string]: unknown;
}

/** By name in an API or plugin, by uid in `strapi`. */
interface Finders {
  readonly contentTypes: Named<Model>;
  contentType(name: string): Model | undefined;
  readonly services: Named;
  service(name: string): Anything;
  readonly controllers: Named<Controller>;
  controller(name: string): Controller | undefined;
  readonly policies: Named;
  policy(name: string): Anything;
  readonly middlewares: Named;
  middleware(name: string): Anything;
}

/** One API or plugin: `strapi.api.course`, `strapi.plugin('i18n')`. */
export interface StrapiModule extends Finders {
  readonly config: (path: string, fallback?: unknown) => Anything;
  readonly routes: Anything;
}

/** @param returnsUser only for `auth.emailConfirmation`: it returns the user in place of a redirect */
export type Action = (context: Context, next?: () => Promise<unknown>, returnsUser?: boolean) => unknown;
type Controller = Named<Action>;

export interface Strapi extends Finders {
  readonly config: StrapiConfig;
  readonly log: StrapiLog;
  readonly entityService: EntityService;
  readonly db: StrapiDatabase;
  query(uid: string): Anything;
  readonly components: Named<Model>;
  getModel(uid: string): Model | undefined;
  readonly api: Named<StrapiModule>;
  readonly plugins: Named<StrapiModule>;
  plugin(name: string): StrapiModule | undefined;
  readonly requestContext: Pick<AsyncLocalStorage<Context>, 'run'> & { get(): Context | undefined };
  readonly eventHub: Listeners & { emit(event: string, info?: unknown): Promise<void> };
  readonly cron: Named;
  readonly dirs: Named;
  /** Those that only code of the project reads, and sets. */
  [more: string]: unknown;
}
