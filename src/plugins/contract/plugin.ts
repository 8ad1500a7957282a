import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import type { FindProvider } from '../../config/project/find-provider.js';
import type { AttributeDefinition, ContentTypeDefinition, Defined } from '../../content-types/model/definition.js';
import type { Registry } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import type { DocumentHooks } from '../../documents/hooks.js';
import type { Interceptor } from '../../documents/interceptors.js';
import type { Access } from './access/access.js';
import type { BodyReader, ReadForm, UploadFile } from './forms.js';
import type { GraphqlParts } from './graphql/parts.js';
import type { Page, Routes } from './routes.js';
import type { PluginContext } from './plugin-context.js';

export type { BodyReader } from './forms.js';
export type { Mail, Mailer, PluginContext } from './plugin-context.js';
export type { Responses } from './responses.js';
export type { Caching, Reply, Route, RouteRequest } from './routes.js';

/**
 * What a plugin may add to the service; all of it optional. A plugin is made by a function of its settings; what it
 * needs of the running service it gets in `start`, before the first request.
 */
export interface Plugin {
  readonly name: string;
  /** Content types of its own, with uids that begin with `plugin::<name>.`. */
  readonly contentTypes?: readonly Defined<ContentTypeDefinition>[];
  /** Attributes that it adds to content types of others. */
  readonly attributes?: (type: Defined<ContentTypeDefinition>) => Readonly<Record<string, AttributeDefinition>>;
  /** What it does to queries before they are compiled. */
  readonly interceptors?: readonly Interceptor[];
  /** What it does to writes. */
  readonly hooks?: DocumentHooks;
  /** Work before the first request: load what the parts above need, create what must exist. */
  readonly start?: (context: PluginContext) => Promise<void>;
  /** Work that needs what the code of a project did in `bootstrap`. */
  readonly ready?: (context: PluginContext) => Promise<void>;
  /**
   * Other services that parts of it need, by their names in `/_ready`. Each rejects while its service does not answer; the other parts of
   * the API work then.
   */
  readonly dependencies?: Readonly<Record<string, () => Promise<void>>>;
  /** Ends what `start` began. */
  readonly stop?: () => Promise<void>;
  /**
   * Recognises who sends a request; undefined when the credentials are of another kind.
   * @throws AppError unauthorized
   */
  readonly authenticate?: (credentials: Credentials) => Promise<Caller | undefined>;
  /** Those for content types are made from the registry. */
  readonly routes?: Routes;
  /** Reads the bodies of entries that are neither JSON nor a form. */
  readonly bodyReader?: BodyReader;
  /** Reads forms with files for other plugins; see `PluginContext`. */
  readonly readForm?: ReadForm;
  /** Takes files in for the service's own code. */
  readonly uploadFile?: UploadFile;
  /** What it serves outside of `/api`. */
  readonly mounts?: readonly Mount[];
  /** What of it people can look at in development; the landing page leads to them. */
  readonly pages?: readonly Page[];
  /** What it offers to project code: `strapi.plugin(name).service(…)`. */
  readonly services?: Readonly<Record<string, object>>;
  /** What it adds to the GraphQL API; asked for after every plugin has started. */
  readonly graphql?: (context: PluginContext) => GraphqlParts | Promise<GraphqlParts>;
  /** Actions that can be allowed beside those of its routes. */
  readonly actions?: (registry: Registry) => readonly string[];
  /**
   * Applies its part of what an owner declares; applying it again changes nothing. Returns a line for each change.
   * Runs after every plugin has started.
   */
  readonly applyAccess?: (access: Access) => Promise<readonly string[]>;
  /** What an operator can do from the shell; they run in a process of their own, after every plugin has started. */
  readonly commands?: readonly Command[];
}

/**
 * Makes a plugin of its settings in the plugins file.
 * @param findProvider finds packages of providers in the project
 * @param tolerate receives a line for each setting that has no effect; absent: such settings are refused. A Strapi v4 project may have them
 * @throws StartError naming what is wrong in the settings
 */
export type PluginFactory = (
  settings: Readonly<Record<string, unknown>>,
  findProvider?: FindProvider,
  tolerate?: Tolerate,
) => Plugin;

export type Tolerate = (line: string) => void;

/** A command of `npx content-service access`. */
export interface Command {
  /** Its words and what it takes, e.g. `token create <name>`, as commander writes it. */
  readonly usage: string;
  readonly description: string;
  /** What each option does, by its flags, e.g. `--expires <date>`. */
  readonly options?: Readonly<Record<string, string>>;
  /** @throws AppError, StartError saying what is wrong with the input */
  readonly run: (input: CommandInput) => Promise<CommandResult>;
}

/** What was given to a command, by the names in its usage and options. */
export type CommandInput = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

export interface CommandResult {
  /** Shown as a table, or as JSON. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Lines for people. */
  readonly notes?: readonly string[];
}

/** What a request says about who sent it. */
export interface Credentials {
  /** Of `Authorization: Bearer …`; undefined when there is none. */
  readonly token: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** What is served below a path of its own, e.g. `/uploads`; it passes on what it does not know. */
export interface Mount {
  readonly path: string;
  readonly handler: RequestHandler;
}
