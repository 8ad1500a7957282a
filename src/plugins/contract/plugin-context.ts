import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Response } from 'express';
import type { Config } from '../../config/config.js';
import type { FileChanges } from '../../content-types/load/read-json-files.js';
import type { Registry } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import type { Feeds } from '../../documents/changes/feeds.js';
import type { Documents } from '../../documents/documents.js';
import type { Entries } from '../../documents/entries.js';
import type { ResponseBody, SerializedResponse } from '../../documents/response/response-cache.js';
import type { Passwords } from '../../documents/write/passwords.js';
import type { Logger } from '../../errors/logger.js';
import type { Lease, Locks } from '../../mongo/coordination/locks.js';
import type { RateLimits } from '../../mongo/coordination/rate-limits.js';
import type { EventLog } from '../../mongo/events/event-log.js';
import type { Schedules } from '../../mongo/events/schedules.js';
import type { WebhookRecords } from '../../mongo/events/webhook-records.js';
import type { FileStore } from '../../mongo/files/file-store.js';
import type { QueryLimits } from '../../query/parse/parse-query.js';
import type { Access } from './access/access.js';
import type { ReadPreview } from './access/preview-links.js';
import type { ActionGuards, RestGuard } from './access/policy-request.js';
import type { FindAuthenticationCode } from './authentication-code.js';
import type { Application } from './application.js';
import type { ReadForm } from './forms.js';
import type { GraphqlForm } from './graphql/form.js';
import type { GraphqlParts } from './graphql/parts.js';
import type { GraphqlProject } from './graphql/project.js';
import type { Bodies } from './http/receive-bodies.js';
import type { NamedPolicies } from './policies.js';
import type { Page, Route } from './routes.js';
import type { AnswererOf } from './answerer.js';
import type { HasRoute } from './content-type-routes.js';

/** The interface of the running service for plugins. */
export interface PluginContext {
  readonly registry: Registry;
  readonly documents: Documents;
  /** Entries by uid and parameters, with all permissions. */
  readonly entries: Entries;
  readonly limits: QueryLimits;
  readonly log: Logger;
  readonly mailer: Mailer;
  readonly settings: ServiceSettings;
  readonly http: HttpServices;
  readonly auth: AuthServices;
  readonly storage: StorageServices;
  readonly graphql: GraphqlServices;
  readonly project: ProjectServices;
}

export interface ServiceSettings extends Pick<
  Config,
  'environment' | 'drafts' | 'secrets' | 'folders' | 'events' | 'variables'
> {
  /** The URL that clients use, without a slash at the end; undefined if PUBLIC_URL is not set. */
  readonly publicUrl: string | undefined;
  /** The path of the API, `/api`, without a slash at the end. */
  readonly prefix: string;
  /** Entries of localized types list their other localizations. */
  readonly entryMeta: boolean;
}

export interface HttpServices {
  /** Those of the project and of plugins, in the order in which they are matched. */
  readonly routes: readonly Route[];
  /** What requests reach once the service has started: code of a project can move and remove routes. */
  readonly reachable: () => {
    /** Those of the project and of plugins, where they are. */
    readonly routes: readonly Route[];
    readonly hasRoute: HasRoute;
  };
  /** Who answers an action of a content type, once the service has started: what is no route must ask, too, so that it bypasses no code. */
  readonly answererOf: AnswererOf;
  readonly pages: readonly Page[];
  /** Reads bodies that are no forms with files; only mounts need it. */
  readonly bodies: Bodies;
  /** Reads forms with files; undefined if no plugin can. */
  readonly readForm: ReadForm | undefined;
  /** The maximum size of an uploaded file, in bytes; undefined if no plugin reads forms. */
  readonly fileLimit: number | undefined;
  /** Runs work within the limit on concurrent requests; only mounts need it. @throws AppError overloaded */
  readonly admit: <T>(response: ServerResponse, work: () => Promise<T>) => Promise<T>;
  /** The change feeds; undefined: there are none. */
  readonly feeds: Feeds | undefined;
  /** Aborted when the service stops: responses without an end then end. */
  readonly closing: AbortSignal;
  /** Sends JSON; only mounts need it. */
  readonly responses: Responses;
  /**
   * Purges everything from the caches in front of the service, e.g. after an import; false: not all of them have done it yet. Undefined: there are
   * none that purge.
   */
  readonly purgeAll: (() => Promise<boolean>) | undefined;
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

export interface AuthServices {
  /** Every action that can be granted. */
  readonly actions: readonly string[];
  /** The contents of `access.json`, which is applied at every start. */
  readonly declared: Access | undefined;
  readonly passwords: Passwords;
  /** The caller of a request. @throws AppError unauthorized */
  readonly authenticate: (request: IncomingMessage, response: ServerResponse) => Promise<Caller>;
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

export interface StorageServices {
  /** Locks that all processes share. */
  readonly locks: Locks;
  readonly rateLimits: Pick<RateLimits, 'open'>;
  /** Files in the database. */
  readonly gridFiles: FileStore;
  /** When entries are to be published and unpublished. */
  readonly schedules: Schedules;
  /** The writes of entries in one sequence, and who receives them. */
  readonly events: {
    readonly log: EventLog;
    readonly webhooks: WebhookRecords;
    readonly lease: (key: string) => Lease;
    /** Counts a try to deliver to a webhook. */
    readonly observeDelivery: (isDelivered: boolean, isRetry: boolean) => void;
    /** Measures how many events the webhook that is furthest behind has not received. */
    readonly observeLag: (events: number) => void;
  };
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
  /** The content types as they would be with other files. @throws StartError with a line for each reason not to start */
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

/** A mail, with optional values that the provider supports: `html`, `cc`, `attachments`. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly [more: string]: unknown;
}

export interface Mailer {
  /** Mails reach their receivers; false: they are logged, or discarded. */
  readonly isConnected: boolean;
  /** @throws errors of the provider or the connection */
  send(mail: Mail): Promise<void>;
}
