import type { BodyReader, ReceivedForm } from './forms.js';
import type { IncomingMessage } from 'node:http';
import type { Config } from '../../config/config.js';
import type { ContentType, Registry } from '../../content-types/model/types.js';
import type { RequestContext } from '../../documents/request-context.js';
import type { QueryInput } from '../../query/parse/input.js';
import type { EntryForm } from './entry-form.js';
import type { Shortcut } from './answerer.js';
import type { RequestHandler } from './http/messages.js';
import type { RefusedTerms } from './write-terms.js';

/** The caching of a response: `public` follows `CACHE_CONTROL`, `never` disables it. */
export type Caching = 'public' | 'never';

/** A route below `/api`, without what handles its requests. */
export interface DeclaredRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** In express's syntax, e.g. `/users/:id`. */
  readonly path: string;
  /** The required action; undefined: none. */
  readonly action: string | undefined;
  /** Undefined: no caching header. */
  readonly caching?: Caching;
  /** For the documentation of the API. */
  readonly description?: RouteDescription;
  /** The terms that its writes refuse. Default: the handler decides about all of them. */
  readonly refuses?: RefusedTerms;
  /**
   * The actions that it does in another way for entries of a content type, so that it is there only if the core answers
   * them. A route of a plugin below the path of a content type must have it, unless it is one of Strapi v4.
   */
  readonly shortcut?: TypeShortcut;
  /**
   * Its parameter `id` names an entry of this type. The handler gets the number of the entry; another form of the API
   * that has the route names entries there as in all its paths.
   */
  readonly entryOf?: ContentType;
}

/**
 * A shortcut for the entries of a content type: of this one, or of the one whose uid is the parameter `uid` of the
 * path.
 */
export interface TypeShortcut extends Shortcut {
  readonly type: ContentType | ':uid';
}

/** A route of a plugin or a project. */
export interface Route extends DeclaredRoute {
  /** Counts a request of this address before its body is read. @throws AppError tooManyRequests */
  readonly count?: (address: string) => Promise<Forgive>;
  /**
   * Runs before the handler, once the caller may send the request, e.g. to read a body that is neither JSON nor a form.
   */
  readonly before?: readonly RequestHandler[];
  /** Its body may be a form with an entry and files, which is read before the policies see it. */
  readonly takesFiles?: true;
  /** Its body is data of an entry, which is counted as such: it may hold more than other bodies. */
  readonly takesData?: true;
  readonly handle: (request: RouteRequest) => Promise<Reply>;
}

/** Takes back that a request was counted, e.g. a successful login. */
export type Forgive = () => Promise<void>;

export interface RouteRequest extends RequestContext {
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryInput;
  /** The parsed body. */
  readonly body: unknown;
  /** The body as the client sent it, where code of the project may have changed it since; undefined: it has not. */
  readonly arrived?: unknown;
  /** The files that a `before` handler read. */
  readonly files: unknown;
  /** A form that was already read; undefined: `message` is not read yet, or not a form. */
  readonly form?: ReceivedForm | undefined;
  /** Writes an entry with the files of the form, where the route takes them. */
  readonly attachFiles?: BodyReader['attachFiles'] | undefined;
  /** The request itself, for a body that no parser has read. */
  readonly message: IncomingMessage;
  /** The form of entries in the reply. */
  readonly entryForm: EntryForm;
  /** The client's address, according to trusted proxies. */
  readonly address: string;
  /** Undefined if the route does not count its requests. */
  readonly forgive?: Forgive | undefined;
}

export interface Reply {
  readonly status?: number;
  /** Sent as JSON; undefined: nothing is sent, with status 204 unless another is returned. */
  readonly body: unknown;
  /** Of a write that was done: sent if the body is too long. Default: then the request is refused. */
  readonly shortened?: object;
  /** Sent as plain text instead of the body. */
  readonly text?: string;
  /** Of a read, see `SerializedResponse`. */
  readonly cacheTags?: readonly string[] | undefined;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/**
 * The input and output of a route in JSON Schema; `#/components/schemas/UploadFileRecord` is an entry of a plugin's
 * type.
 */
export interface RouteDescription {
  readonly summary: string;
  /** Names of parameters in the query string. */
  readonly query?: readonly string[];
  readonly body?: Readonly<Record<string, unknown>>;
  /** The fields of `multipart/form-data`. */
  readonly form?: Readonly<Record<string, unknown>>;
  readonly response?: Readonly<Record<string, unknown>>;
  /** The response has an ETag for `If-Match`. */
  readonly isTagged?: boolean;
  /** Default: 200. */
  readonly status?: number;
  /** Others that it can have, with the same response; 204 has none. */
  readonly furtherStatuses?: readonly number[];
  /** Parameters in OpenAPI, in the query string and in headers. */
  readonly parameters?: readonly Readonly<Record<string, unknown>>[];
  /** Those in the path; default: texts. */
  readonly pathParameters?: readonly Readonly<Record<string, unknown>>[];
  /** Statuses of its errors; default: by its parameters and its body. */
  readonly errors?: readonly number[];
  /** The id of the operation, and the heading above it; default: by its path and its action. */
  readonly id?: string;
  readonly tag?: string;
}

/** A page for people, outside of `/api`. */
export interface Page {
  readonly path: string;
  readonly title: string;
  /** A short description. */
  readonly description: string;
}

/** The routes of a plugin or a project: a list, or a function of the content types and of where the service runs. */
export type Routes = readonly Route[] | ((registry: Registry, environment: Config['environment']) => readonly Route[]);

/** The routes of a plugin, including those for content types. */
export const routesOf = (
  { routes = [] }: { readonly routes?: Routes },
  registry: Registry,
  environment: Config['environment'],
): readonly Route[] => (typeof routes === 'function' ? routes(registry, environment) : routes);
