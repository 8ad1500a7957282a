import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../../config/config.js';
import type { Registry } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import type { Entries } from '../../documents/entries.js';
import type { Logger } from '../../errors/logger.js';
import type { PresentUsers } from '../../mongo/coordination/presence.js';
import type { RateLimits } from '../../mongo/coordination/rate-limits.js';
import type { QueryLimits } from '../../query/parse/parse-query.js';
import type { Door, NewActivity } from '../../query/receipt.js';
import type { AnswererOf } from './answerer.js';
import type { HasRoute } from './content-type-routes.js';
import type { Bodies } from './http/receive-bodies.js';
import type { FormDocuments, PluginDocuments } from './plugin-documents.js';
import type { Route } from './routes.js';
import type { WaitingWork } from './waiting-work.js';

/** The running service, for plugins. */
export interface PluginContext {
  readonly registry: Registry;
  readonly documents: PluginDocuments;
  /** Entries by uid and parameters, with all permissions. */
  readonly entries: Entries;
  readonly waiting: WaitingWork;
  readonly limits: QueryLimits;
  readonly log: Logger;
  readonly mailer: Mailer;
  readonly settings: ServiceSettings;
  readonly http: HttpServices;
  readonly auth: AuthServices;
  readonly storage: StorageServices;
  readonly locales: LocaleServices;
}

/** The running service, for another form of the content API. */
export interface FormContext extends PluginContext {
  readonly documents: FormDocuments;
}

/** The settings of the service that plugins see. */
export interface ServiceSettings extends Pick<Config, 'environment' | 'drafts' | 'folders' | 'variables'> {
  /** The URL that clients use, without a slash at the end; undefined if PUBLIC_URL is not set. */
  readonly publicUrl: string | undefined;
  /** The path of the API, `/api`, without a slash at the end. */
  readonly prefix: string;
  /** The path that code of the project adds its routes below. */
  readonly codePrefix: string;
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
  /**
   * Who answers an action of a content type, once the service has started: what is no route must ask, too, so that it
   * bypasses no code.
   */
  readonly answererOf: AnswererOf;
  /** Reads bodies that are no forms with files; only mounts need it. */
  readonly bodies: Bodies;
  /** The maximum size of an uploaded file, in bytes; undefined if no plugin reads forms. */
  readonly fileLimit: number | undefined;
  /** Aborted when the service stops: responses without an end then end. */
  readonly closing: AbortSignal;
  readonly responses: {
    /** The maximum bytes of a body. */
    readonly limit: number;
  };
  /**
   * Purges everything from the caches in front of the service, e.g. after an import; false: not all of them have done
   * it yet. Undefined: there are none that purge.
   */
  readonly purgeAll: (() => Promise<boolean>) | undefined;
}

/** The caller of a request. @param door how it came in; default: `rest`. @throws AppError unauthorized */
export type Authenticate = (request: IncomingMessage, response: ServerResponse, door?: Door) => Promise<Caller>;

export interface AuthServices {
  /** The roles in `access.json`, by their names in code: each start gives them exactly the permissions there. */
  readonly declaredRoles: readonly string[];
  /** Every action that can be granted. */
  readonly actions: readonly string[];
  readonly authenticate: Authenticate;
  /** How people can log in on a page of this service. */
  readonly logIns: LogIns;
}

export interface LogIns {
  readonly passwords: boolean;
  /** Services whose accounts they can use, where a log-in ends in the browser that began it. */
  readonly providers: readonly { readonly name: string; readonly label: string }[];
}

export interface StorageServices {
  readonly locks: {
    /** Runs work that no other process runs at the same time with this key. @throws AppError unavailable */
    readonly hold: <T>(key: string, work: () => Promise<T>) => Promise<T>;
  };
  readonly rateLimits: Pick<RateLimits, 'open'>;
  /** Tells `onWrites` what this process has written so far: what is read afterwards has all of it. */
  readonly collectWrites: () => Promise<void>;
  /**
   * Stores what was done that is no write of an entry, such as a log-in, and tells `onActivities`. Whoever acknowledges
   * it waits for this; it does nothing where no plugin hears of it.
   * @throws AppError unavailable
   */
  readonly recordActivity: (activity: NewActivity) => Promise<void>;
  /** Which users have something open at the moment. */
  readonly presence: Pick<PresentUsers, 'announce' | 'leave' | 'at'>;
}

export interface LocaleServices {
  /** Whether files of the project declare the locales, so that no request can replace them; false without locales. */
  readonly areDeclared: () => boolean;
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
