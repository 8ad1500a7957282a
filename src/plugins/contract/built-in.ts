import type { CodeForm } from './code-form.js';
import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import type { Config } from '../../config/config.js';
import type { FileChanges } from '../../content-types/load/read-json-files.js';
import type { QueryParameter, Registry } from '../../content-types/model/types.js';
import type { Feeds } from '../../documents/changes/feeds.js';
import type { Documents } from '../../documents/documents.js';
import type { Interceptor } from '../../documents/interceptors.js';
import type { ResponseBody, SerializedResponse } from '../../documents/response/response-cache.js';
import type { Passwords } from '../../documents/write/passwords.js';
import type { Lease, Locks } from '../../mongo/coordination/locks.js';
import type { Caller } from '../../documents/caller.js';
import type { OpenSessions } from '../../mongo/coordination/open-sessions.js';
import type { EventLog } from '../../mongo/events/event-log.js';
import type { AccountName, Schedules } from '../../mongo/events/schedules.js';
import type { WebhookRecords } from '../../mongo/events/webhook-records.js';
import type { FileStore } from '../../mongo/files/file-store.js';
import type { Values } from '../../mongo/values.js';
import type { Access, DraftRules } from './access/access.js';
import type { ActionGuards, RestGuard } from './access/policy-request.js';
import type { ReadPreview } from './access/preview-links.js';
import type { Application } from './application.js';
import type { FindAuthenticationCode } from './authentication-code.js';
import type { ContentApi } from './content-api.js';
import type { BodyReader, ReadForm, UploadFile } from './forms.js';
import type { EventForm } from './event-form.js';
import type { GraphqlForm } from './graphql/form.js';
import type { Outcome } from './http/send.js';
import type { GraphqlParts } from './graphql/parts.js';
import type { GraphqlProject } from './graphql/project.js';
import type {
  AuthServices,
  HttpServices,
  LogIns,
  PluginContext,
  ServiceSettings,
  StorageServices,
} from './plugin-context.js';
import type { Plugin, PluginFactory } from './plugin.js';
import type { NamedPolicies } from './policies.js';
import type { Page } from './routes.js';

/** What only the plugins of the core have: it is not published, so it can change without notice. */

/** A plugin of the core. */
export interface BuiltInPlugin extends Plugin<BuiltInContext> {
  /**
   * The parameters that it adds to queries, each with what applies its value; one that it applies with another has
   * nothing.
   */
  readonly parameters?: readonly (QueryParameter & { readonly apply?: Interceptor })[];
  /** Lines for the log of the people who run the service, once it listens; one process of a cluster asks for them. */
  readonly notices?: () => Promise<readonly string[]>;
  /**
   * Updates what other processes may have changed of the data loaded by `start`; runs before the caller of each request
   * is identified.
   */
  readonly refresh?: () => Promise<void>;
  /** The caller with the rights that one of its accounts has now; undefined: there is none that may log in. */
  readonly callerOf?: (account: AccountName) => Promise<Caller | undefined>;
  /** How people log in. */
  readonly logIns?: LogIns;
  /** Reads the bodies of entries that are neither JSON nor a form. */
  readonly bodyReader?: BodyReader;
  /** Reads forms with files for other plugins; see `PluginContext`. */
  readonly readForm?: ReadForm;
  /** The maximum size of an uploaded file, in bytes. */
  readonly fileLimit?: number;
  /** Whether files of the project declare the locales. */
  readonly declaresLocales?: () => boolean;
  /** Sends events of project code to webhooks. */
  readonly codeEvents?: CodeEvents;
  /** Uploads files for internal code. */
  readonly uploadFile?: UploadFile;
  /** Stores and removes the bytes of files for code of the project, by Strapi v4's contract of upload providers. */
  readonly fileProvider?: object;
  /**
   * Applies its part of `access.json`; applying it again changes nothing. Returns a line for each change.
   * Runs after every plugin has started.
   */
  readonly applyAccess?: (access: Access) => Promise<readonly string[]>;
}

/** Creates a plugin of the core, as `PluginFactory`. */
export type BuiltInFactory = (...given: Parameters<PluginFactory>) => BuiltInPlugin;

/** The running service, for plugins of the core. */
export interface BuiltInContext extends PluginContext {
  readonly documents: Documents;
  readonly settings: BuiltInSettings;
  readonly http: BuiltInHttp;
  readonly auth: BuiltInAuth;
  readonly storage: BuiltInStorage;
  readonly graphql: GraphqlServices;
  readonly project: ProjectServices;
}

export interface BuiltInSettings extends ServiceSettings, Pick<Config, 'secrets' | 'events'> {
  /** Entries of localized types list their other localizations. */
  readonly entryMeta: boolean;
}

export interface BuiltInHttp extends HttpServices {
  /** Sends JSON; only mounts need it. */
  readonly responses: Responses;
  /** Of all plugins. */
  readonly pages: readonly Page[];
  /** The content API in the forms of all plugins; only after the context is complete. */
  readonly contentApis: () => readonly ContentApi[];
  /**
   * What code of the project gets of a form of the API; undefined: no plugin has one. Only after the context is
   * complete.
   */
  readonly codeForm: () => CodeForm | undefined;
  /** The events of writes in the forms of all plugins; only after the context is complete. */
  readonly eventForms: () => readonly EventForm[];
  /** Reads forms with files; undefined if no plugin can. */
  readonly readForm: ReadForm | undefined;
  /** Runs work within the limit on concurrent requests; only mounts need it. @throws AppError overloaded */
  readonly admit: <T>(response: ServerResponse, work: () => Promise<T>) => Promise<T>;
  /** The change feeds; undefined: there are none. */
  readonly feeds: Feeds | undefined;
}

/** Sends bodies as JSON within the size limit, at the client's pace. */
export interface Responses {
  /** The maximum size of a body in bytes. */
  readonly limit: number;
  /** Resolves when it is sent, or the connection ended. */
  readonly send: (
    response: Response,
    body: ResponseBody,
    status: number,
    headers: Readonly<Record<string, string>>,
  ) => Promise<void>;
  /** Sends a body with an ETag if it is the response to a read; 304 to clients that have it. */
  readonly sendTagged: (
    response: Response,
    serialized: SerializedResponse,
    status: number,
    headers: Readonly<Record<string, string>>,
  ) => Promise<void>;
}

export interface BuiltInAuth extends AuthServices {
  /** The contents of `access.json`, which is applied at every start. */
  readonly declared: Access | undefined;
  readonly passwords: Passwords;
  /** The rules of permissions for drafts alone, once the service has started; see `rulesOfDrafts`. */
  readonly draftRules: () => DraftRules;
  /** What code of the project does when users are identified and logged in. */
  readonly code: FindAuthenticationCode;
  /** The policies of the project before an action, for every transport. */
  readonly guards: ActionGuards;
  /** Code that guards the REST API only; complete when routes are loaded. */
  readonly restGuards: () => readonly RestGuard[];
  /** Reads preview links; undefined if drafts are not restricted, and no type has working copies. */
  readonly readPreview: ReadPreview | undefined;
  /** Counts a login with a wrong name or password. */
  readonly observeFailedLogin: () => void;
}

export interface BuiltInStorage extends StorageServices {
  /** Locks and one-time actions that all processes share. */
  readonly locks: Locks;
  /** The log-ins that their users see and end. */
  readonly sessions: OpenSessions;
  /** Files in the database. */
  readonly gridFiles: FileStore;
  /** Named values. */
  readonly values: Values;
  /** When entries are to be published and unpublished. */
  readonly schedules: Schedules;
  /** The writes of entries in one sequence, and who receives them. */
  readonly events: {
    readonly log: EventLog;
    readonly webhooks: WebhookRecords;
    readonly lease: (key: string) => Lease;
    /** What sends events of project code; undefined: nothing does. */
    readonly ofCode: CodeEvents | undefined;
    /** Counts a try to deliver to a webhook. */
    readonly observeDelivery: (isDelivered: boolean, isRetry: boolean) => void;
    /** Measures how many events the webhook that is furthest behind has not received. */
    readonly observeLag: (events: number) => void;
  };
}

/** Events that project code has by itself, beside those of writes. */
export interface CodeEvents {
  /** Stores an event for each webhook that names it, which is sent like that of a write. */
  readonly record: (event: string, info: unknown) => Promise<void>;
  /** Sends one to a receiver at once, without another try. */
  readonly send: (receiver: EventReceiver, event: string, info: unknown) => Promise<Outcome>;
}

interface EventReceiver {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface GraphqlServices {
  /** The additions of all plugins to the GraphQL API; complete when they have started. */
  readonly parts: () => Promise<readonly GraphqlParts[]>;
  /** The other forms of the GraphQL API; complete when the plugins have started. */
  readonly forms: () => readonly GraphqlForm[];
  /** The code of a Strapi v4 project as the GraphQL API sees it; undefined without such code. */
  readonly project: GraphqlProject | undefined;
}

export interface ProjectServices {
  /** The object that project code receives as `strapi`. */
  readonly application: Application;
  /** Policies and middlewares by name. */
  readonly named: NamedPolicies;
  /** Loads a module of the project like its code. @throws errors of its evaluation */
  readonly loadModule: (file: string) => Promise<unknown>;
  readonly definitions: DefinitionServices;
}

export interface DefinitionServices {
  /**
   * The content types as they would be with other files.
   * @throws StartError with a line for each reason not to start
   */
  readonly link: (changes: FileChanges) => Promise<Registry>;
  /**
   * What `content-service migrate` would do to the stored data, as far as it was read before the signal.
   * @throws StartError if `migrations.json` does not fit
   */
  readonly plan: (registry: Registry, stopping?: AbortSignal) => Promise<MigrationPlan>;
}

/** What happens to stored entries, and how many each line is about; 0: they are not counted. */
export interface MigrationPlan {
  readonly found: readonly Finding[];
  /** What `migrate` leaves unchanged, although it does not match the content types. */
  readonly unfit: readonly Finding[];
  readonly problems: readonly string[];
}

export interface Finding {
  readonly subject: string;
  readonly text: string;
  readonly entries: number;
}
