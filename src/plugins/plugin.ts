import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import type { Secrets } from '../config/config.js';
import type { AttributeDefinition, ContentTypeDefinition, Defined } from '../content-types/definition.js';
import type { Registry } from '../content-types/types.js';
import type { Caller } from '../documents/caller.js';
import type { Documents } from '../documents/documents.js';
import type { Entries } from '../documents/entries.js';
import type { DocumentHooks } from '../documents/hooks.js';
import type { Interceptor } from '../documents/interceptors.js';
import type { Log } from '../mongo/database.js';
import type { QueryInput } from '../query/input.js';
import type { QueryLimits } from '../query/parse-query.js';

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
  /** Ends what `start` began. */
  readonly stop?: () => Promise<void>;
  /**
   * Recognises who sends a request; undefined when the credentials are of another kind.
   * @throws AppError unauthorized
   */
  readonly authenticate?: (credentials: Credentials) => Promise<Caller | undefined>;
  readonly routes?: readonly Route[];
}

/** Makes a plugin of its settings in the plugins file. @throws StartError naming what is wrong in them */
export type PluginFactory = (settings: Readonly<Record<string, unknown>>) => Plugin;

/** What a plugin gets of the running service. */
export interface PluginContext {
  readonly registry: Registry;
  readonly documents: Documents;
  /** Entries by uid and parameters, for our own code. */
  readonly entries: Entries;
  readonly limits: QueryLimits;
  readonly secrets: Secrets;
  readonly folders: { readonly data: string };
  readonly log: Log;
}

/** What a request says about who sent it. */
export interface Credentials {
  /** Of `Authorization: Bearer …`; undefined when there is none. */
  readonly token: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** A route below `/api`. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As express writes paths, e.g. `/users/:id`. */
  readonly path: string;
  /** The action that the caller must be allowed; undefined: anyone may. */
  readonly action: string | undefined;
  /** Runs before the handler, e.g. to read a body that is neither JSON nor a form. */
  readonly before?: readonly RequestHandler[];
  readonly handle: (request: RouteRequest) => Promise<Reply>;
}

export interface RouteRequest {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryInput;
  /** What the body parsers made of the body. */
  readonly body: unknown;
  /** The files that a `before` handler took in. */
  readonly files: unknown;
  /** The address of the client, as far as it can be trusted. */
  readonly address: string;
}

export interface Reply {
  readonly status?: number;
  /** Sent as JSON. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
