import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { Config, Secrets } from '../../config/config.js';
import type { FindProvider } from '../../config/project/find-provider.js';
import type { AttributeDefinition, ContentTypeDefinition, Defined } from '../../content-types/model/definition.js';
import type { Registry } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import type { Documents } from '../../documents/documents.js';
import type { Entries } from '../../documents/entries.js';
import type { DocumentHooks } from '../../documents/hooks.js';
import type { RequestContext } from '../../documents/request-context.js';
import type { Interceptor } from '../../documents/interceptors.js';
import type { Passwords } from '../../documents/write/passwords.js';
import type { ErrorLog } from '../../errors/error-log.js';
import type { Locks } from '../../mongo/coordination/locks.js';
import type { Log } from '../../mongo/connection/database.js';
import type { FileStore } from '../../mongo/files/file-store.js';
import type { RateLimits } from '../../mongo/coordination/rate-limits.js';
import type { QueryInput } from '../../query/parse/input.js';
import type { QueryLimits } from '../../query/parse/parse-query.js';
import type { Access } from './access/access.js';
import type { ReadPreview } from './access/preview-links.js';
import type { ActionGuards, RestGuards } from './access/policy-request.js';
import type { Application } from './application.js';
import type { BodyReader, ReadForm, UploadFile } from './forms.js';
import type { GraphqlExecutor, GraphqlParts } from './graphql/parts.js';
import type { GraphqlProject } from './graphql/project.js';
import type { Page, RouteDescription } from './descriptions.js';
import type { NamedPolicies } from './policies.js';
import type { Responses } from './responses.js';

export type { BodyReader } from './forms.js';
export type { Responses } from './responses.js';

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
  readonly routes?: readonly Route[] | ((registry: Registry) => readonly Route[]);
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
  /** What it offers to an owner's code: `strapi.plugin(name).service(…)`. */
  readonly services?: Readonly<Record<string, object>>;
  /** What it adds to the GraphQL API; asked for after every plugin has started. */
  readonly graphql?: (context: PluginContext) => GraphqlParts | Promise<GraphqlParts>;
  /** Actions that can be allowed beside those of its routes. */
  readonly actions?: (registry: Registry) => readonly string[];
  /**
   * Applies its part of what an owner declares; applying it again changes nothing. Gives a line for each change.
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

/** What a plugin gets of the running service. */
export interface PluginContext {
  readonly registry: Registry;
  readonly documents: Documents;
  /** Entries by uid and parameters, for our own code. */
  readonly entries: Entries;
  readonly limits: QueryLimits;
  /** Entries of localized types tell their other localizations. */
  readonly entryMeta: boolean;
  /** Every action that can be allowed. */
  readonly actions: readonly string[];
  /** Those of the owner and the plugins, in the order in which they are tried. */
  readonly routes: readonly Route[];
  readonly pages: readonly Page[];
  /** What the project declares in `access.json`: it counts again at every start. */
  readonly declared: Access | undefined;
  readonly passwords: Passwords;
  readonly claims: Locks;
  readonly rateLimits: RateLimits;
  /** Files in the database. */
  readonly gridFiles: FileStore;
  /** Of the plugin that can; undefined when it is turned off. */
  readonly readForm: ReadForm | undefined;
  /** Works when it is a request's turn: for mounts, routes do so by themselves. @throws AppError overloaded */
  readonly admit: <T>(response: ServerResponse, work: () => Promise<T>) => Promise<T>;
  /** How mounts answer with JSON; routes do so by themselves. */
  readonly responses: Responses;
  readonly environment: Config['environment'];
  /** Who sees drafts. */
  readonly drafts: Config['drafts'];
  /** Of preview links; undefined where everyone who may read an entry sees its draft. */
  readonly readPreview: ReadPreview | undefined;
  /** Where clients reach the service, without a slash at the end; undefined when nobody said it. */
  readonly publicUrl: string | undefined;
  readonly mailer: Mailer;
  /** Loads a module of the project, as its code is loaded. @throws what it throws while it is evaluated */
  readonly loadModule: (file: string) => Promise<unknown>;
  readonly secrets: Secrets;
  readonly folders: { readonly data: string; readonly project: string };
  /** Bytes of a request's body. */
  readonly bodyLimit: number;
  /** Who sends a request with these headers. @throws AppError unauthorized */
  readonly authenticate: (headers: IncomingHttpHeaders) => Promise<Caller>;
  /** What all plugins add to the GraphQL API; to be asked for when they have started. */
  /** What an owner's code is given by the name `strapi`. */
  readonly application: Application;
  /** The code of a Strapi v4 project as the GraphQL API sees it; undefined without such code. */
  readonly project: GraphqlProject | undefined;
  /** Policies and middlewares of the owner, by their names. */
  readonly named: NamedPolicies;
  /** The owner's policies before an action, for every transport. */
  readonly guards: ActionGuards;
  /** What only requests to the REST API pass, by action; to be asked for when routes are loaded. */
  readonly restGuards: () => RestGuards;
  /** Logs a line at the level of warnings. */
  readonly warn: (line: string) => void;
  readonly graphqlParts: () => Promise<readonly GraphqlParts[]>;
  /** Counts how GraphQL operations were executed. */
  readonly observeGraphql: (executor: GraphqlExecutor) => void;
  /** Counts a log-in with a wrong name or password. */
  readonly observeFailedLogin: () => void;
  readonly log: Log & ErrorLog;
}

/** A mail, with what else the provider understands: `html`, `cc`, `attachments`. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly [more: string]: unknown;
}

export interface Mailer {
  /** @throws what the provider or the connection throws */
  send(mail: Mail): Promise<void>;
}

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

/** Whether caches may keep an answer: `public` as `CACHE_CONTROL` says, `never` in no case. */
export type Caching = 'public' | 'never';

/** A route below `/api`. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As express writes paths, e.g. `/users/:id`. */
  readonly path: string;
  /** The action that the caller must be allowed; undefined: anyone may. */
  readonly action: string | undefined;
  /** Undefined: nothing is said of caches. */
  readonly caching?: Caching;
  /** Runs before the handler, e.g. to read a body that is neither JSON nor a form. */
  readonly before?: readonly RequestHandler[];
  readonly handle: (request: RouteRequest) => Promise<Reply>;
  /** For the documentation of the API. */
  readonly description?: RouteDescription;
}

export interface RouteRequest extends RequestContext {
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryInput;
  /** What the body parsers made of the body. */
  readonly body: unknown;
  /** The files that a `before` handler took in. */
  readonly files: unknown;
  /** The request itself, for a body that no parser has read. */
  readonly message: IncomingMessage;
  /** The address of the client, as far as it can be trusted. */
  readonly address: string;
}

export interface Reply {
  readonly status?: number;
  /** Sent as JSON; undefined: nothing is sent, with status 204 unless another is given. */
  readonly body: unknown;
  /** Sent as plain text, in place of the body. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** What is served below a path of its own, e.g. `/uploads`; it passes on what it does not know. */
export interface Mount {
  readonly path: string;
  readonly handler: RequestHandler;
}
