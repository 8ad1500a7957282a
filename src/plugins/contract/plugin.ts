import type { FindProvider } from '../../config/project/find-provider.js';
import type { AttributeDefinition, ContentTypeDefinition, Defined } from '../../content-types/model/definition.js';
import type { Registry } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import type { Entry } from '../../documents/entries.js';
import type { DocumentHooks } from '../../documents/hooks.js';
import type { Interceptor } from '../../documents/interceptors.js';
import type { Activity, Origin, Receipt } from '../../query/receipt.js';
import type { TaggedCache } from './caches.js';
import type { CodeForm } from './code-form.js';
import type { ContentApi } from './content-api.js';
import type { EventForm } from './event-form.js';
import type { GraphqlForm } from './graphql/form.js';
import type { GraphqlParts } from './graphql/parts.js';
import type { Request, RequestHandler } from './http/messages.js';
import type { FormContext, PluginContext, ServiceSettings } from './plugin-context.js';
import type { Page, Routes } from './routes.js';

export type { Request, RequestHandler, Response } from './http/messages.js';
export type { ContentApi, ContentRead, ContentRequest, ContentWrite, ContentWriteRequest } from './content-api.js';
export type { BodyReader } from './forms.js';
export type { TaggedCache } from './caches.js';
export type { FormContext, Mail, Mailer, PluginContext, ServiceSettings } from './plugin-context.js';
export type { Caching, Forgive, Reply, Route, RouteRequest } from './routes.js';

/**
 * The parts that a plugin can add to the service, all optional. A plugin is created by a function of its settings; it
 * receives the running service in `start`, before the first request.
 */
export interface Plugin<Context extends PluginContext = PluginContext> {
  readonly name: string;
  /** The plugin's own content types, with uids that begin with `plugin::<name>.`. */
  readonly contentTypes?: readonly Defined<ContentTypeDefinition>[];
  /** Attributes that it adds to content types of others; undefined: none. */
  readonly attributes?: (
    type: Defined<ContentTypeDefinition>,
  ) => Readonly<Record<string, AttributeDefinition>> | undefined;
  /**
   * Its clients address entries by a `documentId`, which localizations have in common. Entries that are stored get it
   * from `content-service migrate`.
   */
  readonly documentIds?: true;
  /**
   * Its clients save drafts of published entries: all types of the project with drafts have working copies, whatever
   * their definitions say.
   */
  readonly workingCopies?: true;
  /** Unique values of localized types are unique in each locale, not in all of them. */
  readonly uniquePerLocale?: true;
  /** Localizations share components, zones and files that are not marked as localized, beside values. */
  readonly sharedParts?: true;
  /** Rewrites queries before they are compiled. */
  readonly interceptors?: readonly Interceptor[];
  /** Hooks into writes. */
  readonly hooks?: DocumentHooks;
  /**
   * Hears which entries the writes of this process have changed, all of them: those that clients, code and plugins ask
   * for, and those that follow, such as removed references to a deleted entry. That is after they are stored and before
   * they are acknowledged, so that whoever has written sees what it does. It may hear twice of a write, and of one that
   * failed when it is not known whether it was stored; what a process had not told when it was killed is lost, unless
   * the write was acknowledged. It is called from the end of `start` until `stop`. Its errors are logged: the write is
   * stored. Where it fails because the database does not answer, the write is not acknowledged, and it is told again.
   */
  readonly onChanges?: (changes: readonly EntryChange[]) => void | Promise<void>;
  /**
   * Hears of every write at least once, with who did it, whatever is interrupted: what it hears is stored with the
   * write, in the same command or transaction, and told soon afterwards; until it has resolved, it is told again, by
   * another process too. The writes of its own content types have none of this. A write of one entry is one, whatever
   * follows from it in others; one of several entries has the same `writeId` for each.
   */
  readonly onWrites?: (writes: readonly KnownWrite[]) => Promise<void>;
  /**
   * Hears of what is done besides writes of entries, such as log-ins, at least once, whatever is interrupted: it is
   * stored before it is acknowledged, and told again until this has resolved, by another process too.
   */
  readonly onActivities?: (activities: readonly KnownActivity[]) => Promise<void>;
  /** Work before the first request: load data for the parts above, create required entries. */
  readonly start?: (context: Context) => Promise<void>;
  /** Work that depends on `bootstrap` of the project. */
  readonly ready?: (context: Context) => Promise<void>;
  /**
   * External services that parts of it need, by their names in `/_ready`. Each rejects while its service does not
   * respond; the other parts of the API work then.
   */
  readonly dependencies?: Readonly<Record<string, () => Promise<void>>>;
  /** Stops the work of `start`. */
  readonly stop?: () => Promise<void>;
  /**
   * Identifies the caller of a request; undefined for credentials of another kind.
   * @throws AppError unauthorized
   */
  readonly authenticate?: (credentials: Credentials) => Promise<Caller | undefined>;
  /** Routes of content types are created from the registry. */
  readonly routes?: Routes;
  /** Handlers outside of `/api`. The context is complete once the plugins have started. */
  readonly mounts?: (context: Context) => readonly Mount[];
  /** The content API in other forms. The context is complete once the plugins have started. */
  readonly contentApis?: (context: FormContext) => readonly ContentApi[];
  /**
   * What code of a project gets that is written for this form of the API. The context is complete once the plugins have
   * started.
   */
  readonly codeForm?: (context: FormContext) => CodeForm;
  /** The events of writes in other forms, for webhooks. */
  readonly eventForms?: (context: FormContext) => readonly EventForm[];
  /**
   * The caches in front of the service; only asked for with `CACHE_TAGS`.
   * @throws StartError listing what is declared wrongly
   */
  readonly caches?: (settings: ServiceSettings) => readonly TaggedCache[];
  /** Pages for development, to which the landing page links. */
  readonly pages?: readonly Page[];
  /** Services for project code: `strapi.plugin(name).service(…)`. */
  readonly services?: Readonly<Record<string, object>>;
  /** Additions to the GraphQL API, requested after every plugin has started. */
  readonly graphql?: (context: Context) => GraphqlParts | Promise<GraphqlParts>;
  /** The GraphQL API in other forms, each at its own path. The plugin `graphql` serves them. */
  readonly graphqlForms?: (context: FormContext) => readonly GraphqlForm[];
  /** Actions that can be granted in addition to those of its routes. */
  readonly actions?: (registry: Registry) => readonly string[];
  /**
   * Checks what it has stored, for `check-data`: yields what is wrong. The plugin is not started.
   * @param read all entries of one of its content types, in the order of their ids
   */
  readonly check?: (read: (uid: string) => AsyncIterable<Entry>) => AsyncIterable<Breach>;
  /** Commands for operators, which run in a separate process, after every plugin has started. */
  readonly commands?: readonly Command[];
}

/**
 * Creates a plugin from its settings in the plugins file.
 * @param findProvider finds packages of providers in the project
 * @param tolerate receives a line for each setting that has no effect; absent: such settings are refused. Strapi v4
 * projects can have them
 * @throws StartError listing invalid settings
 */
export type PluginFactory = (
  settings: Readonly<Record<string, unknown>>,
  findProvider?: FindProvider,
  tolerate?: Tolerate,
) => Plugin;

export type Tolerate = (line: string) => void;

/** What a write has changed. */
export interface EntryChange {
  /** The uid of the content type. */
  readonly type: string;
  /** The entry; undefined: any of the type. */
  readonly id: number | undefined;
  /** Not the entry has changed, but its working copy. */
  readonly isCopy?: true;
}

/** A write that is stored, and who did it. */
export interface KnownWrite extends Pick<Receipt, 'at' | 'action' | 'by' | 'hash'>, Origin {
  /** The `writeId` that the hooks of the write were told. */
  readonly writeId: string;
  /** The uid of the content type. */
  readonly type: string;
  readonly id: number;
  /** An import has replaced the working copy of the entry. */
  readonly isCopy?: true;
  /** The names of the written attributes. */
  readonly attributes: readonly string[];
}

/** What was done besides writes of entries, and who did it. */
export interface KnownActivity extends Omit<Activity, 'origin'>, Origin {}

/** What is wrong with an entry. */
export interface Breach {
  /** The uid of its content type. */
  readonly type: string;
  readonly id: number;
  /** A sentence without its subject, the entry. */
  readonly rule: string;
}

/** A command of `npx content-service access`. */
export interface Command {
  /** The command and its arguments in commander's syntax, e.g. `token create <name>`. */
  readonly usage: string;
  readonly description: string;
  /** Descriptions of options, by their flags, e.g. `--expires <date>`. */
  readonly options?: Readonly<Record<string, string>>;
  /** @throws AppError, StartError for invalid input */
  readonly run: (input: CommandInput) => Promise<CommandResult>;
}

/** The arguments and options of a command, by name. */
export type CommandInput = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

export interface CommandResult {
  /** Shown as a table, or as JSON. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Long results, a line of text each, in place of the rows. */
  readonly lines?: AsyncIterable<string>;
  /** Lines for people. */
  readonly notes?: readonly string[];
}

export interface Credentials {
  /** The token of `Authorization: Bearer …`; undefined without one. */
  readonly token: string | undefined;
  readonly headers: Request['headers'];
  /** Takes why the plugin does not accept the token; the log of development has it if no other plugin does. */
  readonly explain?: ((reason: () => string) => void) | undefined;
}

/** A handler below its own path, e.g. `/uploads`; passes on other requests. */
export interface Mount {
  readonly path: string;
  readonly handler: RequestHandler;
}
