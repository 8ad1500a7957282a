import type { ContentType } from '../../content-types/model/types.js';
import type { RequestContext } from '../../documents/request-context.js';
import type { ReadRequest } from '../../documents/read-operation.js';
import type { ResponseSerializer } from '../../documents/response/respond.js';
import type { SerializedResponse } from '../../documents/response/response-cache.js';
import type { WrittenResponse } from '../../documents/response/written-response.js';
import type { AppError } from '../../errors/app-error.js';
import type { QueryInput } from '../../query/parse/input.js';
import type { ApiDescription, DescribeOperation } from './api-description.js';
import type { EntryForm } from './entry-form.js';
import type { ReceivedForm } from './forms.js';
import type { Request, Response } from './http/messages.js';
import type { Route, RouteDescription } from './routes.js';
import type { RefusedTerms, WriteTerms } from './write-terms.js';

/** A request for an action on a content type; `id` is the parameter of the path, for actions on one entry. */
export interface ContentRequest extends RequestContext {
  readonly type: ContentType;
  readonly request: Request;
  readonly response: Response;
  readonly id: string;
  /** The form of its body; undefined for other bodies. */
  readonly form: ReceivedForm | undefined;
  /** Guards of the project have seen its body in the form of `bodyForGuards`, and can have changed it. */
  readonly isGuarded?: true;
}

/** A request to write. That it has rights, and terms that the route keeps, is decided. */
export interface ContentWriteRequest extends ContentRequest {
  /** Its query string, parsed. */
  readonly query: QueryInput;
  readonly terms: WriteTerms;
}

/** The answer to a request; it is sent by whoever has asked for it. */
export interface ContentAnswer extends SerializedResponse {
  /** Default: 200. */
  readonly status?: number | undefined;
  /** Besides those that every answer has. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * What a request reads: the core does it, out of a cache where that can be, and explains it where that is asked for.
 */
export interface ContentQuery {
  readonly read: ReadRequest;
  readonly serializer: ResponseSerializer;
  /** Refuses what the caller may not name in the words of the form. Default: as Strapi v4. @throws AppError */
  readonly refuse?: () => void;
}

/**
 * Parses an admitted request to read: the caller has the permission of the action, and the guards of the project have
 * passed.
 */
export type ContentRead = (request: ContentRequest) => Promise<ContentQuery>;

/** An answer that is neither a read of entries nor a write of one. */
export type ContentReply = (request: ContentRequest) => Promise<ContentAnswer>;

/** The answer to a write that was done. */
export interface WrittenAnswer extends WrittenResponse {
  /** Default: 200. */
  readonly status?: number | undefined;
}

/** Does a write that was parsed. */
export type Perform = () => Promise<WrittenAnswer>;

/**
 * Parses an admitted request to write, and returns what does it: the core does it only once if the request has an
 * `Idempotency-Key`.
 */
export type ContentWrite = (request: ContentWriteRequest) => Promise<Perform>;

/**
 * The actions of Strapi on collections and single types, by their names here, and the groups of a list. Each has the
 * permission and the guards of its action below `/api`.
 */
export type ContentReadName = 'find' | 'findOne' | 'findSingle' | 'aggregate';
export type ContentWriteName = 'create' | 'update' | 'delete' | 'updateSingle' | 'deleteSingle';
export type ContentActionName = ContentReadName | ContentWriteName;

/** What an error is to a client. */
export type DescribedError = Pick<AppError, 'name' | 'message'> & { readonly details?: object | undefined };

/**
 * The content API in another form, below a path of its own: other requests and answers for the same entries. Admission,
 * authentication, permissions, guards, limits, caching and headers are those of `/api`. What code of the project
 * answers there is refused here, so that nothing leads around it.
 */
export interface ContentApi {
  /** The path that it is below, e.g. `/v5/api`. */
  readonly prefix: string;
  /** Those that it lacks do not exist. */
  readonly reads: Readonly<Partial<Record<ContentReadName, ContentRead>>>;
  readonly writes: Readonly<Partial<Record<ContentWriteName, ContentWrite>>>;
  /** The terms that its writes refuse besides those that `/api` refuses. */
  readonly refuses?: Readonly<Partial<Record<ContentWriteName, RefusedTerms>>>;
  /**
   * The number of the entry that the path of a request names, for those who know entries by it: guards of the project,
   * and routes of plugins (`entryOf`). Undefined: there is none.
   * @param action what is done with it; default: by the method of the request
   */
  readonly numberOf?: (
    request: Pick<ContentRequest, 'type' | 'id' | 'request'>,
    action?: 'find' | 'update' | 'delete',
  ) => Promise<number | undefined>;
  /**
   * The body of a write as guards of the project know it, with the numbers of related entries. It takes the place of
   * the body that was sent, so that what guards change of it is written.
   */
  readonly bodyForGuards?: (request: ContentRequest) => Promise<unknown>;
  /** The routes of plugins that are below it, too. */
  readonly hasRoute?: (route: Route) => boolean;
  /** The form of entries in their replies. Default: plain records. */
  readonly formOf?: (route: Route) => EntryForm;
  /** The status of a reply of such a route that names none; undefined: 200. */
  readonly statusOf?: (route: Route, query: QueryInput) => number | undefined;
  /** An error as its clients know it. Default: as in Strapi v4. */
  readonly describeError?: (error: AppError) => DescribedError;
  /**
   * Its description in OpenAPI, at `/documentation<prefix>/openapi.json`, by the same rule as that of `/api`. Default:
   * it has none.
   */
  readonly description?: ApiDescription & {
    readonly operations: Readonly<Partial<Record<ContentActionName, DescribeOperation>>>;
    /** How routes of plugins with `entryOf` name an entry. */
    readonly entry?: (type: ContentType) => Pick<RouteDescription, 'parameters' | 'pathParameters'>;
  };
}
